import type { TSchema } from 'typebox'
import type { Cell } from './cells.ts'

export interface Column {
  /** As the API names the field, with dots. */
  readonly name: string
  readonly read: (item: object) => Cell
}

interface Shape {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Shape[]
}

/** A closed object, or one that may be null. */
function objectIn(shape: Shape): Shape | null {
  if (shape.properties) return shape
  return shape.anyOf?.find(({ properties }) => properties !== undefined) ?? null
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  // A list or a free object stays one cell: it has as many parts as it likes.
  const text = JSON.stringify(value)
  return text === '[]' || text === '{}' ? null : text
}

const at = (item: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], item)

function walk(shape: Shape, path: readonly string[]): Column[] {
  // What a list may leave out it does leave out.
  return (shape.required ?? []).flatMap((key) => {
    const field = shape.properties?.[key] ?? {}
    // Every row would say the same.
    if (field.const !== undefined || field.enum?.length === 1) return []
    const [here, inner] = [[...path, key], objectIn(field)]
    return inner ? walk(inner, here) : [{ name: here.join('.'), read: (item: object) => cellOf(at(item, here)) }]
  })
}

/** The columns of a resource: each of its fields, those of the objects within it too. */
export function columnsOf(resource: TSchema): readonly Column[] {
  return walk(resource as Shape, [])
}
