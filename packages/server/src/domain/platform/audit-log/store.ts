import type { ActorKind, AuditOutcome } from '../../../catalog/audit.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { nothing, part, type Sql } from '../../../kernel/db.ts'
import { idFloor } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'

export interface AuditRow {
  readonly id: string
  readonly mode: Mode | null
  readonly empresa_id: string | null
  readonly empresa_rut: string | null
  readonly action: string
  readonly outcome: AuditOutcome
  readonly code: string | null
  readonly actor_kind: ActorKind
  readonly actor_id: string | null
  readonly ip: string | null
  readonly request_id: string | null
  readonly subject: string | null
  readonly created_at: Date
}

export interface AuditFilter {
  readonly action?: string
  readonly actor_id?: string
  readonly outcome?: string
  readonly 'created_at[gte]'?: string
  readonly 'created_at[lte]'?: string
  /** Whether acts on the account itself, which have no mode, are among them. */
  readonly of_account: boolean
  /** RUTs the caller reaches, or null for all. */
  readonly reach: readonly string[] | null
}

/** An id is made some time after the act began, which is what is told: on a busy machine seconds later. */
const SLACK_MS = 60_000
const floorAt = (text: string, ms: number) => idFloor('audit_entry', new Date(Math.max(0, Date.parse(text) + ms)))

export async function listEntries(
  sql: Sql,
  { account_id, mode }: AccountScope,
  filter: AuditFilter,
  page: { readonly before: string | null; readonly take: number },
): Promise<AuditRow[]> {
  const { action, actor_id, outcome, reach } = filter
  const [from, to] = [filter['created_at[gte]'], filter['created_at[lte]']]
  return sql<AuditRow>`
    select id, mode, empresa_id, empresa_rut, action, outcome, code, actor_kind, actor_id, ip, request_id, subject, created_at
    from audit_entry where account_id = ${account_id}
      and (mode = ${mode} ${filter.of_account ? part`or mode is null` : nothing})
      ${reach === null ? nothing : part`and empresa_rut = any(${reach})`}
      ${action === undefined ? nothing : part`and action = ${action}`}
      ${actor_id === undefined ? nothing : part`and actor_id = ${actor_id}`}
      ${outcome === undefined ? nothing : part`and outcome = ${outcome}`}
      ${from === undefined ? nothing : part`and created_at >= ${from} and id >= ${floorAt(from, -SLACK_MS)}`}
      ${to === undefined ? nothing : part`and created_at <= ${to} and id < ${floorAt(to, SLACK_MS)}`}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}
