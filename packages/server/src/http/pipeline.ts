import { HEADERS, SENT } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { Contexts, EmpresaContext } from '../domain/context.ts'
import type { Input } from '../domain/operation.ts'
import { lockGrant } from '../domain/platform/agent-grant/lock.ts'
import { reachAnyEmpresa, reachEmpresa } from '../domain/platform/empresa/scope.ts'
import type { Answer } from '../kernel/answer.ts'
import { REAL_TIME } from '../kernel/clock.ts'
import { nothing } from '../kernel/db.ts'
import {
  findAnswer,
  fingerprintOf,
  finishUnderKey,
  type IdempotencyScope,
  keepAnswer,
  openAnswer,
  sealAnswer,
  tryLockKey,
  UNFINISHED,
} from '../kernel/idempotency.ts'
import { NO_OUTBOX } from '../kernel/outbox.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { type Artifact, isArtifact } from '../kernel/schema.ts'
import type { TransactionBody } from '../kernel/transactor.ts'
import type { KeyState } from '../kernel/unit-of-work.ts'
import { type Gate, namedEmpresa } from './admit.ts'
import type { Admission, Call } from './call.ts'
import { afterCommitContexts, type ContextParts, contextsOf, ownerOf, type Reached } from './contexts.ts'
import { parseInput, refusePath } from './parse.ts'
import { throttleEmail } from './throttle.ts'

export interface Pipeline extends Gate, ContextParts {
  /** Refuses an empresa without a subscription, where its mode asks for one. */
  readonly paywall: (ctx: EmpresaContext) => Promise<void>
}

/** The rungs above admission: empresa, input, transaction, idempotency, the verb itself. A stranger learns nothing of the input's rules. */
export async function perform(pipe: Pipeline, call: Call, admission: Admission, body: Uint8Array): Promise<Answer> {
  refusePath(call)
  const reached = await reach(pipe, call, admission)
  const input = parseInput(call, body)
  await throttleEmail(pipe.limiter, call, input)
  const key = idempotencyScope(call, admission, reached)
  const outside = contextsOf(pipe, call, reached, pipe.sql, NO_OUTBOX)
  // A read takes no transaction: one statement sees one snapshot, and most reads are one statement.
  if (call.operation.method === 'GET') return answerOf(call, reached, await call.operation.run(outside, input))
  const found = await call.operation.prepare?.(outside, input)
  const at_once = call.operation.one_statement && key && admission.caller?.kind !== 'agent'
  const write = at_once ? writeAtOnce : writeInTransaction
  return write(pipe, call, reached, { ...input, ...found }, key as IdempotencyScope, body)
}

async function reach(pipe: Pipeline, call: Call, admission: Admission): Promise<Reached> {
  const { operation } = call
  const clock = admission.clock ?? REAL_TIME
  if (operation.reach === 'operator') {
    const empresa = await reachAnyEmpresa(pipe.sql, call.params.empresa_id ?? '')
    admission.account = { account_id: empresa.account_id, mode: empresa.mode }
    admission.empresa_rut = empresa.rut
    return { admission, empresa, clock }
  }
  if (operation.reach !== 'empresa' || !admission.account || !admission.caller)
    return { admission, empresa: null, clock }
  const named = namedEmpresa(call, admission.caller)
  if ('rut' in named) admission.empresa_rut = named.rut
  const found = await reachEmpresa(pipe, admission.account, admission.caller, named)
  admission.empresa_rut = found.scope.rut
  const header = call.header(SENT.empresa)
  if (header !== undefined && header !== found.scope.rut) {
    throw invalidField(HEADERS.empresa, 'it names another empresa than the path.')
  }
  if (found.status !== 'active' && !operation.allows_inactive) throw new Problem('empresa_inactive')
  return { admission, empresa: found.scope, clock: found.clock ?? clock }
}

const PRINTABLE = /^[!-~ ]+$/

function idempotencyScope(call: Call, admission: Admission, { empresa }: Reached): IdempotencyScope | null {
  const { operation } = call
  if (operation.idempotent === false || !admission.account) return null
  const key = call.header(SENT.idempotency_key)
  if (key === undefined) {
    if (operation.idempotent === 'required')
      throw new Problem('idempotency_key_required', { param: HEADERS.idempotency_key })
    return null
  }
  if (key.length === 0 || key.length > CEILINGS.idempotency_key_chars || !PRINTABLE.test(key)) {
    throw invalidField(HEADERS.idempotency_key, '1 to 255 printable ASCII characters.')
  }
  return { ...admission.account, empresa_id: empresa?.empresa_id ?? '', operation: operation.id, key }
}

/** The verb behind its paywall. Past the idempotency key: what was once answered is answered again, paid for or not. */
async function runVerb(pipe: Pipeline, call: Call, contexts: Contexts, input: Input): Promise<unknown> {
  if (call.operation.paywalled) await pipe.paywall(contexts.empresa())
  const resource = await call.operation.run(contexts, input)
  call.judge?.(resource)
  return resource
}

interface Written {
  readonly resource: unknown
  readonly replayed: boolean
  /** Whether that is the whole answer: nothing is to be done after the commit, or it was done. */
  readonly settled: boolean
}

