import type { Kind } from './kinds.ts'
import { type Field, isGroup, type Row, type View } from './shape.ts'

/** What a table is for a tipo, found out once and not for each document. */
function onceForTipo<T>(find: (rows: readonly Row[], tipo_dte: number) => T) {
  const known = new Map<readonly Row[], Map<number, T>>()
  return (rows: readonly Row[], tipo_dte: number): T => {
    let by_tipo = known.get(rows)
    if (by_tipo === undefined) {
      by_tipo = new Map()
      known.set(rows, by_tipo)
    }
    let found = by_tipo.get(tipo_dte)
    if (found === undefined) {
      found = find(rows, tipo_dte)
      by_tipo.set(tipo_dte, found)
    }
    return found
  }
}

/** The rows that have an element in a tipo. */
export const rowsFor = onceForTipo((rows, tipo_dte) =>
  rows.filter(({ xml, tipos }) => xml !== '' && tipos.includes(tipo_dte)),
)

/** The rows that a draft of a tipo is checked against: all but those that cannot refuse it. */
export const checkedRowsFor = onceForTipo((rows, tipo_dte) =>
  rows.filter((row) => (row.tipos.includes(tipo_dte) ? isGroup(row) || !row.computed : row.strict)),
)

/**
 * A row as it is written: tags and the way to the value put together, one shape for fields and groups. A document looks
 * at a hundred and fifty rows and fills a third of them, so the rest must cost next to nothing.
 */
export interface Element {
  readonly open: string
  readonly close: string
  /** First step to the value, from the value of the group; empty where it is that value itself, or computed. */
  readonly name: string
  readonly further: readonly string[]
  readonly max: number
  /** Null for a group. */
  readonly write: Kind['write'] | null
  readonly fallback: Field['fallback']
  readonly view: View | undefined
  readonly inner: readonly Element[]
}

export const elementsFor = onceForTipo((rows, tipo_dte): readonly Element[] =>
  rowsFor(rows, tipo_dte).map((row) => elementOf(row, tipo_dte)),
)

function elementOf(row: Row, tipo_dte: number): Element {
  const [name = '', ...further] = row.at
  return {
    open: `<${row.xml}>`,
    close: `</${row.xml}>`,
    name,
    further,
    max: row.max,
    write: isGroup(row) ? null : row.kind.write,
    fallback: isGroup(row) ? undefined : row.fallback,
    view: isGroup(row) ? row.view : undefined,
    inner: isGroup(row) ? elementsFor(row.rows, tipo_dte) : [],
  }
}
