/** Prefix to namespace; the default namespace has the empty prefix. */
export type Namespaces = Readonly<Record<string, string>>

/** A read-only element. `start`, `attributes_at` and `end` are offsets in the canonical text of its document. */
export interface XmlElement {
  /** Local name. Real documents come with and without the SII's namespace, so readers match on this. */
  readonly name: string
  readonly prefix: string
  readonly namespace: string
  /** By qualified name, namespace declarations left out. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Decoded text of an element without child elements; empty for the others. */
  readonly text: string
  /** Namespaces in scope, those of the ancestors included. */
  readonly namespaces: Namespaces
  readonly start: number
  /** Where the attributes begin, after the namespace declarations. */
  readonly attributes_at: number
  readonly end: number
}

type Building = { -readonly [Key in keyof XmlElement]: XmlElement[Key] } & { children: Building[]; content_at: number }

/** The attributes of every element that has none. */
export const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
)
const REFERENCE = /&(?:amp|lt|gt|quot|#x9|#xA|#xD);/g
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x9;': '\t',
  '&#xA;': '\n',
  '&#xD;': '\r',
}

/**
 * Reads canonical XML, whose grammar is tiny: no comments, no CDATA, no empty-element tags, double quotes only, seven
 * references. It must never be given anything but the output of a canonicalizer.
 */
export function readCanonical(canonical: string): XmlElement {
  const open: Building[] = []
  let root: Building | undefined
  let at = canonical.indexOf('<')
  while (at !== -1) {
    const second = canonical.charCodeAt(at + 1)
    if (second === 0x3f) {
      at = canonical.indexOf('<', canonical.indexOf('?>', at))
      continue
    }
    if (second === 0x2f) {
      const closed = open.pop()
      const end = canonical.indexOf('>', at) + 1
      if (closed !== undefined) closeElement(closed, canonical, at, end)
      at = canonical.indexOf('<', end)
      continue
    }
    const element = readStartTag(canonical, at, open[open.length - 1])
    root ??= element
    open.push(element)
    at = canonical.indexOf('<', element.content_at)
  }
  if (root === undefined) throw new TypeError('canonical text has no root element')
  return root
}

function closeElement(element: Building, canonical: string, content_end: number, end: number): void {
  element.end = end
  if (element.children.length > 0) return
  const raw = canonical.slice(element.content_at, content_end)
  element.text = raw.includes('&') || raw.includes('<') ? unescapeCanonical(withoutInstructions(raw)) : raw
}

function withoutInstructions(text: string): string {
  let kept = ''
  let at = 0
  for (let open = text.indexOf('<?'); open >= 0; open = text.indexOf('<?', at)) {
    const close = text.indexOf('?>', open + 2)
    if (close < 0) break
    kept += text.slice(at, open)
    at = close + 2
  }
  return kept + text.slice(at)
}

function unescapeCanonical(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, (reference) => CHARACTERS[reference] ?? reference) : text
}

function readStartTag(canonical: string, start: number, parent: Building | undefined): Building {
  let at = endOfName(canonical, start + 1)
  const qualified = canonical.slice(start + 1, at)
  let namespaces = parent?.namespaces ?? NO_ATTRIBUTES
  let attributes: Record<string, string> | undefined
  let declared: Record<string, string> | undefined
  let attributes_at = at
  while (canonical.charCodeAt(at) === 0x20) {
    const equals = canonical.indexOf('=', at)
    const close = canonical.indexOf('"', equals + 2)
    const name = canonical.slice(at + 1, equals)
    const value = unescapeCanonical(canonical.slice(equals + 2, close))
    at = close + 1
    if (name === 'xmlns' || name.startsWith('xmlns:')) {
      declared ??= Object.assign(Object.create(null) as Record<string, string>, namespaces)
      if (value === '') delete declared['']
      else declared[name.slice(6)] = value
      attributes_at = at
    } else {
      attributes ??= Object.create(null) as Record<string, string>
      attributes[name] = value
    }
  }
  namespaces = declared ?? namespaces
  const colon = qualified.indexOf(':')
  const prefix = colon === -1 ? '' : qualified.slice(0, colon)
  const element: Building = {
    name: colon === -1 ? qualified : qualified.slice(colon + 1),
    prefix,
    namespace: namespaces[prefix] ?? '',
    attributes: attributes ?? NO_ATTRIBUTES,
    children: [],
    text: '',
    namespaces,
    start,
    attributes_at,
    content_at: at + 1,
    end: 0,
  }
  parent?.children.push(element)
  return element
}

function endOfName(canonical: string, from: number): number {
  for (let at = from; ; at++) {
    const code = canonical.charCodeAt(at)
    if (code === 0x20 || code === 0x3e || Number.isNaN(code)) return at
  }
}

/** The first child of that local name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element === undefined ? [] : element.children.filter((child) => child.name === name)
}

/** Follows first children by local name: `at(dte, 'Documento', 'Encabezado', 'IdDoc')`. */
export function at(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let found = element
  for (const name of path) found = childOf(found, name)
  return found
}

/** Trimmed text at a path, or undefined when there is no such element. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  return at(element, ...path)?.text.trim()
}

/** The element and everything under it, in document order. */
export function* walk(element: XmlElement): Generator<XmlElement> {
  const pending = [element]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index]
      if (child !== undefined) pending.push(child)
    }
  }
}
