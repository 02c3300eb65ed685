import { readFileSync } from 'node:fs'

/** A call that was made and what it was answered, with made-up ids and no secret: see `test/examples`. */
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
const FILE = new URL('../../../../openapi/examples.json', import.meta.url)

let read: Examples | null = null

/** One call of each operation. An installed server may come without the file: then contract and pages show none. */
export function recordedExamples(): Examples {
  if (read) return read
  try {
    read = JSON.parse(readFileSync(FILE, 'utf8')) as Examples
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    read = {}
  }
  return read
}
