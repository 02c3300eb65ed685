import type { XmlDocument } from './parse.ts'
import type { Namespaces, XmlElement } from './tree.ts'
import { escapeAttribute } from './write.ts'

/**
 * Canonical form of a subtree (W3C REC-xml-c14n-20010315, 2.4) as if `namespaces` were the ones in scope. The
 * document is canonical already, so only the start tag of the apex changes: it gains the namespaces of the ancestors
 * that the subtree leaves behind. The SII verifies an inner document as if it stood alone, hence the argument.
 */
export function canonicalSubtree(document: XmlDocument, element: XmlElement, namespaces: Namespaces): string {
  const qualified = element.prefix === '' ? element.name : `${element.prefix}:${element.name}`
  const declared = renderNamespaces(namespaces)
  return `<${qualified}${declared}${document.canonical.slice(element.attributes_at, element.end)}`
}

/** Canonical form of the element without one of its children: the enveloped-signature transform. */
export function canonicalWithout(document: XmlDocument, element: XmlElement, child: XmlElement): string {
  const { canonical } = document
  return canonical.slice(element.start, child.start) + canonical.slice(child.end, element.end)
}

/** Declarations by prefix, the default one first (2.3: namespace nodes sort by local name). */
export function renderNamespaces(namespaces: Namespaces): string {
  let written = ''
  for (const prefix of Object.keys(namespaces).sort()) {
    const uri = escapeAttribute(namespaces[prefix] ?? '')
    written += prefix === '' ? ` xmlns="${uri}"` : ` xmlns:${prefix}="${uri}"`
  }
  return written
}
