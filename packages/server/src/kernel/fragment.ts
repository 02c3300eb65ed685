/** A piece of SQL with its values, to be spliced into a larger statement. */
export interface Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

export class SqlFragment implements Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** `part\`and status = ${status}\``: SQL that is not run by itself. */
export function part(strings: TemplateStringsArray, ...values: unknown[]): Fragment {
  return new SqlFragment(strings, values)
}

/** What a list may hold, as PostgreSQL calls it. */
export type ListedType = 'text' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'date' | 'timestamptz' | 'bytea'

/** A list of values that stands in a statement as a column: one row for each of them. */
export class ListedColumn extends SqlFragment {
  readonly #list: readonly unknown[]
  readonly #alone: readonly string[]

  constructor(rows: readonly string[], alone: readonly string[], list: readonly unknown[]) {
    super(rows, [list])
    this.#list = list
    this.#alone = alone
  }

  /** The same where there is one row: the value itself, without a list around it. */
  get alone(): SqlFragment | null {
    return this.#list.length === 1 ? new SqlFragment(this.#alone, this.#list) : null
  }
}

/**
 * `select ${listed.text(ids)} as id, …`: rows that travel with a statement, column by column, all lists of one select equally long.
 * Where each list of a whole statement has one value, that statement has the values themselves in place of its lists: PostgreSQL
 * then joins nothing, and needs a sixth less for a document that comes alone (decision 0027).
 */
export const listed: Readonly<Record<ListedType, (list: readonly unknown[]) => Fragment>> = {
  text: listOf('text'),
  smallint: listOf('smallint'),
  integer: listOf('integer'),
  bigint: listOf('bigint'),
  boolean: listOf('boolean'),
  date: listOf('date'),
  timestamptz: listOf('timestamptz'),
  bytea: listOf('bytea'),
}

/**
 * `where id ${oneOf(ids)}`: rows found by their keys, whatever the planner thinks of their table. A join with a list of keys may be made from
 * either side: a plan made while a table held next to nothing, as those of what is under way do again and again, goes through all of that
 * table and all of the list for each of its rows.
 */
export function oneOf(keys: readonly string[]): Fragment {
  return new ListedColumn(ANY_OF, THE_ONE, keys)
}
const ANY_OF = ['= any(', '::text[])']
const THE_ONE = ['= ', '::text']

export const nothing: Fragment = new SqlFragment([''], [])

// A statement is known by the strings it is spliced from (statement-text.ts), so whatever is not a template of the source has one
// list of strings for each text, made once.

const verbatim = new Map<string, Fragment>()

function textOf(text: string): Fragment {
  const known = verbatim.get(text) ?? new SqlFragment([text], [])
  verbatim.set(text, known)
  return known
}

/** A trusted name written in code (a table, a column), never anything a caller sent. */
export function name(identifier: string): Fragment {
  if (!/^[a-z_][a-z0-9_]*$/.test(identifier)) throw new Error(`not an identifier: ${identifier}`)
  return textOf(identifier)
}

/** Whole numbers written into the text, for facts of the code such as tipos: a plan can then count on them. */
export function integers(values: readonly number[]): Fragment {
  if (!values.every(Number.isSafeInteger)) throw new Error(`not whole numbers: ${values.join()}`)
  return textOf(`(${values.join(', ')})`)
}

function listOf(type: ListedType): (list: readonly unknown[]) => Fragment {
  const [rows, alone] = [
    ['unnest(', `::${type}[])`],
    ['', `::${type}`],
  ]
  return (list) => new ListedColumn(rows, alone, list)
}

const separators = new Map<string, (readonly string[])[]>()

function stringsBetween(count: number, separator: string): readonly string[] {
  const of_separator = separators.get(separator) ?? []
  separators.set(separator, of_separator)
  of_separator[count] ??= ['', ...Array.from({ length: count - 1 }, () => separator), '']
  return of_separator[count]
}

export function joined(fragments: readonly Fragment[], separator: string): Fragment {
  if (fragments.length === 0) return nothing
  return new SqlFragment(stringsBetween(fragments.length, separator), fragments)
}
