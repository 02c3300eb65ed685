import type { Static, TObject, TSchema } from 'typebox'
import type { AccountErrorCode } from '../catalog/account-errors.ts'
import type { ErrorCode } from '../catalog/errors.ts'
import type { LastingAct, LastingObject } from '../catalog/lasting.ts'
import { type BucketName, CEILINGS } from '../catalog/limits.ts'
import { ADMINISTERING, type Scope } from '../catalog/scopes.ts'
import { carriesSecret } from '../kernel/schema.ts'
import type { SiiWeather } from '../ports/sii-weather.ts'
import { type Tooling, toolingOf } from './agent-tool.ts'
import type { AfterCommit, AfterCommitContexts, Contexts, Reach, Reaches } from './context.ts'

type Merged<P, Q, B> = (P extends TSchema ? Static<P> : unknown) &
  (Q extends TSchema ? Static<Q> : unknown) &
  (B extends TSchema ? Static<B> : unknown)

/** What stays when whoever asked for it is gone. */
export interface Leaves<Context, Given, Answered> {
  readonly object: LastingObject
  /** Default by the method: a POST creates, a PATCH changes, a DELETE deletes. */
  readonly act?: LastingAct
  /** Its id, where that is not what the path names last or what the call made. */
  readonly id?: (answer: Answered) => string
  /** What a person knows it by, asked after the verb, but before a DELETE. Default: the name of its empresa. */
  readonly named?: (ctx: Context, input: Given, answer: Answered) => Promise<string | null> | string | null
}

const ACTS = { GET: 'changed', POST: 'created', PATCH: 'changed', DELETE: 'deleted' } as const

export interface Definition<R extends Reach, P, Q, B, Out extends TSchema | null, X extends object> {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly reach: R
  readonly scope?: Scope
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** The resource of a success; null for 204. */
  readonly returns: Out
  readonly status?: number
  readonly errors?: readonly ErrorCode[]
  /** The same for /account, whose codes are its own. */
  readonly account_errors?: readonly AccountErrorCode[]
  /** A bucket of its own beside the general one. */
  readonly limit?: BucketName
  /** `required`: without an Idempotency-Key it is refused. Every POST takes one unless this is false. */
  readonly idempotent?: 'required' | false
  /**
   * Makes, changes or ends what goes on by itself, or ends something for good, and is not the daily work that a rolled-out
   * secret is left for. Such a secret is refused, and nothing is made behind a recovery of the account. Default: `lasts`.
   */
  readonly lasting?: boolean
  /** It is recorded by whom: who takes the account back, and who let an agent in, is told. An agent does it in two steps. */
  readonly leaves?: Leaves<Reaches[R], Merged<P, Q, B>, Out extends TSchema ? Static<Out> : null>
  /** The refusal when the secret of the caller is rolled out while the call is on its way. Default: that it was. */
  readonly raced?: ErrorCode
  /** Whether an answer kept under an Idempotency-Key may still be given. Default: as long as it is kept. */
  readonly replayable?: (ctx: Reaches[R], resource: Out extends TSchema ? Static<Out> : never) => Promise<boolean>
  /** A key that is not root is refused as such, before its scopes are looked at. */
  readonly root_only?: boolean
  /** Exists in test mode only. */
  readonly test_only?: boolean
  /** Refused without a subscription where the mode has a paywall. */
  readonly paywalled?: boolean
  /**
   * Reads first, without a transaction, and gathers its rows with `ctx.write`: everything lands in one statement with
   * the idempotent answer. For the busiest writes; needs an Idempotency-Key.
   */
  readonly one_statement?: boolean
  /** Asked many times a second, of few rows found by a key, whatever the values: planned once (`Database.steady`). Of a list, where it is so. */
  readonly steady?: boolean | SteadyWhere
  /** The largest body it takes, where that is not the usual one: a file, a document of a thousand lines. */
  readonly body_bytes?: number
  /** Takes its body as multipart/form-data too: a part that is a file is its field in base64. */
  readonly takes_form?: boolean
  /** The most values (of lists, of objects) that its body may hold, where a list of it is long. */
  readonly body_values?: number
  /** Works on an archived or suspended empresa too. Reads always do. */
  readonly allows_inactive?: boolean
  /** The SII is asked in the name of the empresa: a certificate that has ended is refused. */
  readonly needs_certificate?: boolean
  /** Deletes its empresa: it waits for whatever works on it, and keeps the rest away until it is done. */
  readonly deletes_empresa?: boolean
  readonly pollAfter?: (
    resource: Out extends TSchema ? Static<Out> : never,
    mode: string,
    weather: Pick<SiiWeather, 'pace'>,
  ) => number | null
  /** Finishes after the commit, outside any transaction, and gives the final answer. */
  readonly afterCommit?: (
    ctx: AfterCommit<Reaches[R]>,
    resource: Out extends TSchema ? Static<Out> : never,
  ) => Promise<unknown>
  /** How sessions call it under /dashboard: not at all, or with a narrower body. */
  readonly dashboard?: false | { readonly body: TObject }
  readonly mcp?: Tooling<Out extends TSchema ? Static<Out> : null>
  /** Every call of it, refused or not, is a row of the audit log: what opens the service, or stands in custody. */
  readonly audited?: boolean
  /** When it goes away: the Sunset header of every answer. */
  readonly sunset?: string
  /** The message of a success on /account. */
  readonly said?: string
  /** Slow work before the transaction opens, such as hashing a password; what it finds joins the input. It writes nothing. */
  readonly prepare?: (ctx: Reaches[R], input: Merged<P, Q, B>) => Promise<X>
  readonly run: (ctx: Reaches[R], input: Merged<P, Q, B> & X) => Promise<Out extends TSchema ? Static<Out> : null>
}

