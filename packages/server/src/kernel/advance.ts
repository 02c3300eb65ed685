import { type Fragment, joined, listed, name, nothing, part, type Sql } from './db.ts'
import type { Machine, Transition, TriggerOf } from './machine.ts'
import type { RowCheck, RowWriter } from './rows.ts'
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

/** A row as it was read, told by the transaction that wrote it last (`xmin::text`). */
export interface Version {
  readonly id: string
  readonly version: string
}

/** The same with whose it is. */
export interface ReadRow extends Version {
  readonly account_id: string
}

/** A machine whose rows are cut by time, and the table that holds those with some ids. */
export interface CutMachine<M extends Machine> {
  readonly machine: M
  readonly tableOf: (ids: readonly string[]) => Fragment
}

/** Whether rows are as they were read. */
export function unchangedRows({ tableOf }: CutMachine<Machine>): RowCheck<ReadRow> {
  return (unordered, unless_free) => {
    // Locked in the order of their ids, as everywhere.
    const rows = unordered.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return part`select count(*) = ${rows.length} from (select ${listed.text(rows.map(({ id }) => id))} as id,
      ${listed.text(rows.map(({ version }) => version))} as version,
      ${listed.text(rows.map(({ account_id }) => account_id))} as account_id) v, lateral (
      select from ${tableOf(rows.map(({ id }) => id))} t
      where t.id = v.id and t.account_id = v.account_id and t.xmin = v.version::xid
      limit 1 for no key update of t ${unless_free}) as_read`
  }
}

/** A row as it was read, what moves it, and what is written beside its state. */
export interface MovingRow<M extends Machine, Column extends string> {
  readonly id: string
  readonly account_id: string
  readonly before: string
  readonly trigger: TriggerOf<M>
  readonly changes: Readonly<Record<Column, unknown>>
}

/** How the values of a column are written: JSON as text, the others as what they are. */
type ColumnType = 'text' | 'bigint' | 'timestamptz' | 'json'

function stateAfter<M extends Machine>(machine: M, { id, before, trigger }: MovingRow<M, string>): string {
  const transition = machine.rows.find(({ on, from }) => on === trigger && from === before)
  if (!transition) throw new WrongState(machine, trigger, id)
  return transition.to
}

/**
 * Moves rows in a statement that lands only while they are as they were read (`unchangedRows`): the states the table allows
 * are checked on what was read. It writes the same columns of each.
 */
export function advanceUnchanged<M extends Machine, Column extends string>(
  { machine, tableOf }: CutMachine<M>,
  types: Readonly<Record<Column, ColumnType>>,
): RowWriter<MovingRow<M, Column>> {
  const columns = Object.entries(types) as [Column, ColumnType][]
  const set = columns.map(([column, type]) => part`, ${name(column)} = m.${name(column)}${CASTS[type]}`)
  return (rows, when) => {
    const values = columns.map(([column, type]) => {
      const of_column = rows.map(({ changes }) => changes[column])
      const texts = () => of_column.map((value) => (value === null ? null : JSON.stringify(value)))
      return part`, ${type === 'json' ? listed.text(texts()) : listed[type](of_column)} as ${name(column)}`
    })
    return [
      part`moved as (
        update ${tableOf(rows.map(({ id }) => id))} t set ${name(machine.column)} = m.after ${joined(set, '')}
        from (select ${listed.text(rows.map(({ id }) => id))} as id,
          ${listed.text(rows.map(({ account_id }) => account_id))} as account_id,
          ${listed.text(rows.map((row) => stateAfter(machine, row)))} as after ${joined(values, '')}) m, (select from (select) s ${when}) go
        where t.account_id = m.account_id and t.id = m.id)`,
    ]
  }
}

const CASTS: Readonly<Record<ColumnType, Fragment>> = {
  text: nothing,
  bigint: nothing,
  timestamptz: nothing,
  json: part`::json`,
}

/**
 * The same for many rows at once. `set` writes beside the status (`, track_id = …`). Rows that are not in a state the
 * table allows are left alone and do not come back. `beside` is a part of the same statement, which may read the ids of
 * those that moved from `moved`.
 */
export async function advanceMany<Row, M extends Machine>(
  sql: Sql,
  machine: M,
  scope: AccountScope,
  ids: readonly string[],
  trigger: TriggerOf<M>,
  set: Fragment = nothing,
  beside: Fragment = nothing,
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
      join (select ${listed.text(transitions.map(({ from }) => from))} as before,
        ${listed.text(transitions.map(({ to }) => to))} as after) m on m.before = h.before
    ), updated as (
      update ${table} t set ${column} = moved.after ${set} from moved
      where t.account_id = ${scope.account_id} and t.id = moved.id
      returning t.*, moved.before as status_before
    ) ${beside === nothing ? nothing : part`, beside as (${beside})`}
    select * from updated`
  return advanced.map(({ status_before, ...row }) => ({ before: status_before, row: row as Row }))
}
