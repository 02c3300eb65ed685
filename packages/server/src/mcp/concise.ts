import { readStructure, type ToolResult } from './result.ts'

/** Fields that tell a model nothing: what kind of thing it asked for, where a program would fetch it, who wrote what. */
const NOISE = new Set(['object', 'mode', 'pdf_url', 'xml_url', 'sources', 'hash', 'request_id', 'doc_url', 'type'])

const isEmpty = (value: unknown) =>
  value === null || (typeof value === 'object' && Object.keys(value as object).length === 0)

/** An empty list is an answer. */
const isRows = (key: string, value: unknown) => key === 'data' && Array.isArray(value)

/** The value without what is empty and what tells nothing. Zero and false stay: they answer questions. */
function pruned(value: unknown, inside: string | null): unknown {
  if (Array.isArray(value)) return value.map((one) => pruned(one, inside))
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value)
    .map(([key, one]) => [key, pruned(one, key)] as const)
    .filter(
      ([key, one]) =>
        (!isEmpty(one) || isRows(key, one)) && !(NOISE.has(key) && typeof one !== 'boolean' && keepsOut(key, inside)),
    )
  return Object.fromEntries(kept)
}

// A kind is noise of an error and of a row of a list; of a step, a reason or a product it is the point.
const keepsOut = (key: string, inside: string | null) => key !== 'type' || inside === 'error'

/** The same answer for a mind: what is empty is left out. */
export function concise(result: ToolResult): ToolResult {
  if (result.structure === undefined) return result
  return { ...result, structure: JSON.stringify(pruned(readStructure(result), null)) }
}

export const conciseValue = (value: unknown) => pruned(value, null)
