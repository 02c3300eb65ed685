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

type Query = Readonly<Record<string, unknown>>

/** Makes a resource for a client. */
export type ResourceOf<Resource> = (client: Client) => Resource

/** A value as a part of a path. An empty one would be another address, and dots would climb to one. */
export function segment(value: unknown, needs: () => string): string {
  try {
    if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  } catch {
    // Half of a character, which no address can hold.
  }
  const was = value === '' ? 'an empty text' : String(value)
  throw misuse(`${needs()}, and was given ${was}.`, 'Give it as a text.', 'invalid_argument')
}

/** Makes the path of a call from its first arguments. */
function pathMaker(method: string, path: string): (given: readonly unknown[]) => string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const [head = '', ...tails] = path.split(/\{\w+\}/)
  if (tails.length === 0) return () => head
  return (given) => {
    let text = head
    for (let place = 0; place < tails.length; place++) {
      text += segment(given[place], () => `${method} ${path} needs ${names[place]}`) + tails[place]
    }
    return text
  }
}

function methodOf(client: Client, text: string) {
  const [method = '', path = '', letters = ''] = text.split(' ')
  const has = (letter: string) => letters.includes(letter)
  const [empresa, keyed, lists, writes] = [has('e'), has('k'), has('l'), has('b')]
  const credential = has('p') ? 'none' : has('s') ? 'session' : has('o') ? 'operator' : 'key'
  const answers = has('f') ? 'file' : 'json'
  const takes = writes || has('q')
  const pathOf = pathMaker(method, path)
  const inPath = path.split('{').length - 1
  // Written out, without spreads: this is done for every call.
  const call = async (given: readonly unknown[], input: Query | undefined) => {
    const path = pathOf(given)
    const body = writes ? (input ?? {}) : undefined
    const query = writes ? undefined : input
    const options = given[takes ? inPath + 1 : inPath] as CallOptions | undefined
    const answer = await client.send({ method, path, query, body, empresa, keyed, credential, answers }, options)
    return answer.body
  }
  return (...given: readonly unknown[]) => {
    const input = takes ? (given[inPath] as Query | undefined) : undefined
    if (!lists) return call(given, input)
    return pages(input ?? {}, async (query) => (await call(given, query)) as List<unknown>)
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
