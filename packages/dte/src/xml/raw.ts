/**
 * Cuts elements out of a text as they were written. What was signed must be pasted elsewhere character by character,
 * and a parsed tree no longer has the characters. The text must be well-formed XML without a DTD: parse it first.
 */
export function rawElements(source: string, name: string): readonly string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', at + 1)) {
    const skipped = endOfSkipped(source, at)
    if (skipped !== -1) {
      at = skipped - 1
      continue
    }
    const end = endOfTag(source, at)
    if (nameOfTag(source, at) === name) {
      const closing = source.charCodeAt(at + 1) === 0x2f
      const empty = source.charCodeAt(end - 2) === 0x2f
      if (closing) depth--
      else if (depth++ === 0) start = at
      if (empty && !closing) depth--
      if (depth === 0) found.push(source.slice(start, end))
    }
    at = end - 1
  }
  return found
}

const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/** Where a comment, a CDATA section or an instruction ends; -1 when there is none here. */
function endOfSkipped(source: string, at: number): number {
  for (const [opening, closing] of SKIPPED) {
    if (!source.startsWith(opening, at)) continue
    const end = source.indexOf(closing, at + opening.length)
    return end === -1 ? source.length : end + closing.length
  }
  return -1
}

/** Past the `>` of a tag; one inside an attribute's value does not end it. */
function endOfTag(source: string, at: number): number {
  let quote = 0
  for (let index = at + 1; index < source.length; index++) {
    const code = source.charCodeAt(index)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 0x22 || code === 0x27) quote = code
    else if (code === 0x3e) return index + 1
  }
  return source.length
}

function nameOfTag(source: string, at: number): string {
  const first = source.charCodeAt(at + 1) === 0x2f ? at + 2 : at + 1
  let end = first
  while (end < source.length && !/[\s/>]/.test(source.charAt(end))) end++
  return source.slice(first, end)
}
