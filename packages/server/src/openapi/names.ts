import type { TSchema } from 'typebox'
import type { Operation } from '../domain/operation.ts'

/** Words that end in an s and name one thing. */
const SINGULAR = /(settings|status|rcv)$/

function singular(word: string): string {
  if (SINGULAR.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.replace(/(?<=ch|sh|x)es$|(?<!s)s$/, '')
}

export function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

/** `tax.expenses` is where an expense is found, and no part of what it is. */
function nounsOf(id: string): string[] {
  const nouns = id.split('.').slice(0, -1)
  return (nouns.length > 1 && nouns[0] === 'tax' ? nouns.slice(1) : nouns).map(singular)
}

/** The name of what an operation takes: `documents.create` takes a `DocumentCreate`. */
export function bodyName({ id }: Operation): string {
  return [...nounsOf(id), id.split('.').at(-1) ?? ''].map(pascal).join('')
}

/** The same, where an answer has that name already: an `IndicatorLoad` comes of an `IndicatorLoadRequest`. */
export function requestName(operation: Operation, taken: ReadonlySet<string>): string {
  const name = bodyName(operation)
  return taken.has(name) ? `${name}Request` : name
}

interface Shape {
  readonly title?: string
  readonly properties?: Readonly<Record<string, Shape & { readonly const?: unknown; readonly items?: Shape }>>
}

/** What a list holds; null of what is none. */
export function elementOf(schema: TSchema): Shape | null {
  const { properties } = schema as unknown as Shape
  return properties?.object?.const === 'list' ? (properties.data?.items ?? null) : null
}

/** The names of an answer that has none of its own, and of what it lists: `DocumentList` of `Document`. */
export function answerNames(
  operation: Operation,
  schema: TSchema,
): { readonly own: string; readonly element?: string } {
  const { title } = schema as unknown as Shape
  if (title) return { own: title }
  const element = elementOf(schema)
  const verb = operation.id.split('.').at(-1) ?? ''
  const nouns = nounsOf(operation.id)
  if (!element) return { own: [...nouns, verb].map(pascal).join('') }
  const named = element.title ?? [...nouns, ...(verb === 'list' ? [] : [singular(verb)])].map(pascal).join('')
  return { own: `${named}List`, element: named }
}

/** The names that answers, and whatever is inside them, have of their own: no body may be called so. */
export function titlesOf(operations: readonly Operation[]): ReadonlySet<string> {
  const texts = operations.map(({ returns }) => JSON.stringify(returns) ?? '')
  return new Set(texts.flatMap((text) => [...text.matchAll(/"title":"(\w+)"/g)].map(([, title]) => title ?? '')))
}
