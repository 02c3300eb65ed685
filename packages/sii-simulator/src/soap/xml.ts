import { ParseOption, XmlDocument, XmlElement } from 'libxml2-wasm'

/**
 * Parses what a stranger sent and gives it to `read`; null where it is not XML. A DTD is refused, so that no entity
 * can be declared, and nothing is loaded from anywhere. So is UTF-16 (a zero byte), in which a DTD would pass unseen and
 * which no client writes. The parser's own bounds on depth and length hold.
 */
export function withXml<T>(source: Uint8Array | string, read: (root: XmlElement) => T): T | null {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.includes('<!DOCTYPE') || buffer.includes(0)) return null
  let document: XmlDocument
  try {
    const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE
    document =
      typeof source === 'string'
        ? // A text has been decoded already, whatever its declaration says of bytes.
          XmlDocument.fromString(source.replace(/^\s*<\?xml[^>]*\?>/, ''), { option })
        : XmlDocument.fromBuffer(source, { option })
  } catch {
    return null
  }
  try {
    return read(document.root)
  } finally {
    document.dispose()
  }
}

/** The element children, whatever their namespace. */
export function childrenOf(element: XmlElement): XmlElement[] {
  const children: XmlElement[] = []
  for (let node = element.firstChild; node; node = node.next) if (node instanceof XmlElement) children.push(node)
  return children
}

export function childOf(element: XmlElement | null | undefined, name: string): XmlElement | null {
  return element ? (childrenOf(element).find((child) => child.name === name) ?? null) : null
}

/** The element down this road of names, or null. */
export function at(element: XmlElement | null, ...road: string[]): XmlElement | null {
  return road.reduce<XmlElement | null>((here, name) => childOf(here, name), element)
}

export function textAt(element: XmlElement | null, ...road: string[]): string | null {
  return at(element, ...road)?.content.trim() ?? null
}
