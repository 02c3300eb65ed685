/** How a redacted sample writes the kind of a text that stood there: `[digits]`. */
export const placeholder = (kind: string): string => `[${kind}]`

/** Dates and hours by how they are written, so that a day before a month is not a month before a day. */
const PICTURES: readonly (readonly [RegExp, string])[] = [
  [/\d{4}([-/])\d{1,2}\1\d{1,2}/g, 'AAAA$1MM$1DD'],
  [/\d{1,2}([-/])\d{1,2}\1\d{4}/g, 'DD$1MM$1AAAA'],
  [/\d{1,2}:\d{2}:\d{2}(?:\.\d+)?/g, 'hh:mm:ss'],
  [/\d{1,2}:\d{2}/g, 'hh:mm'],
]

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'empty'],
  [/^\d+$/, 'digits'],
  [/^-\d+$/, 'negative'],
  [/^-?\d+[.,]\d+$/, 'decimal'],
  [/^\d{1,3}(?:\.\d{3})*-[\dkK]$|^\d{1,8}-[\dkK]$/, 'rut'],
  [/^[\w.+-]+@[\w.-]+$/, 'email'],
  [/^https?:\/\/\S+$/, 'address'],
  [/^[A-Z]{2,5}(?:-\d+)*$/, 'code'],
  // A word of a language has its capital in front; a token has it anywhere, or digits.
  [/^(?=.*(?:\d|[a-z][A-Z]))(?=.*[A-Za-z])[\w+/=.-]{8,}$/, 'token'],
]

const NAMES = new Set([...KINDS.map(([, kind]) => kind), 'words', 'opaque', 'broken XML', 'broken JSON'])
const PICTURE = /^(?=.*(?:AAAA|hh))[AMDhms9:/().T\s-]{5,40}$/

/** What one side makes by chance and the other echoes: any characters will do, so their kind says nothing. */
const OPAQUE = /^(?:conversationId|transactionId|TOKEN)$/

/** The kind of what stands under a name. */
export function namedKind(name: string, text: string): string {
  return OPAQUE.test(name) && text.trim() !== '' ? 'opaque' : textKind(text)
}

/** What kind of text it is, and nothing of what it says. */
export function textKind(text: string): string {
  const trimmed = text.trim()
  const written = /^\[([^\]]{1,60})\]$/.exec(trimmed)?.[1]
  // Of a sample. Anything else in brackets is a content like any other.
  if (written !== undefined && (NAMES.has(written) || PICTURE.test(written))) return written
  const kind = KINDS.find(([pattern]) => pattern.test(trimmed))?.[1]
  return kind ?? pictureOf(trimmed) ?? 'words'
}

function pictureOf(text: string): string | null {
  if (!/^[\d\s:/().T-]{6,40}$/.test(text)) return null
  const drawn = PICTURES.reduce((drawing, [pattern, picture]) => drawing.replace(pattern, picture), text)
  return drawn === text ? null : drawn.replace(/\d+/g, '9').replace(/\s+/g, ' ')
}
