import { ACCOUNT_ERRORS } from '../catalog/account-errors.ts'
import { ERROR_CODES, errorEntry } from '../catalog/errors.ts'
import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import type { Answer } from '../kernel/answer.ts'
import { type Field, fieldsOf, type Shape } from './reference/fields.ts'
import type { Reference } from './reference/resource-page.ts'
import { alsoCalled } from './search-words.ts'

/** What a row leads to, as the list of findings calls it. */
export type Kind = 'page' | 'guide' | 'guía' | 'operation' | 'error' | 'event'

/** What it is, its name, its address, more words to find it by, and what people call it who do not know our names. */
type Row = readonly [kind: Kind, name: string, address: string, words: string, also?: string]

/**
 * What can be found. Fields are gathered by what they
 * belong to, as one text, for they are many: the address of one is that of its owner and a dot before its path.
 */
export interface SearchIndex {
  readonly rows: readonly Row[]
  readonly fields: readonly (readonly [owner: string, address: string, paths: string])[]
}

/** A page that is found by its name. */
export interface Findable {
  readonly kind: Kind
  readonly title: string
  readonly path: string
  readonly words?: string
}

const pathsOf = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ path, inner }) => [path.replaceAll('[]', ''), ...pathsOf(inner)])

function fieldRows({ resources, objects }: Reference): SearchIndex['fields'] {
  const inputs = resources.flatMap(({ path, operations }) =>
    operations.map(({ id, params, query, body }) => {
      const fields = [params, query, body].flatMap((part) => (part ? pathsOf(fieldsOf(part as Shape)) : []))
      return [id, `${path}#${id}`, fields.join(' ')] as const
    }),
  )
  const answered = objects.all().map(({ name, schema }) => {
    const fields = fieldsOf(schema as Shape, objects.homeOf)
    return [name, objects.homeOf(name) ?? '', pathsOf(fields).join(' ')] as const
  })
  return [...answered, ...inputs].filter(([, , paths]) => paths !== '')
}

export function searchIndex(reference: Reference, pages: readonly Findable[]): SearchIndex {
  const operations = reference.resources.flatMap(({ path, operations: own }) =>
    own.map(({ id, summary, method, path: at }): Row => {
      return ['operation', summary, `${path}#${id}`, `${id} ${method} ${at}`, ...alsoCalled(id)]
    }),
  )
  const errors = ERROR_CODES.map((code) => ['error', code, `/docs/errors/${code}`, errorEntry(code).message] as const)
  const account = Object.keys(ACCOUNT_ERRORS)
    .filter((code) => !ERROR_CODES.some((known) => known === code))
    .map((code) => ['error', code, `/docs/errors#account.${code}`, 'account'] as const)
  const events = EVENT_TYPES.map((type) => ['event', type, `/docs/events#${type}`, EVENTS[type].when] as const)
  const named = pages.map(
    ({ kind, title, path, words = '' }) => [kind, title, path, words, ...alsoCalled(path)] as const,
  )
  return { rows: [...named, ...operations, ...events, ...errors, ...account], fields: fieldRows(reference) }
}

export const SEARCH_PATH = '/docs/assets/search.json'

export function searchAnswer(index: SearchIndex): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(index),
  }
}
