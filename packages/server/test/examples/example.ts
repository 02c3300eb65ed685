// What `openapi/examples.json` holds: for each operation one call as it was sent, and what came back.

export interface Example {
  readonly request: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly response: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    /** JSON, or the text of a CSV. */
    readonly body?: unknown
    /** What a file is, in the place of its bytes. */
    readonly note?: string
  }
}

export type Examples = Readonly<Record<string, Example>>

export const EXAMPLES_FILE = new URL('../../../../openapi/examples.json', import.meta.url)
