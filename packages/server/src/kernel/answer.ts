/** The answer to a call, whatever transport carries it. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | null
  /** A file, in place of the text. */
  readonly bytes?: Uint8Array
  /** A file that is written while it is sent. */
  readonly stream?: AsyncIterable<Uint8Array>
}
