import type { TSchema } from 'typebox'
import type { Operation } from '../../domain/operation.ts'
import type { Shape } from './fields.ts'
import { type Resource, resourcePath } from './resources.ts'

/** A named answer, and the one page where its fields are told: the others link there. */
export interface NamedObject {
  readonly name: string
  readonly schema: TSchema
  readonly key: string
}

/** The item of a list, or the answer itself. */
function innermost(schema: TSchema | null): { readonly schema: TSchema; readonly is_list: boolean } | null {
  if (schema === null) return null
  const { title, properties } = schema as Shape
  const item = properties?.object?.const === 'list' ? properties.data?.items : undefined
  return item && title === undefined
    ? { schema: item as unknown as TSchema, is_list: true }
    : { schema, is_list: false }
}

/** Reading one by itself makes a page its home, before listing it, before anything else that answers it. */
function claim({ id, method }: Operation, is_list: boolean): number {
  if (id.endsWith('.get') && !is_list) return 0
  return method === 'GET' ? 1 : 2
}

export class Objects {
  readonly #homes = new Map<string, NamedObject & { readonly rank: number }>()

  constructor(resources: readonly Resource[]) {
    for (const { key, operations } of resources) for (const operation of operations) this.#see(key, operation)
  }

  #see(key: string, operation: Operation): void {
    const found = innermost(operation.returns)
    const name = found && (found.schema as Shape).title
    if (!found || !name) return
    const rank = claim(operation, found.is_list)
    const known = this.#homes.get(name)
    if (!known || rank < known.rank) this.#homes.set(name, { name, schema: found.schema, key, rank })
  }

  /** What is told on one page. */
  on(key: string): NamedObject[] {
    return [...this.#homes.values()].filter((object) => object.key === key)
  }

  all(): NamedObject[] {
    return [...this.#homes.values()]
  }

  /** The address of a named object. */
  readonly homeOf = (name: string): string | null => {
    const home = this.#homes.get(name)
    return home ? `${resourcePath(home.key)}#${home.name}` : null
  }

  /** What an operation answers: an object that has a home, or a list of it; else null. */
  answered({ returns }: Operation): { readonly name: string; readonly is_list: boolean; readonly href: string } | null {
    const found = innermost(returns)
    const name = found && (found.schema as Shape).title
    const href = name && this.homeOf(name)
    return href ? { name, is_list: found.is_list, href } : null
  }
}
