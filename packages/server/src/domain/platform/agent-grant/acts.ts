import { NO_TRIES } from '../../../catalog/audit.ts'
import type { Sql } from '../../../kernel/db.ts'
import { isId } from '../../../kernel/id.ts'
import type { Problem } from '../../../kernel/problem.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { AccountContext } from '../../context.ts'
import { type AgentActRow, insertAct, insertRefusal, listActRows, type NewAct } from './acts-store.ts'

/** Operations that an agent may call and that leave everything as it is, although they are no GET. */
export const LOOKING: ReadonlySet<string> = new Set([
  'documents.cesion',
  'documents.previews.create',
  'tax.statements.preview',
])

/** Whether a call of an agent is an act that its person is told of. */
export const isAct = ({ id, method }: { readonly id: string; readonly method: string }) =>
  method !== 'GET' && !LOOKING.has(id)

const pesosOrNull = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null)

interface Answered {
  readonly object?: unknown
  readonly id?: unknown
  readonly amount?: unknown
  readonly total?: unknown
  readonly totals?: { readonly total?: unknown }
}

/** What was acted upon, and for how much: a document that was made comes before the one it was made of. */
function factsOf(subject: string | null, resource: unknown): Pick<NewAct, 'subject' | 'amount'> {
  const { object, id, amount, total, totals } = (resource ?? {}) as Answered
  const made = object === 'document' && typeof id === 'string' ? id : subject
  const pesos = object === 'f29_filing' ? total : (totals?.total ?? amount)
  return { subject: made, amount: pesosOrNull(pesos) }
}

export interface ActOf {
  readonly operation: { readonly id: string; readonly method: string }
  readonly empresa_rut: string | null
  readonly subject: string | null
}

/** Writes down what an agent did, in the transaction that did it. */
export async function recordAct(
  ctx: Pick<AccountContext, 'sql' | 'account' | 'caller' | 'now'>,
  { operation, empresa_rut, subject }: ActOf,
  resource: unknown,
): Promise<void> {
  const { account, caller } = ctx
  if (caller.kind !== 'agent' || !isAct(operation)) return
  await insertAct(ctx.sql, {
    ...account,
    ...factsOf(subject, resource),
    grant_id: caller.credential_id,
    empresa_rut,
    operation: operation.id,
    outcome: 'done',
    code: null,
    exceeded: null,
    created_at: ctx.now(),
  })
}

/** Writes down what an agent was refused, in a transaction of its own: the one of the call was undone. */
export async function recordRefusedAct(
  { sql, account, grant_id, at }: { sql: Sql; account: AccountScope; grant_id: string; at: Date },
  { operation, empresa_rut, subject }: ActOf,
  { code, facts }: Pick<Problem, 'code' | 'facts'>,
): Promise<void> {
  const { limit, asked } = (facts.details ?? {}) as { readonly limit?: unknown; readonly asked?: unknown }
  const exceeded = code === 'agent_limit_exceeded' && typeof limit === 'string' ? limit : null
  await insertRefusal(sql, {
    ...account,
    grant_id,
    empresa_rut,
    operation: operation.id,
    outcome: 'refused',
    code,
    exceeded,
    subject,
    amount: exceeded?.startsWith('max_clp') ? pesosOrNull(asked) : null,
    created_at: at,
  })
}

export const isTriedAct = (operation: ActOf['operation'], code: string) => isAct(operation) && !NO_TRIES.has(code)

const SHOWN = 20

export interface ActsPage {
  readonly acts: readonly AgentActRow[]
  /** The last one shown, where there are more before it. */
  readonly next: string | null
}

/** The newest acts of a grant, or those before one that was shown. */
export async function listActs(
  sql: Sql,
  account: AccountScope,
  grant_id: string,
  before: string | null = null,
): Promise<ActsPage> {
  const from = before !== null && isId('agent_act', before) ? before : null
  const rows = await listActRows(sql, account, grant_id, { before: from, take: SHOWN + 1 })
  const acts = rows.slice(0, SHOWN)
  return { acts, next: rows.length > SHOWN ? (acts.at(-1)?.id ?? null) : null }
}
