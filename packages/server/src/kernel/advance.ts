import { type Fragment, name, nothing, type Sql } from './db.ts'
import type { Machine, Transition, TriggerOf } from './machine.ts'
import type { AccountScope } from './scope.ts'

/** A row was not in the state it was thought to be in: someone else moved it first. */
class WrongState extends Error {
  constructor(machine: Machine, trigger: string, id: string) {
    super(`${machine.object} ${id} cannot take ${trigger} from its present ${machine.column}`)
    this.name = 'WrongState'
  }
}

export interface Advanced<Row> {
  readonly before: string | null
  readonly transition: Transition
  readonly row: Row
}

/**
 * The only code that writes a status column. The update names the states the table allows, so a
 * transition that is not in the table, or that lost a race, changes nothing and is refused.
 * The caller emits `transition.event` with the row that comes back, in the same transaction.
 */
export async function advance<Row, M extends Machine>(
  sql: Sql,
  machine: M,
  scope: AccountScope,
  id: string,
  trigger: TriggerOf<M>,
): Promise<Advanced<Row>> {
  const transitions = machine.rows.filter((row) => row.on === trigger)
  const table = name(machine.table)
  const column = name(machine.column)
  const [current] = await sql<{ before: string | null }>`
    select ${column} as before from ${table} where account_id = ${scope.account_id} and id = ${id}
    for no key update`
  const transition = transitions.find((row) => row.from === (current?.before ?? null))
  if (!current || !transition) throw new WrongState(machine, trigger, id)
  const [row] = await sql<Row>`
    update ${table} set ${column} = ${transition.to} where account_id = ${scope.account_id} and id = ${id} returning *`
  return { before: current.before, transition, row: row as Row }
}

/**
 * The same for many rows at once. `set` writes beside the status (`, track_id = …`). Rows that are not in a state the
 * table allows are left alone and do not come back.
 */
export async function advanceMany<Row, M extends Machine>(
  sql: Sql,
  machine: M,
  scope: AccountScope,
  ids: readonly string[],
  trigger: TriggerOf<M>,
  set: Fragment = nothing,
): Promise<{ readonly before: string; readonly row: Row }[]> {
  const transitions = machine.rows.filter((row) => row.on === trigger && row.from !== null)
  const table = name(machine.table)
  const column = name(machine.column)
  const advanced = await sql<{ readonly status_before: string }>`
    with held as (
      select t.id, t.${column} as before from ${table} t
      where t.account_id = ${scope.account_id} and t.id = any(${ids}::text[]) order by t.id for no key update
    ), moved as (
      select h.id, h.before, m.after from held h
      join unnest(${transitions.map(({ from }) => from)}::text[], ${transitions.map(({ to }) => to)}::text[])
        as m (before, after) on m.before = h.before
    )
    update ${table} t set ${column} = moved.after ${set} from moved
    where t.account_id = ${scope.account_id} and t.id = moved.id
    returning t.*, moved.before as status_before`
  return advanced.map(({ status_before, ...row }) => ({ before: status_before, row: row as Row }))
}
