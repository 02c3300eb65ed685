/**
 * A text as a database keeps it: PostgreSQL takes neither NUL nor half of a surrogate pair. A broken answer of the SII may
 * hold the one, for which its symbol stands, and cutting a text may leave the other.
 */
export const storable = (text: string): string => text.replaceAll('\u0000', '\u2400').toWellFormed()

/** The escapes by which JSON brings in what its own bytes cannot hold. */
const ESCAPED = /\\u(?:0000|d[89a-f])/i

/** JSON of the SII with every text storable. Throws as `JSON.parse` does. */
export function parseJson(text: string): unknown {
  if (!ESCAPED.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value))
}
