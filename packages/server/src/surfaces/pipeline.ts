import { HEADERS, SENT } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ClockSetting, nowOf, REAL_TIME } from '../kernel/clock.ts'
import type { AccountScope, Acting, BaseContext, EmpresaContext, NewEvent } from '../kernel/context.ts'
import { type Database, nothing, type Sql } from '../kernel/db.ts'
import {
  findAnswer,
  fingerprintOf,
  type IdempotencyScope,
  keepAnswer,
  lockQuestion,
  openAnswer,
  sealAnswer,
  settleUnder,
  UNSETTLED,
} from '../kernel/idempotency.ts'
import type { Memory } from '../kernel/memory.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { type Artifact, isArtifact } from '../kernel/schema.ts'
import { type FanOut, type Gathering, NOTHING_TO_GATHER, type Taken, Unit } from '../kernel/unit.ts'
import { holdGrant } from '../modules/agent-grant/hold.ts'
import { reachAnyEmpresa, reachEmpresa } from '../modules/empresa/scope.ts'
import type { Addresses } from '../ports/ports.ts'
import { type Gate, namedEmpresa } from './admit.ts'
import type { Admission, Call } from './call.ts'
import { parseInput, refusePath } from './parse.ts'
import { throttleEmail } from './throttle.ts'

export interface Pipeline extends Gate {
  readonly db: Database
  readonly addresses: Addresses
  /** Tells the workers that something was queued. */
  readonly announce: () => void
  readonly memory: Memory
  readonly fanOut: FanOut
  /** Refuses an empresa without a subscription, where its mode asks for one. */
  readonly paywall: (ctx: EmpresaContext) => Promise<void>
}

/** The scope a call ended up in, and everything a verb may know. */
interface Reached {
  readonly admission: Admission
  readonly empresa: { readonly empresa_id: string; readonly rut: string } | null
  readonly clock: ClockSetting
}

/** The rungs above admission: empresa, input, transaction, idempotency, the verb itself. A stranger learns nothing of the input's rules. */
export async function perform(pipe: Pipeline, call: Call, admission: Admission, body: Uint8Array): Promise<Answer> {
  refusePath(call)
  const reached = await reach(pipe, call, admission)
  const input = parseInput(call, body)
  await throttleEmail(pipe.limiter, call, input)
  const key = idempotencyScope(call, admission, reached)
  const outside = contextOf(pipe, call, reached, pipe.sql, NOTHING_TO_GATHER)
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

function contextOf(pipe: Pipeline, call: Call, reached: Reached, sql: Sql, unit: Gathering): BaseContext {
  const { admission, empresa, clock } = reached
  const { ports, addresses } = pipe
  const now = () => nowOf(clock)
  const own = empresa ? { id: empresa.empresa_id, rut: empresa.rut } : null
  const context = {
    request_id: call.request_id,
    ip: call.ip,
    sql,
    ports,
    addresses,
    clock,
    now,
    enqueue: unit.enqueue.bind(unit, sql),
    recall: pipe.memory.recall,
    invalidate: unit.invalidate.bind(unit),
    write: unit.write.bind(unit),
    emit: (event: NewEvent) => unit.emit(event.empresa === undefined ? { ...event, empresa: own } : event),
    actFor: (whose: AccountScope): Acting => ({
      sql,
      addresses,
      now,
      enqueue: unit.enqueue.bind(unit, sql),
      emit: (event) => unit.emit(event, whose),
    }),
    account: admission.account,
    caller: admission.caller,
    account_id: admission.session?.account_id,
    session_id: admission.session?.session_id,
    ...(empresa && { empresa }),
  }
  return context as unknown as BaseContext
}

/** After the commit there is no transaction; a verb that goes on opens its own, as a job does. */
function settlingContext(pipe: Pipeline, call: Call, reached: Reached): BaseContext {
  const transact = async <T>(work: (ctx: BaseContext) => Promise<T>): Promise<T> => {
    const own = unitOf(pipe, reached)
    const done = await pipe.db.transact(async (sql) => {
      const result = await work(contextOf(pipe, call, reached, sql, own))
      await own.flush(sql)
      return result
    })
    own.committed({ announce: pipe.announce, forget: pipe.memory.forget })
    return done
  }
  const context = { ...contextOf(pipe, call, reached, pipe.sql, NOTHING_TO_GATHER), transact }
  return context
}

function unitOf({ fanOut }: Pipeline, { admission, empresa, clock }: Reached): Unit {
  const account_id = admission.account?.account_id ?? admission.session?.account_id ?? null
  const mode = admission.account?.mode ?? null
  return new Unit({ account_id, mode, empresa_id: empresa?.empresa_id ?? null, clock }, fanOut)
}

/** The verb behind its paywall. Past the idempotency key: what was once answered is answered again, paid for or not. */
async function runVerb(pipe: Pipeline, call: Call, ctx: BaseContext, input: Record<string, unknown>): Promise<unknown> {
  if (call.operation.paywalled) await pipe.paywall(ctx as EmpresaContext)
  const resource = await call.operation.run(ctx, input)
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
  input: Record<string, unknown>,
  key: IdempotencyScope | null,
  body: Uint8Array,
): Promise<Answer> {
  const unit = unitOf(pipe, reached)
  const { settle, status } = call.operation
  const fingerprint = fingerprintOf(placeOf(call, reached), body)
  const { vault } = pipe.ports
  const work = async (sql: Sql, _client: unknown, opened: Record<string, unknown>): Promise<Written> => {
    if (key && !opened.free) throw new Problem('idempotency_in_progress')
    await holdGrant(sql, reached.admission.caller)
    const before = key && (await findAnswer(sql, vault, key))
    if (before && !before.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused')
    if (before) return { resource: JSON.parse(before.body), replayed: true, settled: before.status !== UNSETTLED }
    const resource = await runVerb(pipe, call, contextOf(pipe, call, reached, sql, unit), input)
    const answer = { status: settle ? UNSETTLED : status, body: JSON.stringify(resource) }
    const kept = key && keepAnswer(key, sealAnswer(vault, key, fingerprint, answer), nothing)
    await unit.flush(sql, kept ?? undefined)
    return { resource, replayed: false, settled: !settle }
  }
  const { resource, replayed, settled } = await pipe.db.transact(work, key ? lockQuestion(key) : undefined)
  if (!replayed) unit.committed({ announce: pipe.announce, forget: pipe.memory.forget })
  if (settled || !settle)
    return replayed ? asReplay(answerOf(call, reached, resource)) : answerOf(call, reached, resource)
  const goOn = () => settle(settlingContext(pipe, call, reached), resource)
  const final = key ? await settleUnder(pipe.sql, vault, key, { fingerprint, status }, goOn) : await goOn()
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
  taken: Taken,
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
  input: Record<string, unknown>,
  key: IdempotencyScope,
  body: Uint8Array,
): Promise<Answer> {
  const { vault } = pipe.ports
  const fingerprint = fingerprintOf(placeOf(call, reached), body)
  const unit = unitOf(pipe, reached)
  try {
    const resource = await runVerb(pipe, call, contextOf(pipe, call, reached, pipe.sql, unit), input)
    const answer = { status: call.operation.status, body: JSON.stringify(resource) }
    const taken = await unit.flushAtOnce(pipe.sql, key, sealAnswer(vault, key, fingerprint, answer))
    if (!taken.free || taken.answer) return replay(pipe, call, reached, key, taken, fingerprint)
    unit.committed({ announce: pipe.announce, forget: pipe.memory.forget })
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
