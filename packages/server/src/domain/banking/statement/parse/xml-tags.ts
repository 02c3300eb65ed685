import { refusedFile } from './refusal.ts'

/** A tag with the text that stood before it. */
export interface Tag {
  readonly before: string
  readonly name: string
  readonly attributes: string
  readonly closes: boolean
  readonly empty: boolean
}

const LONGEST = 256 * 1024
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes the five entities of XML and characters by number; no other entity exists here. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x?)?([0-9a-z]+);/gi, (whole, mark: string | undefined, name: string) => {
    if (mark === undefined) return ENTITIES[name] ?? whole
    const code = Number.parseInt(name, mark === '#' ? 10 : 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** An attribute by its local name; null behind anything that is no attribute. */
export function attributeOf({ attributes }: Tag, name: string): string | null {
  let at = 0
  for (;;) {
    const equals = attributes.indexOf('=', at)
    if (equals < 0) return null
    let open = equals + 1
    while (/\s/.test(attributes.charAt(open))) open++
    const quote = attributes.charAt(open)
    const close = quote === '"' || quote === "'" ? attributes.indexOf(quote, open + 1) : -1
    if (close < 0) return null
    const full = attributes.slice(at, equals).trim()
    if (full.slice(full.indexOf(':') + 1) === name) return unescaped(attributes.slice(open + 1, close))
    at = close + 1
  }
}

function tagOf(before: string, inside: string): Tag {
  const closes = inside.startsWith('/')
  const empty = inside.endsWith('/')
  const bare = inside.slice(closes ? 1 : 0, empty ? -1 : undefined)
  const cut = bare.search(/\s/)
  const full = cut < 0 ? bare : bare.slice(0, cut)
  return {
    before,
    name: full.slice(full.indexOf(':') + 1),
    attributes: cut < 0 ? '' : bare.slice(cut + 1),
    closes,
    empty,
  }
}

/**
 * Scans the tags of a part of a spreadsheet as it streams by. Enough XML for what spreadsheets write, and no more: it
 * fetches nothing, expands nothing, refuses a document type, and never holds more text than a cell may have.
 */
export class TagScanner {
  #rest = '';

  *push(chunk: string): Generator<Tag> {
    const text = this.#rest + chunk
    let at = 0
    for (;;) {
      const open = text.indexOf('<', at)
      const close = open < 0 ? -1 : text.indexOf('>', open)
      if (close < 0) break
      const inside = text.slice(open + 1, close)
      if (inside.startsWith('!DOCTYPE') || inside.startsWith('!ENTITY')) {
        throw refusedFile('the spreadsheet declares a document type, and none is taken')
      }
      if (!inside.startsWith('?') && !inside.startsWith('!')) yield tagOf(text.slice(at, open), inside)
      at = close + 1
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > LONGEST) throw refusedFile('a cell of the spreadsheet never ends')
  }
}
