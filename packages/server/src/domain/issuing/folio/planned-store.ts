import { listed, part, type Sql } from '../../../kernel/db.ts'
import { type AnswerMany, inStep } from '../../../kernel/in-step.ts'
import type { RowCheck, RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { EACH, ownedBy, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import type { CafRow, MovedRange } from './show.ts'
import { COLUMNS, emittingAmbiente, unspentOf } from './store.ts'
import { countUses, readLine } from './use-store.ts'

/** The ranges that a draw would use, in their order, with the runway line of the day where it is known. */
export function readChain(sql: Sql, scope: EmpresaScope, tipo_dte: number, on: string): Promise<ReadRange[]> {
  return inStep(sql, readChains, { scope, tipo_dte, on })
}

type ReadRange = CafRow & { readonly runway_line: number | null }

const readChains: AnswerMany<{ scope: EmpresaScope; tipo_dte: number; on: string }, ReadRange[]> = async (
  sql,
  asked,
) => {
  const rows = await sql<ReadRange & { readonly place: number }>`
    select w.place, c.* from (select ${tenantsOf(asked.map(({ scope }) => scope))},
      ${listed.text(asked.map(({ scope }) => emittingAmbiente(scope)))} as ambiente,
      ${listed.smallint(asked.map(({ tipo_dte }) => tipo_dte))} as tipo_dte,
      ${listed.date(asked.map(({ on }) => on))} as day, ${listed.integer(asked.map((_, i) => i))} as place) w, lateral (
        select ${COLUMNS}, (${readLine(EACH, part`w.tipo_dte`, part`w.day`)}) as runway_line
        from caf where ${unspentOf(EACH, part`w.ambiente`, part`w.tipo_dte`)}
          and (expires_on is null or expires_on >= w.day) offset 0) c
    order by w.place, c.from_folio`
  return asked.map((_, i) => rows.filter(({ place }) => place === i))
}

/** Ranges with whose they are. */
export function rangesOf(
  { account_id, empresa_id, mode }: Tenant,
  moved: readonly MovedRange[],
): (MovedRange & Tenant)[] {
  return moved.map(({ id, was, next_folio }) => ({ account_id, empresa_id, mode, id, was, next_folio }))
}

/** Whether ranges can be drawn from where they stood. */
export const chainsUnmoved: RowCheck<MovedRange & Tenant> = (moved, unless_free) =>
  part`select count(*) = ${moved.length} from (
    select from (select ${tenantsOf(moved)}, ${listed.text(moved.map(({ id }) => id))} as id,
      ${listed.bigint(moved.map(({ was }) => was))} as was) w join caf c on c.id = w.id
    where ${ownedBy(EACH, 'c')} and c.next_folio = w.was and c.status = 'active'
    order by c.empresa_id, c.from_folio for no key update of c ${unless_free}) as_read`

/** A draw that was planned, and of which day. */
export interface PlannedRecord {
  readonly scope: EmpresaScope
  readonly moved: readonly MovedRange[]
  readonly tipo_dte: number
  readonly on: string
  readonly used: number
}

/** Records draws that were planned on ranges that have not moved since. */
export const plannedDraws: RowWriter<PlannedRecord> = (draws, when) => {
  const ranges = draws.flatMap(({ scope, moved }) => rangesOf(scope, moved))
  return [
    part`drawn as (
      update caf c set next_folio = w.next_folio
      from (select ${tenantsOf(ranges)}, ${listed.text(ranges.map(({ id }) => id))} as id,
        ${listed.bigint(ranges.map(({ next_folio }) => next_folio))} as next_folio) w,
        (select from (select) s ${when}) go
      where ${ownedBy(EACH, 'c')} and c.id = w.id)`,
    part`used as (${countUses(draws, when)})`,
  ]
}
