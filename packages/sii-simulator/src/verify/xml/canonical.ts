import type { XmlNode } from './node.ts'

export type Namespaces = ReadonlyMap<string, string>

/** Every namespace in scope at an element, as declared by its ancestors and itself. */
export function namespacesInScope(node: XmlNode): Namespaces {
  const lineage: XmlNode[] = []
  for (let next: XmlNode | null = node; next !== null; next = next.parent) lineage.unshift(next)
  const scope = new Map<string, string>()
  for (const { declared } of lineage) for (const [prefix, uri] of declared) scope.set(prefix, uri)
  return scope
}

/**
 * An element in Canonical XML 1.0 without comments (http://www.w3.org/TR/2001/REC-xml-c14n-20010315), as if what is in
 * `around` had been declared by its ancestors.
 */
export function canonical(node: XmlNode, around: Namespaces): string {
  return write(node, around, NONE)
}

const NONE: Namespaces = new Map()

function write(node: XmlNode, around: Namespaces, rendered: Namespaces): string {
  const apex = rendered === NONE
  const name = node.prefix === '' ? node.name : `${node.prefix}:${node.name}`
  let out = `<${name}`
  let within = rendered
  if (apex || node.declared.size > 0) {
    const scope = apex ? new Map([...around, ...node.declared]) : node.declared
    const now = new Map(rendered)
    for (const prefix of [...scope.keys()].sort()) {
      const uri = scope.get(prefix) as string
      if ((now.get(prefix) ?? '') === uri || prefix === 'xml') continue
      now.set(prefix, uri)
      out += prefix === '' ? ` xmlns="${attributeText(uri)}"` : ` xmlns:${prefix}="${attributeText(uri)}"`
    }
    // A map of its own even when empty: only the apex is given NONE.
    within = now
  }
  if (node.attributes.length > 0) out += writeAttributes(node, within)
  out += '>'
  for (const part of node.content) {
    if (typeof part === 'string') out += escapeText(part)
    else if ('target' in part) out += part.data === '' ? `<?${part.target}?>` : `<?${part.target} ${part.data}?>`
    else out += write(part, around, within)
  }
  return `${out}</${name}>`
}

/** By namespace, then by local name; those without a prefix first. */
function writeAttributes(node: XmlNode, scope: Namespaces): string {
  const sorted =
    node.attributes.length === 1
      ? node.attributes
      : [...node.attributes].sort((a, b) => {
          const [of_a, of_b] = [a.prefix === '' ? '' : scope.get(a.prefix), b.prefix === '' ? '' : scope.get(b.prefix)]
          return compare(of_a ?? a.prefix, of_b ?? b.prefix) || compare(a.name, b.name)
        })
  let out = ''
  for (const { prefix, name, value } of sorted)
    out += prefix === '' ? ` ${name}="${attributeText(value)}"` : ` ${prefix}:${name}="${attributeText(value)}"`
  return out
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const IN_TEXT = /[&<>\r]/
const IN_ATTRIBUTE = /[&<"\t\n\r]/

function escapeText(value: string): string {
  if (!IN_TEXT.test(value)) return value
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#xD;')
}

function attributeText(value: string): string {
  if (!IN_ATTRIBUTE.test(value)) return value
  return value
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;')
    .replace(/\t/g, '&#x9;')
    .replace(/\n/g, '&#xA;')
    .replace(/\r/g, '&#xD;')
}
