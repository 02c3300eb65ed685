import type { Client } from './client.ts'
import { misuse } from './config.ts'
import { pages } from './pages.ts'
import type { CallOptions, List } from './shapes.ts'

/**
 * An operation as the generated tables write it: method, path, and a letter for each thing to know. `e` takes Svc-Empresa,
 * `k` an Idempotency-Key, `b` a body, `q` a query; `l` answers a list, `f` a file; `p` is public, `s` for a session,
 * `o` for the operator.
 */
export interface Table {
  readonly [name: string]: string | Table
}

/** Makes a resource for a client. */
export type ResourceOf<Resource> = (client: Client) => Resource

interface Row {
  readonly method: string
  readonly path: string
  readonly has: (letter: string) => boolean
}

function pathWith({ method, path }: Row, values: readonly unknown[]): string {
  let place = 0
  return path.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = values[place++]
    // An empty one would be another address, and dots would climb to one.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      const was = value === '' ? 'an empty text' : String(value)
      throw misuse(`${method} ${path} needs ${part}, and was given ${was}.`, 'Give it as a text.', 'invalid_argument')
    }
    return encodeURIComponent(value)
  })
}

const CREDENTIALS = { p: 'none', s: 'session', o: 'operator' } as const

function credentialOf({ has }: Row) {
  const letter = (['p', 's', 'o'] as const).find(has)
  return letter ? CREDENTIALS[letter] : 'key'
}

function methodOf(client: Client, text: string) {
  const [method = '', path = '', letters = ''] = text.split(' ')
  const row: Row = { method, path, has: (letter) => letters.includes(letter) }
  const { has } = row
  const inPath = path.split('{').length - 1
  const request = {
    method,
    empresa: has('e'),
    keyed: has('k'),
    credential: credentialOf(row),
    answers: has('f') ? 'file' : 'json',
  } as const
  return (...given: readonly unknown[]) => {
    const takes = has('b') || has('q')
    const options = (takes ? given[inPath + 1] : given[inPath]) as CallOptions | undefined
    const input = takes ? (given[inPath] as Record<string, unknown> | undefined) : undefined
    if (!has('l')) {
      return (async () => {
        const at = pathWith(row, given)
        const sent = has('b') ? { body: input ?? {} } : { query: input }
        return (await client.send({ ...request, path: at, ...sent }, options)).body
      })()
    }
    return pages(input ?? {}, async (query) => {
      const { body } = await client.send({ ...request, path: pathWith(row, given), query }, options)
      return body as List<unknown>
    })
  }
}

function build(client: Client, table: Table): object {
  const made = Object.entries(table).map(([name, inner]) => [
    name,
    typeof inner === 'string' ? methodOf(client, inner) : build(client, inner),
  ])
  return Object.fromEntries(made)
}

/** A table as the resource that its interface describes. */
export function resource<Resource>(table: Table): ResourceOf<Resource> {
  return (client) => build(client, table) as Resource
}
