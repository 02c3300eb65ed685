import type { Answer } from '../kernel/answer.ts'
import { ShareExhausted } from '../kernel/connection-shares.ts'
import { type Database, isDatabaseAway } from '../kernel/db.ts'
import { NO_OUTBOX } from '../kernel/outbox.ts'
import { OwnerGone } from '../kernel/owner.ts'
import { AccountProblem, Problem } from '../kernel/problem.ts'
import { RecordedProblem } from '../kernel/recorded-problem.ts'
import { isStreamed } from '../kernel/schema.ts'
import { type AdmitParts, readmit } from './admit.ts'
import { resourceAnswer } from './answers.ts'
import { auditingRefusals } from './audit.ts'
import type { Bodies } from './bodies.ts'
import { type Admission, type Call, DryRun } from './call.ts'
import type { CallPlaces } from './call-places.ts'
import { type CallScope, contextsOf, ownerOf } from './contexts.ts'
import { type Downloads, guarded } from './downloads.ts'
import {
  idempotencyScope,
  refuseRolledOut,
  type Write,
  type WriteParts,
  writeInOneStatement,
  writeInTransaction,
} from './idempotent-write.ts'
import { checkParams, parseInput } from './parse-input.ts'
import { resolveEmpresa } from './resolve-empresa.ts'
import { throttlingEmail } from './throttle.ts'

export interface Pipeline extends AdmitParts, WriteParts {
  readonly db: Database
  readonly downloads: Downloads
  readonly bodies: Bodies
  readonly places: CallPlaces
}

/**
 * The steps after admission: empresa, input, idempotency key, transaction, the verb itself. The empresa comes before the
 * input, so that a stranger learns nothing of the input's rules.
 */
export function perform(pipe: Pipeline, call: Call, admission: Admission, body: Uint8Array): Promise<Answer> {
  const { account } = admission
  const connections = call.operation.steady(call.query) ? pipe.db.steady : pipe.db
  const own = account ? { ...pipe, sql: connections.sqlOf(account) } : pipe
  const run = () => auditingRefusals(own, call, admission, () => performAdmitted(own, call, admission, body))
  return account ? pipe.places.run(account, run, call) : run()
}

async function performAdmitted(pipe: Pipeline, call: Call, admission: Admission, body: Uint8Array): Promise<Answer> {
  checkParams(call)
  const scope = await resolveEmpresa(pipe, call, admission)
  try {
    return await performOn(pipe, call, scope, body)
  } catch (error) {
    if (error instanceof RecordedProblem) await pipe.transactor.transact(ownerOf(scope), (sql) => error.record(sql))
    throw (await isOwnerGone(pipe, scope, error)) ? new Problem('empresa_not_found') : error
  }
}

/**
 * Whether a call failed because its empresa was deleted under it. A read takes no lock, and neither does what a write
 * does outside its transaction: what they find missing they take for a mistake of ours.
 */
async function isOwnerGone({ transactor }: Pipeline, scope: CallScope, error: unknown): Promise<boolean> {
  if (error instanceof OwnerGone) return true
  const expected = [Problem, AccountProblem, DryRun, ShareExhausted].some((kind) => error instanceof kind)
  if (expected || isDatabaseAway(error)) return false
  return transactor.isGone(ownerOf(scope)).catch(() => false)
}

function performOn(pipe: Pipeline, call: Call, scope: CallScope, body: Uint8Array): Promise<Answer> {
  const input = parseInput(call, body)
  return throttlingEmail(pipe, call, input, () => performInput(pipe, call, scope, { input, body }))
}

async function performInput(
  pipe: Pipeline,
  call: Call,
  scope: CallScope,
  { input, body }: Pick<Write, 'input' | 'body'>,
): Promise<Answer> {
  const { operation } = call
  const { admission } = scope
  const key = idempotencyScope(call, scope)
  const outside = contextsOf(pipe, call, scope, pipe.sql, NO_OUTBOX)
  // A read takes no transaction: one statement sees one snapshot, and most reads are one statement.
  if (operation.method === 'GET') {
    const read = async () => resourceAnswer(pipe, call, admission, await operation.run(outside, input))
    return isStreamed(operation.returns) ? download(pipe, call, scope, read) : read()
  }
  refuseRolledOut(call, scope)
  const found = await operation.prepare?.(outside, input)
  const whole = found ? { ...input, ...found } : input
  // An agent's write needs the transaction: its spending cap holds under a row lock.
  if (operation.one_statement && key && admission.caller?.kind !== 'agent')
    return writeInOneStatement(pipe, { call, scope, input: whole, body, key })
  return writeInTransaction(pipe, { call, scope, input: whole, body, key })
}

/**
 * A file that is read page after page while it is sent. That can take minutes, so each part goes out only while its
 * caller would still be admitted to it, and the file ends well only while its empresa is there.
 */
async function download(pipe: Pipeline, call: Call, scope: CallScope, read: () => Promise<Answer>): Promise<Answer> {
  const owner = ownerOf(scope)
  const allowed = async () => {
    const { empresa } = await resolveEmpresa(pipe, call, await readmit(pipe, call))
    if ((empresa?.empresa_id ?? null) !== owner.empresa_id) throw new OwnerGone(owner)
  }
  const whole = async () => {
    await allowed()
    // By the table itself: the last page may have been read before the cache heard of the deletion.
    if (await pipe.transactor.isGone(owner)) throw new OwnerGone(owner)
  }
  if (!scope.admission.account) throw new Error('a file of rows is always of an account')
  const place = pipe.downloads.take(scope.admission.account)
  try {
    const answer = await read()
    if (!answer.stream) throw new Error(`${call.operation.id} gave no stream`)
    return { ...answer, stream: guarded(answer.stream, { allowed, whole, place }) }
  } catch (error) {
    place.release()
    throw error
  }
}