/** By the query as it was sent, before its schema was looked at. */
export type SteadyWhere = (query: Readonly<Record<string, unknown>>) => boolean

const steadyWhere = (steady: boolean | SteadyWhere): SteadyWhere =>
  typeof steady === 'boolean' ? () => steady : steady

/** A request as the schemas of its operation parsed it. */
export type Input = Readonly<Record<string, unknown>>

/** An operation once its types were checked: the table holds these, whatever they take and give. */
export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly api: 'v1' | 'bootstrap'
  readonly reach: Reach
  readonly scope: Scope | undefined
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly body: TObject | undefined
  readonly returns: TSchema | null
  readonly status: number
  readonly errors: readonly ErrorCode[]
  readonly account_errors: readonly AccountErrorCode[]
  readonly limit: BucketName | undefined
  readonly idempotent: 'required' | 'optional' | false
  /** Its answer carries a secret: it is replayed to the very credential that asked. */
  readonly reveals_secret: boolean
  readonly lasting: boolean
  readonly leaves:
    | {
        readonly object: LastingObject
        readonly act: LastingAct
        readonly id: ((answer: unknown) => string) | undefined
        readonly named: (contexts: Contexts, input: Input, answer: unknown) => Promise<string | null>
      }
    | undefined
  readonly raced: ErrorCode | undefined
  readonly replayable: ((contexts: Contexts, resource: unknown) => Promise<boolean>) | undefined
  readonly root_only: boolean
  readonly test_only: boolean
  readonly paywalled: boolean
  readonly one_statement: boolean
  readonly steady: SteadyWhere
  readonly body_bytes: number
  readonly takes_form: boolean
  readonly body_values: number
  readonly allows_inactive: boolean
  readonly needs_certificate: boolean
  readonly deletes_empresa: boolean
  readonly pollAfter:
    | ((resource: unknown, mode: string, weather: Pick<SiiWeather, 'pace'>) => number | null)
    | undefined
  readonly afterCommit: ((contexts: AfterCommitContexts, resource: unknown) => Promise<unknown>) | undefined
  readonly dashboard: boolean
  readonly dashboardBody: TObject | undefined
  readonly mcp: Tooling
  readonly audited: boolean
  readonly sunset: string | undefined
  readonly said: string | undefined
  readonly prepare: ((contexts: Contexts, input: Input) => Promise<object>) | undefined
  readonly run: (contexts: Contexts, input: Input) => Promise<unknown>
}

