import { EVENT_TYPES, eventMatches } from '../../../catalog/events.ts'
import { MODES, type Mode } from '../../../catalog/modes.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { type Fragment, joined, nothing, part, type Sql } from '../../../kernel/db.ts'
import { type EventData, openEventData } from '../../../kernel/event-data.ts'
import { idFloor } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { EventRow } from './show.ts'
import { inAccount, ofEmpresa, ofType } from './slices.ts'

/** An event with its place in the ledger. */
export interface LedgerRow extends EventRow {
  readonly position: number
  readonly seq: number
}

export interface EventFilter {
  /** A type, a family of them, or `*`. */
  readonly type?: string
  readonly empresa_rut?: string
  readonly 'created_at[gte]'?: string
  readonly 'created_at[lte]'?: string
  /** RUTs the caller reaches, or null for all. */
  readonly reach: readonly string[] | null
}

export type Place = readonly [position: number, seq: number]

const COLUMNS = part`id, mode, empresa_id, empresa_rut, type, created_at, data::text as data, packed, base_id, position, seq`

type StoredEvent = Omit<LedgerRow, 'data'> & EventData

async function opened(sql: Sql, rows: readonly StoredEvent[]): Promise<LedgerRow[]> {
  const texts = await openEventData(sql, rows)
  return rows.map((row, i) => ({ ...row, data: JSON.parse(texts[i] as string) }))
}

/** Twelve months of real time, counted on the id: it says when the event was recorded, whatever a test clock said. */
function oldest(): string {
  const at = new Date(systemNow())
  at.setUTCMonth(at.getUTCMonth() - RETENTION.event_months)
  return idFloor('event', at)
}

/**
 * Bounds on ids that follow from a filter on `created_at`, so that partitions of other months are pruned. There are none
 * where there is a test clock: one that was moved is ahead of the time in an id, one that stands still falls behind it.
 */
function idBounds(mode: Mode, from: string | undefined, to: string | undefined): Fragment {
  if (MODES[mode].has_test_clock) return nothing
  const floor = (text: string, ms: number) => idFloor('event', new Date(Math.max(0, Date.parse(text) + ms)))
  return part`
    ${to === undefined ? nothing : part`and id < ${floor(to, 1_000)}`}
    ${from === undefined ? nothing : part`and id >= ${floor(from, -LONGEST_MS)}`}`
}

const LONGEST_MS = 300_000

/**
 * Limits callers who reach only some empresas to the events of those, and of the account itself (a key, a grant, an
 * endpoint) to the events whose object reaches no further than they do.
 */
function reachable(reach: readonly string[]): Fragment {
  const own = part`(data #> '{object,empresas}')::jsonb <@ ${JSON.stringify(reach)}::jsonb`
  return part`(empresa_rut = any(${reach}) or (empresa_rut is null and ${own}))`
}

function within(scope: AccountScope, filter: EventFilter): Fragment {
  const { reach } = filter
  const from = filter['created_at[gte]']
  const to = filter['created_at[lte]']
  return part`account_id = ${scope.account_id} and mode = ${scope.mode} and id >= ${oldest()}
    ${reach === null ? nothing : part`and ${reachable(reach)}`}
    ${from === undefined ? nothing : part`and created_at >= ${from}`}
    ${to === undefined ? nothing : part`and created_at <= ${to}`}
    ${idBounds(scope.mode, from, to)}`
}

const FEW = 20

/**
 * The slices of the ledger that match a filter: each an equality that an index serves in order, so that a
 * rare type, or one empresa among thousands, is not searched for among everybody's millions.
 */
function slices(scope: AccountScope, { type, empresa_rut, reach }: EventFilter): Fragment[] {
  const types = type === undefined || type === '*' ? null : EVENT_TYPES.filter((known) => eventMatches(type, known))
  if (empresa_rut !== undefined) {
    return [part`${ofEmpresa(scope, empresa_rut)} ${types === null ? nothing : part`and type = any(${types})`}`]
  }
  if (types) return types.map((one) => ofType(scope, one))
  if (reach === null || reach.length > FEW) return [inAccount(scope)]
  return [part`empresa_rut is null`, ...reach.map((rut) => ofEmpresa(scope, rut))]
}

/** The first rows of several slices, merged. */
async function merge(
  sql: Sql,
  scope: AccountScope,
  filter: EventFilter,
  order: { readonly beyond: Fragment; readonly by: Fragment; readonly take: number },
): Promise<LedgerRow[]> {
  const { beyond, by, take } = order
  const found = slices(scope, filter).map(
    (slice) => part`(select ${COLUMNS} from event where ${within(scope, filter)} and ${slice} ${beyond}
      order by ${by} limit ${take})`,
  )
  return opened(
    sql,
    await sql<StoredEvent>`select * from (${joined(found, ' union all ')}) e order by ${by} limit ${take}`,
  )
}

/** Newest first, strictly older than a place. */
export async function eventsBefore(
  sql: Sql,
  scope: AccountScope,
  filter: EventFilter,
  place: Place | null,
  take: number,
) {
  const beyond = place === null ? nothing : part`and (position, seq) < (${place[0]}, ${place[1]})`
  return merge(sql, scope, filter, { beyond, by: part`position desc, seq desc`, take })
}

/**
 * Oldest first, strictly newer than a place, and only what no running transaction can still slip in front of. The horizon is a
 * query of its own: as a plain call it is worked out anew for each month of the ledger, and again by the planner.
 */
export async function eventsAfter(sql: Sql, scope: AccountScope, filter: EventFilter, place: Place, take: number) {
  const beyond = part`and (position, seq) > (${place[0]}, ${place[1]}) and position < (select ledger_horizon())`
  return merge(sql, scope, filter, { beyond, by: part`position, seq`, take })
}

export async function findEvent(sql: Sql, scope: AccountScope, reach: readonly string[] | null, id: string) {
  const rows = await sql<StoredEvent>`select ${COLUMNS} from event where ${within(scope, { reach })} and id = ${id}`
  const [row] = await opened(sql, rows)
  return row ?? null
}
