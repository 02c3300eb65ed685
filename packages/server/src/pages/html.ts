/** Text that is already HTML. Only `html` and `trusted` make one, so nothing else reaches a page unescaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template. Null, undefined and booleans write nothing, so that `${condition && html`...`}` works. */
export type Piece = Html | string | number | boolean | null | undefined | readonly Piece[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}

function write(piece: Piece): string {
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number') return String(piece)
  if (Array.isArray(piece)) return piece.map(write).join('')
  return ''
}

/** `html\`<p>${text}</p>\``: whatever is put in is escaped unless it is HTML itself. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.reduce((text, next, i) => text + write(pieces[i - 1]) + next))
}

/** Marks text written in our own source as HTML. Never for anything a caller sent. */
export function trusted(text: string): Html {
  return new Html(text)
}

/** Prose of the catalogs, where `words` between backticks are code. */
export function prose(text: string): Html {
  const pieces = text.split(/`([^`]+)`/)
  return html`${pieces.map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
}