/**
 * Where a request goes, and on the account itself for how many: the same words of a credential that reaches less ask for
 * less, and must not be answered with what another was given.
 */
function placeOf({ operation, path }: Call, { admission: { caller } }: Reached): string {
  const narrow = caller && caller.kind !== 'session' && !caller.empresas.includes('*') && operation.reach === 'account'
  return `${operation.method} ${path}${narrow ? ` ${caller.empresas.join()}` : ''}`
}

async function writeInTransaction(
  pipe: Pipeline,
  call: Call,
  reached: Reached,
  input: Input,
  key: IdempotencyScope | null,
  body: Uint8Array,
): Promise<Answer> {
  const { afterCommit, status } = call.operation
  const fingerprint = fingerprintOf(placeOf(call, reached), body)
  const { vault } = pipe.ports
  const work: TransactionBody<Written> = async (sql, unit, opened) => {
    if (key && !opened.free) throw new Problem('idempotency_in_progress')
    await lockGrant(sql, reached.admission.caller)
    const before = key && (await findAnswer(sql, vault, key))
    if (before && !before.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused')
    if (before) return { resource: JSON.parse(before.body), replayed: true, settled: before.status !== UNFINISHED }
    const resource = await runVerb(pipe, call, contextsOf(pipe, call, reached, sql, unit), input)
    const answer = { status: afterCommit ? UNFINISHED : status, body: JSON.stringify(resource) }
    if (key) unit.keep(keepAnswer(key, sealAnswer(vault, key, fingerprint, answer), nothing))
    return { resource, replayed: false, settled: !afterCommit }
  }
  const { transactor } = pipe
  const question = key ? tryLockKey(key) : undefined
  const { resource, replayed, settled } = await transactor.transact(ownerOf(reached), work, question)
  if (settled || !afterCommit)
    return replayed ? asReplay(answerOf(call, reached, resource)) : answerOf(call, reached, resource)
  const goOn = () => afterCommit(afterCommitContexts(pipe, call, reached), resource)
  const final = key ? await finishUnderKey(pipe.sql, vault, key, { fingerprint, status }, goOn) : await goOn()
  return answerOf(call, reached, final)
}

function asReplay(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, [HEADERS.idempotent_replay]: 'true' } }
}

/** The answer kept under this key, or a refusal when the key was used for something else or is in use. */
function replay(
  pipe: Pipeline,
  call: Call,
  reached: Reached,
  key: IdempotencyScope,
  taken: KeyState,
  mine: Buffer,
): Answer {
  if (!taken.free || !taken.answer) throw new Problem('idempotency_in_progress')
  if (!taken.fingerprint?.equals(mine)) throw new Problem('idempotency_key_reused')
  return asReplay(answerOf(call, reached, JSON.parse(openAnswer(pipe.ports.vault, key, taken.answer))))
}

/**
 * The verb reads, and everything it leaves lands in one statement. Whether the key was used before is known only then,
 * so a refusal of the verb first makes sure that it is not the repetition of something that once went through.
 */
async function writeAtOnce(
  pipe: Pipeline,
  call: Call,
  reached: Reached,
  input: Input,
  key: IdempotencyScope,
  body: Uint8Array,
): Promise<Answer> {
  const { vault } = pipe.ports
  const fingerprint = fingerprintOf(placeOf(call, reached), body)
  const unit = pipe.transactor.begin(ownerOf(reached))
  try {
    const resource = await runVerb(pipe, call, contextsOf(pipe, call, reached, pipe.sql, unit), input)
    const answer = { status: call.operation.status, body: JSON.stringify(resource) }
    const taken = await unit.flushInOneStatement(pipe.sql, key, sealAnswer(vault, key, fingerprint, answer))
    if (!taken.free || taken.answer) return replay(pipe, call, reached, key, taken, fingerprint)
    pipe.transactor.committed(unit)
    return { ...answerOf(call, reached, resource), body: answer.body }
  } catch (error) {
    if (!(error instanceof Problem) || error.code.startsWith('idempotency_')) throw error
    const before = await findAnswer(pipe.sql, vault, key)
    if (!before) throw error
    if (!before.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused')
    return asReplay(answerOf(call, reached, JSON.parse(before.body)))
  }
}

function answerOf(call: Call, { admission }: Reached, resource: unknown): Answer {
  const { operation } = call
  const headers: Record<string, string> = {}
  if (isArtifact(operation.returns)) return artifactAnswer(resource as Artifact)
  const wait = operation.pollAfter?.(resource, admission.account?.mode ?? 'live')
  if (wait != null) headers[HEADERS.poll_after] = String(wait)
  return { status: operation.status, headers, body: operation.returns === null ? null : JSON.stringify(resource) }
}

/** A file. The name is ours, so it needs no quoting; the browser may show it in place. */
function artifactAnswer({ media_type, bytes, filename }: Artifact): Answer {
  const headers = {
    'Content-Type': media_type,
    'Content-Disposition': `inline; filename="${filename}"`,
    'X-Content-Type-Options': 'nosniff',
  }
  return { status: 200, headers, body: null, bytes }
}
