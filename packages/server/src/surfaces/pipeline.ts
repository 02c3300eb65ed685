import { HEADERS, SENT } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ClockSetting, nowOf, REAL_TIME } from '../kernel/clock.ts'
import type { AccountScope, Acting, BaseContext, NewEvent } from '../kernel/context.ts'
import type { Database, Sql } from '../kernel/db.ts'
import { findAnswer, fingerprintOf, type IdempotencyScope, keepAnswer, lockQuestion } from '../kernel/idempotency.ts'
import type { Memory } from '../kernel/memory.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { type Gathering, NOTHING_TO_GATHER, Unit } from '../kernel/unit.ts'
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
  return write(pipe, call, reached, { ...input, ...found }, key, body)
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
  const found = await reachEmpresa(pipe.sql, admission.account, admission.caller, named)
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
    emit: (event: NewEvent) => unit.emit(event.empresa === undefined ? { ...event, empresa: own } : event),
    actFor: (whose: AccountScope): Acting => ({
      sql,
      addresses,
      now,
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
    const own = unitOf(reached)
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

function unitOf({ admission, empresa, clock }: Reached): Unit {
  const account_id = admission.account?.account_id ?? admission.session?.account_id ?? null
  return new Unit({ account_id, mode: admission.account?.mode ?? null, empresa_id: empresa?.empresa_id ?? null, clock })
}

interface Written {
  readonly resource: unknown
  readonly replayed: boolean
}

async function write(
  pipe: Pipeline,
  call: Call,
  reached: Reached,
  input: Record<string, unknown>,
  key: IdempotencyScope | null,
  body: Uint8Array,
): Promise<Answer> {
  const unit = unitOf(reached)
  const { run, settle, status } = call.operation
  const fingerprint = fingerprintOf(`${call.operation.method} ${call.path}`, body)
  const { vault } = pipe.ports
  const work = async (sql: Sql, _client: unknown, opened: Record<string, unknown>): Promise<Written> => {
    if (key && !opened.free) throw new Problem('idempotency_in_progress')
    const before = key && (await findAnswer(sql, vault, key))
    if (before && !before.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused')
    if (before) return { resource: JSON.parse(before.body), replayed: true }
    const resource = await run(contextOf(pipe, call, reached, sql, unit), input)
    const answer = { status, body: JSON.stringify(resource) }
    await unit.flush(sql, key ? keepAnswer(vault, key, fingerprint, answer) : undefined)
    return { resource, replayed: false }
  }
  const { resource, replayed } = await pipe.db.transact(work, key ? lockQuestion(key) : undefined)
  if (!replayed) unit.committed({ announce: pipe.announce, forget: pipe.memory.forget })
  const final = settle ? await settle(settlingContext(pipe, call, reached), resource) : resource
  const answer = answerOf(call, reached, final)
  return replayed ? { ...answer, headers: { ...answer.headers, [HEADERS.idempotent_replay]: 'true' } } : answer
}

function answerOf(call: Call, { admission }: Reached, resource: unknown): Answer {
  const { operation } = call
  const headers: Record<string, string> = {}
  const wait = operation.pollAfter?.(resource, admission.account?.mode ?? 'live')
  if (wait != null) headers[HEADERS.poll_after] = String(wait)
  return { status: operation.status, headers, body: operation.returns === null ? null : JSON.stringify(resource) }
}
