/** Why a text cannot be written, where it can be told. */
export interface TextFault {
  readonly rule: 'empty' | 'too_long' | 'not_latin1' | 'control_character'
  readonly message: string
  /** Position of the offending character, counted in characters from 0. */
  readonly index?: number
  readonly character?: string
}

const LATIN1_LINE = /^[\x20-\x7e\xa0-\xff]*$/
const LATIN1_LINES = /^[\n\x20-\x7e\xa0-\xff]*$/

/**
 * Texts travel in ISO-8859-1 with the lengths of the SII's schema. What does not fit is refused, never cut or replaced:
 * a silent change would be a different legal document. Time is bounded by `max`, not by the size of the text.
 */
export function checkText(text: string, max: number, { multiline = false } = {}): TextFault | null {
  const length = lengthUpTo(text, max)
  if (length > max) return { rule: 'too_long', message: `has more than ${max} characters` }
  if (text.trim() === '') return { rule: 'empty', message: 'is empty' }
  const allowed = multiline ? LATIN1_LINES : LATIN1_LINE
  return allowed.test(text) ? null : findForeign(text, allowed)
}

/** Characters, not UTF-16 units, counted no further than needed to know that they are too many. */
function lengthUpTo(text: string, max: number): number {
  if (text.length <= max) return text.length
  if (text.length > max * 2) return max + 1
  return [...text].length
}

function findForeign(text: string, allowed: RegExp): TextFault | null {
  let index = 0
  for (const character of text) {
    if (!allowed.test(character)) return describe(character, index)
    index++
  }
  return null
}

function describe(character: string, index: number): TextFault {
  const code = character.codePointAt(0) ?? 0
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (code <= 0x9f) {
    return { rule: 'control_character', message: `has the control character ${name} at ${index}`, index, character }
  }
  return { rule: 'not_latin1', message: `has ${character} (${name}) at ${index}, outside ISO-8859-1`, index, character }
}
