import { bindMessage } from './bind-message.ts'
import type { StatementText } from './statement-text.ts'

/** How the text of a column becomes its value. */
type Parse = (text: string) => unknown
export type ParserOf = (oid: number) => Parse

/** The columns of a statement's rows. */
interface Shape {
  readonly names: readonly string[]
  readonly parsers: readonly Parse[]
  /** A row with nothing in it: those that are read begin as its copies, and so have all one layout. */
  readonly empty: Readonly<Record<string, null>>
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

function shapeOf(fields: readonly Field[], parserOf: ParserOf): Shape {
  const empty: Record<string, null> = {}
  for (const { name } of fields) empty[name] = null
  return { names: fields.map(({ name }) => name), parsers: fields.map((field) => parserOf(field.dataTypeID)), empty }
}

function rowOf({ names, parsers, empty }: Shape, texts: readonly (string | null)[]): Record<string, unknown> {
  if (texts.length !== names.length) throw new Error('a row has other columns than its statement')
  const row: Record<string, unknown> = { ...empty }
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] as string | null
    if (text !== null) row[names[i] as string] = (parsers[i] as Parse)(text)
  }
  return row
}

/** What the driver has of a connection, beyond what its types tell. */
interface Connection {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): boolean }
  /** By their names, the statements that PostgreSQL has prepared, and those that were sent to it for that. */
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(statement: { readonly name: string; readonly text: string }): void
  once(event: 'readyForQuery' | 'end', listener: () => void): void
  removeListener(event: 'readyForQuery' | 'end', listener: () => void): void
}

/**
 * The columns of what each connection has prepared. They cannot change under it: PostgreSQL refuses a prepared statement whose
 * columns are others than they were ("cached plan must not change result type").
 */
const shapes = new WeakMap<Connection, Map<string, Shape>>()

function shapesOn(connection: Connection): Map<string, Shape> {
  const known = shapes.get(connection) ?? new Map<string, Shape>()
  shapes.set(connection, known)
  return known
}

type Callback = (error: Error | null, rows?: { readonly rows: unknown[] }) => void

/**
 * A statement that a connection prepares once. The driver hands it what PostgreSQL answers, as it does to its own queries and to
 * those of `pg-cursor`; what differs is what is left out. A statement that is prepared goes out as one piece of bytes, and the
 * columns of its rows are asked for the first time only.
 */
export class PreparedQuery {
  readonly name: string
  readonly text: string
  readonly #text_lists: readonly boolean[]
  /** Set by the driver. */
  callback: Callback | undefined
  readonly #values: readonly unknown[]
  readonly #parserOf: ParserOf
  readonly #rows: unknown[] = []
  #shape: Shape | undefined
  #connection: Connection | undefined
  #failure: Error | null = null

  constructor({ name, text, text_lists }: StatementText, values: readonly unknown[], parserOf: ParserOf) {
    this.name = name
    this.text = text
    this.#text_lists = text_lists
    this.#values = values
    this.#parserOf = parserOf
  }

  /** An error that is returned is the answer, and nothing was sent. */
  submit(given: object): Error | null {
    const connection = given as Connection
    const { parsedStatements, submittedNamedStatements, stream } = connection
    this.#connection = connection
    this.#shape = shapesOn(connection).get(this.name)
    let message: Buffer
    try {
      message = bindMessage(this.name, this.#values, this.#text_lists, { describes: this.#shape === undefined })
    } catch (error) {
      return error as Error
    }
    // A connection that is gone fails its queries by itself.
    if (!stream.writable) return null
    if (parsedStatements[this.name] === undefined) {
      connection.parse(this)
      // The driver takes it for parsed once PostgreSQL says so.
      submittedNamedStatements[this.name] = this.text
    }
    stream.write(message)
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#shape = shapeOf(fields, this.#parserOf)
    if (this.#connection) shapesOn(this.#connection).set(this.name, this.#shape)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#failure) return
    try {
      if (!this.#shape) throw new Error('a row came before its columns')
      this.#rows.push(rowOf(this.#shape, fields))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleReadyForQuery(): void {
    this.callback?.(this.#failure, { rows: this.#rows })
  }

  /**
   * PostgreSQL sends an error before it has undone what the statement did: its locks are held for a moment yet. Whoever hears of it may
   * ask again at once, over another connection, and is not to find a key in the hands of what has failed already.
   */
  handleError(error: Error): void {
    const tell = () => this.callback?.(this.#failure ?? error)
    const connection = this.#connection
    // PostgreSQL says how severe an error is. The driver's own, such as a connection that is gone, are the last that is heard.
    if (!connection || !('severity' in error)) return void tell()
    const undone = () => {
      connection.removeListener('readyForQuery', undone)
      connection.removeListener('end', undone)
      tell()
    }
    connection.once('readyForQuery', undone)
    connection.once('end', undone)
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
