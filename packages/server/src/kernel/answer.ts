/** What leaves: a status, headers and text, whatever carries them. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | null
  /** A file, in place of the text. */
  readonly bytes?: Uint8Array
}