/**
 * Whether a write is `lasting` where its definition does not say. It is when it tells a secret, when it deletes, and when
 * its scope sets the account up. The rest is daily work, which a program must be able to do until it has the new secret.
 */
function lasts(
  { method, scope }: { readonly method: string; readonly scope?: Scope },
  reveals_secret: boolean,
): boolean {
  return reveals_secret || method === 'DELETE' || (scope !== undefined && ADMINISTERING.includes(scope))
}

/** Checks the types of one operation, fills in what follows from them, then forgets them. */
export function defineOperation<
  R extends Reach,
  Out extends TSchema | null,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
  X extends object = object,
>(definition: Definition<R, P, Q, B, Out, X>): Operation {
  const { method, reach, path, dashboard, idempotent, prepare, afterCommit, pollAfter, replayable, leaves } = definition
  const by_credential = reach === 'account' || reach === 'empresa'
  const reveals_secret = carriesSecret(definition.returns)
  // Here the types end: what reaches a verb from the wire was checked by its schemas, and what an answer is read by was
  // made by the verb.
  type Answered = Out extends TSchema ? Static<Out> : never
  type Named = Out extends TSchema ? Static<Out> : null
  const given = (input: Input) => input as Merged<P, Q, B> & X
  return {
    id: definition.id,
    method,
    path,
    summary: definition.summary,
    description: definition.description,
    api: path.startsWith('/account/') ? 'bootstrap' : 'v1',
    reach,
    scope: definition.scope,
    params: definition.params,
    query: definition.query,
    body: definition.body,
    returns: definition.returns,
    status: definition.status ?? (definition.returns === null ? 204 : 200),
    errors: definition.errors ?? [],
    account_errors: definition.account_errors ?? [],
    limit: definition.limit,
    idempotent: method === 'POST' && by_credential ? (idempotent ?? 'optional') : false,
    reveals_secret,
    lasting: definition.lasting ?? (by_credential && method !== 'GET' && lasts(definition, reveals_secret)),
    leaves: leaves && {
      object: leaves.object,
      act: leaves.act ?? ACTS[method],
      id: leaves.id && ((answer) => leaves.id?.(answer as Named) ?? ''),
      named: async (contexts, input, answer) =>
        (await leaves.named?.(contexts[reach](), given(input), answer as Named)) ?? null,
    },
    raced: definition.raced,
    replayable: replayable && ((contexts, resource) => replayable(contexts[reach](), resource as Answered)),
    root_only: definition.root_only ?? false,
    test_only: definition.test_only ?? false,
    paywalled: definition.paywalled ?? false,
    one_statement: definition.one_statement ?? false,
    steady: steadyWhere(definition.steady ?? definition.one_statement ?? false),
    body_bytes: definition.body_bytes ?? CEILINGS.json_body_bytes,
    takes_form: definition.takes_form ?? false,
    body_values: definition.body_values ?? CEILINGS.json_values,
    allows_inactive: definition.allows_inactive ?? method === 'GET',
    needs_certificate: definition.needs_certificate ?? false,
    deletes_empresa: definition.deletes_empresa ?? false,
    pollAfter: pollAfter && ((resource, mode, weather) => pollAfter(resource as Answered, mode, weather)),
    afterCommit: afterCommit && ((contexts, resource) => afterCommit(contexts[reach](), resource as Answered)),
    dashboard: dashboard !== false && by_credential,
    dashboardBody: typeof dashboard === 'object' ? dashboard.body : undefined,
    mcp: toolingOf(reach, definition.mcp as Tooling | undefined),
    audited: definition.audited ?? false,
    sunset: definition.sunset,
    said: definition.said,
    prepare: prepare && ((contexts, input) => prepare(contexts[reach](), given(input))),
    run: (contexts, input) => definition.run(contexts[reach](), given(input)),
  }
}

/** Whether the path itself names the empresa, so that no header is needed to select one. */
export function namesEmpresa(operation: Operation): boolean {
  return operation.path.includes('{empresa_id}')
}
