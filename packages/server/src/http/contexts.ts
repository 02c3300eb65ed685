import type { Acting, AfterCommitContexts, Contexts, Origin, Reach } from '../domain/context.ts'
import type { Reactions } from '../domain/reactions.ts'
import type { Cache } from '../kernel/cache.ts'
import { type ClockSetting, nowOf } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import { type NewEvent, NO_OUTBOX, type Outbox } from '../kernel/outbox.ts'
import type { Owner } from '../kernel/owner.ts'
import type { AccountScope, Caller, EmpresaScope } from '../kernel/scope.ts'
import type { Transactor } from '../kernel/transactor.ts'
import type { Addresses, Ports } from '../ports/ports.ts'
import { actorOf } from './audit.ts'
import type { Admission, Call } from './call.ts'

export interface ContextParts {
  readonly sql: Sql
  readonly ports: Ports
  readonly addresses: Addresses
  readonly cache: Cache
  readonly reactions: Reactions
  readonly transactor: Transactor
}

/** The account and empresa that a call works on, and the clock it goes by. */
export interface CallScope {
  readonly admission: Admission
  readonly empresa: EmpresaScope | null
  readonly clock: ClockSetting
}

export function ownerOf({ admission, empresa, clock }: CallScope): Owner {
  const account_id = admission.account?.account_id ?? admission.session?.account_id ?? null
  return { account_id, mode: admission.account?.mode ?? null, empresa_id: empresa?.empresa_id ?? null, clock }
}

/** A call is admitted to its reach before any context of that reach is made. */
function admitted<T>(known: T | null | undefined, what: string): T {
  if (known === null || known === undefined) throw new Error(`this call was not admitted to ${what}`)
  return known
}

/** One call as each reach sees it, over a transaction and its outbox. */
export function contextsOf(parts: ContextParts, call: Call, scope: CallScope, sql: Sql, outbox: Outbox): Contexts {
  const { admission, empresa, clock } = scope
  const { ports, addresses, cache, reactions } = parts
  const own = empresa && { id: empresa.empresa_id, rut: empresa.rut }
  const { account_id, mode } = ownerOf(scope)
  const base = {
    request_id: call.request_id,
    sql,
    ports,
    addresses,
    cache,
    reactions,
    now: () => nowOf(clock),
    enqueue: outbox.enqueue.bind(outbox, sql),
    invalidate: outbox.invalidate.bind(outbox),
    audit: (act, whose) => {
      const owner = { account_id: account_id ?? admission.concerns ?? null, mode, ...whose }
      outbox.audit({ ...owner, empresa: own, ...act, actor: actorOf(call, admission) })
    },
    write: outbox.write.bind(outbox),
  } satisfies Partial<ReturnType<Contexts['public']>>
  const emit = (event: NewEvent) =>
    outbox.emit(event.empresa === undefined ? Object.assign({}, event, { empresa: own }) : event)
  const actFor = (whose: AccountScope): Acting => ({
    sql,
    addresses,
    now: base.now,
    // A job goes by the account, the mode and the empresa of its row: without them it could work for nobody.
    enqueue: (job, request) => outbox.enqueue(sql, job, request, whose),
    emit: (event) => outbox.emit(event, whose),
  })
  const origin = (via: Origin['via']): Origin => ({
    via,
    ip: call.ip,
    user_agent: call.header('user-agent') ?? null,
  })
  const account = (): AccountScope => admitted(admission.account, 'an account')
  const caller = (): Caller => admitted(admission.caller, 'an account')
  return {
    public: () => ({
      ...base,
      ip: call.ip,
      concerns: (id) => {
        admission.concerns = id
      },
      actFor,
    }),
    session: () => ({ ...base, ...admitted(admission.session, 'a session'), actFor }),
    // Every request makes one of these two: in Node 20 a spread with more after it costs ten times as much, and so does its use.
    account: () =>
      Object.assign({}, base, { account: account(), caller: caller(), clock, origin: origin('api'), emit }),
    empresa: () =>
      Object.assign({}, base, {
        account: account(),
        caller: caller(),
        clock,
        origin: origin('api'),
        emit,
        empresa: admitted(empresa, 'an empresa'),
      }),
    operator: () => ({
      ...base,
      account: account(),
      origin: origin('operator'),
      emit,
      empresa: admitted(empresa, 'an empresa'),
    }),
    operator_account: () => ({ ...base, account_id: admitted(admission.concerns, 'an account') }),
    installation: () => base,
  }
}

/** After the commit there is no transaction; an act that goes on opens its own, as a job does. */
export function afterCommitContexts(parts: ContextParts, call: Call, scope: CallScope): AfterCommitContexts {
  const outside = contextsOf(parts, call, scope, parts.sql, NO_OUTBOX)
  const within = <R extends Reach>(reach: R) => ({
    ...outside[reach](),
    transact: <T>(work: (ctx: ReturnType<Contexts[R]>) => Promise<T>): Promise<T> =>
      parts.transactor.transact(ownerOf(scope), (sql, unit) =>
        work(contextsOf(parts, call, scope, sql, unit)[reach]() as ReturnType<Contexts[R]>),
      ),
  })
  return {
    public: () => within('public'),
    session: () => within('session'),
    account: () => within('account'),
    empresa: () => within('empresa'),
    operator: () => within('operator'),
    operator_account: () => within('operator_account'),
    installation: () => within('installation'),
  }
}
