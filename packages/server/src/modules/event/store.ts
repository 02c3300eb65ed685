import { RETENTION } from '../../catalog/retention.ts'
import { systemNow } from '../../kernel/clock.ts'
import type { AccountScope } from '../../kernel/context.ts'
import { type Fragment, nothing, part, type Sql } from '../../kernel/db.ts'
import { idFloor } from '../../kernel/id.ts'
import type { EventRow } from './show.ts'

/** An event with its place in the ledger. */
export interface LedgerRow extends EventRow {
  readonly position: number
  readonly seq: number
}

export interface EventFilter {
  readonly type?: string
  readonly empresa_rut?: string
  readonly 'created_at[gte]'?: string
  readonly 'created_at[lte]'?: string
  /** RUTs the caller reaches, or null for all. */
  readonly reach: readonly string[] | null
}

export type Place = readonly [position: number, seq: number]

const COLUMNS = part`id, mode, empresa_id, empresa_rut, type, created_at, data, position, seq`

/** Twelve months of real time, counted on the id: it says when the event was recorded, whatever a test clock said. */
function oldest(): string {
  const at = new Date(systemNow())
  at.setUTCMonth(at.getUTCMonth() - RETENTION.event_months)
  return idFloor('event', at)
}

function within(scope: AccountScope, filter: EventFilter): Fragment {
  const { type, empresa_rut, reach } = filter
  const from = filter['created_at[gte]']
  const to = filter['created_at[lte]']
  return part`account_id = ${scope.account_id} and mode = ${scope.mode} and id >= ${oldest()}
    ${reach === null ? nothing : part`and (empresa_rut is null or empresa_rut = any(${reach}))`}
    ${type === undefined ? nothing : part`and type = ${type}`}
    ${empresa_rut === undefined ? nothing : part`and empresa_rut = ${empresa_rut}`}
    ${from === undefined ? nothing : part`and created_at >= ${from}`}
    ${to === undefined ? nothing : part`and created_at <= ${to}`}`
}

/** Newest first, strictly older than a place. */
export async function eventsBefore(
  sql: Sql,
  scope: AccountScope,
  filter: EventFilter,
  place: Place | null,
  take: number,
) {
  return sql<LedgerRow>`
    select ${COLUMNS} from event where ${within(scope, filter)}
      ${place === null ? nothing : part`and (position, seq) < (${place[0]}, ${place[1]})`}
    order by position desc, seq desc limit ${take}`
}

/** Oldest first, strictly newer than a place, and only what no running transaction can still slip in front of. */
export async function eventsAfter(sql: Sql, scope: AccountScope, filter: EventFilter, place: Place, take: number) {
  return sql<LedgerRow>`
    select ${COLUMNS} from event where ${within(scope, filter)}
      and (position, seq) > (${place[0]}, ${place[1]}) and position < ledger_horizon()
    order by position, seq limit ${take}`
}

export async function findEvent(sql: Sql, scope: AccountScope, reach: readonly string[] | null, id: string) {
  const [row] = await sql<LedgerRow>`select ${COLUMNS} from event where ${within(scope, { reach })} and id = ${id}`
  return row ?? null
}
