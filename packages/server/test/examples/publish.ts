// Makes an answer fit to be published: ids that stay the same from run to run, no address of a test, nothing secret.

import { createHash } from 'node:crypto'
import { ID_PREFIXES } from '../../src/catalog/ids.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID = new RegExp(
  `\\b(${Object.values(ID_PREFIXES)
    .map((prefix) => prefix.slice(0, -1))
    .join('|')})_[0-9a-hjkmnp-tv-z]{26}\\b`,
  'g',
)

/** Where the tests believe to be, and where a service of one's own is. */
const PLACES: readonly [string, string][] = [
  ['http://timbre.test', 'http://127.0.0.1:3000'],
  ['recepcion.timbre.test', 'recepcion.timbre.example'],
]

/** Texts that open something by themselves, whatever field they are in. What is left says what stood there. */
const SECRETS: readonly [RegExp, string][] = [
  [/\b(sk_(?:test|live)_)(?:root_)?[A-Za-z0-9]{20,}/g, '$1...'],
  [/\bwhsec_[A-Za-z0-9+/=]{20,}/g, 'whsec_...'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ...'],
  [/([?&]token=)\w{20,}/g, '$1...'],
  [/\bcur_[\w-]{20,}/g, 'cur_...'],
]

function nameOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return `01ks${Array.from(digest.subarray(0, 22), (byte) => ALPHABET[byte & 31]).join('')}`
}

/** Ids by the operation that first showed them: a scene that is added changes none of those that were there. */
export class Publisher {
  readonly #ids = new Map<string, string>()

  publish(operation_id: string, value: unknown): unknown {
    let shown = 0
    const walk = (inside: unknown): unknown => {
      if (typeof inside === 'string') return text(inside)
      if (Array.isArray(inside)) return inside.map(walk)
      if (inside === null || typeof inside !== 'object') return inside
      return Object.fromEntries(Object.entries(inside).map(([key, one]) => [key, walk(one)]))
    }
    const text = (given: string) => {
      const named = given.replace(ID, (id, prefix: string) => {
        const known = this.#ids.get(id) ?? `${prefix}_${nameOf(`${operation_id} ${prefix} ${shown++}`)}`
        this.#ids.set(id, known)
        return known
      })
      const safe = SECRETS.reduce((left, [secret, instead]) => left.replace(secret, instead), named)
      return PLACES.reduce((left, [played, shown_at]) => left.replaceAll(played, shown_at), safe)
    }
    return walk(value)
  }
}

interface Shape {
  readonly 'x-secret'?: true
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** The address of a page keeps its place; of the rest nothing is left. */
const hidden = (value: string) => (/^https?:/.test(value) ? value.replace(/[^/]+$/, '...') : '...')

/** Hides what the schema of an answer calls a secret. */
export function withoutSecrets(schema: object | null, value: unknown): unknown {
  if (schema === null || value === null) return value
  const { 'x-secret': secret, properties, items, anyOf } = schema as Shape
  if (anyOf) return anyOf.reduce((left: unknown, one) => withoutSecrets(one, left), value)
  if (secret && typeof value === 'string') {
    const known = SECRETS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), value)
    return known.endsWith('...') ? known : hidden(value)
  }
  if (Array.isArray(value)) return items ? value.map((one) => withoutSecrets(items, one)) : value
  if (typeof value !== 'object' || !properties) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withoutSecrets(properties[key] ?? null, one)]),
  )
}
