/** What a caller says of a cartola, and the day on which it is read. */
export interface StatementOptions {
  readonly filename: string | undefined
  readonly bank_account: string | undefined
  readonly positive_is: 'in' | 'out' | undefined
  /** In Santiago, YYYY-MM-DD: dates without a year are of the last year in which they were not after it. */
  readonly today: string
}

/** A cartola that was parsed to its end and can be imported. */
export interface InspectedStatement<Understood> {
  readonly understood: Understood
  readonly rows: number
  readonly skipped: number
  /** The same cells in a format that is read as a stream, of a file that is not; null where the file is. */
  readonly converted: Uint8Array | null
}

/** Movements of a cartola as one statement writes them: JSON that nobody looks into on its way to the database. */
export interface MovementBatch {
  readonly rows: number
  readonly json: Uint8Array
}

/** Reads the cartolas that callers upload: pure computing, seconds of it for the largest file, kept off the event loop. */
export interface Statements {
  /**
   * Refuses a file that cannot be read, and one that takes more to read than any cartola does. Those of one account are
   * read one after the other: no account keeps the others waiting.
   */
  inspect<Understood>(
    account_id: string,
    file: Uint8Array,
    options: StatementOptions,
  ): Promise<InspectedStatement<Understood>>
  /**
   * Reads the movements of a file that was inspected. Of one account one file at a time; who waits for the answer of an
   * inspection never waits for it.
   */
  read(account_id: string, file: Uint8Array, options: StatementOptions): Promise<readonly MovementBatch[]>
  close(): Promise<void>
}
