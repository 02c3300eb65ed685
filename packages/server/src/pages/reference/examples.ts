import { readFile } from 'node:fs/promises'

/** A call that was made and what it was answered, with made-up ids and no secret. */
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

/** By the id of the operation. */
export type Examples = Readonly<Record<string, Example>>

// The repository's root, from the sources and from the build alike.
const FILE = new URL('../../../../../openapi/examples.json', import.meta.url)

/** An installed server may come without the file: then its pages show none. */
export async function readExamples(file: URL = FILE): Promise<Examples> {
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Examples,
    () => ({}),
  )
}
