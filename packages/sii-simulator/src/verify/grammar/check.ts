import { textOf, type XmlNode } from '../xml/node.ts'
import type { Definition, Slot } from './notation.ts'

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const ENOUGH = 5

/**
 * What is wrong with a file by its grammar: at most a few lines, as a schema processor says them. The SII's is Oracle's
 * (LSX-…); the numbers 00213, 00265 and 00291 were seen in its answers, the others are (unverified).
 */
export function checkGrammar(root: XmlNode, definition: Definition): string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  if (root.namespace !== definition.namespace)
    faults.push(`[${root.line}]LSX-00021: undefined element "${root.name}" in namespace "${root.namespace}"`)
  else checkElement(root, definition, ids, faults)
  return faults.slice(0, ENOUGH)
}

function checkElement(node: XmlNode, definition: Definition, ids: Set<string>, faults: string[]): void {
  if (faults.length >= ENOUGH) return
  checkAttributes(node, definition, ids, faults)
  if (definition.type !== null) {
    if (node.elements.length > 0) faults.push(`[${node.line}]LSX-00202: contents of "${node.name}" must be text only`)
    else {
      const fault = definition.type(textOf(node))
      if (fault !== null) faults.push(`[${node.line}]${fault}`)
    }
    return
  }
  for (const part of node.content) {
    if (typeof part !== 'string' || part.trim() === '') continue
    faults.push(`[${node.line}]LSX-00201: contents of "${node.name}" must be elements only`)
    return
  }
  checkSequence(node, definition.slots, ids, faults)
}

/** A place is filled greedily: in the SII's grammars no name could also belong to the next one. */
function checkSequence(node: XmlNode, slots: readonly Slot[], ids: Set<string>, faults: string[]): void {
  const { elements } = node
  let at = 0
  for (const slot of slots) {
    let times = 0
    while (times < slot.most && at < elements.length) {
      const element = elements[at] as XmlNode
      const definition = slot.options.get(element.name)
      if (definition === undefined || definition.namespace !== element.namespace) break
      checkElement(element, definition, ids, faults)
      if (faults.length >= ENOUGH) return
      times++
      at++
    }
    if (times >= slot.least) continue
    const found = elements[at]
    const instead = found === undefined ? '' : `, found "${found.name}"`
    const { least } = slot
    const line = (found ?? node).line
    faults.push(
      `[${line}]LSX-00213: only ${times} occurrences of particle "${slot.name}", minimum is ${least}${instead}`,
    )
    return
  }
  const extra = elements[at]
  if (extra !== undefined) faults.push(`[${extra.line}]LSX-00204: extra data at end of complex element "${extra.name}"`)
}

function checkAttributes(node: XmlNode, definition: Definition, ids: Set<string>, faults: string[]): void {
  let seen = 0
  for (const { name, prefix, value } of node.attributes) {
    if (prefix !== '') {
      // Where a schema lies may be told anywhere; a type of its own, or `nil`, nowhere.
      if (namespaceOf(node, prefix) === XSI && /^(?:schemaLocation|noNamespaceSchemaLocation)$/.test(name)) continue
      faults.push(`[${node.line}]LSX-00207: attribute "${prefix}:${name}" is not declared`)
      continue
    }
    const rule = definition.attributes.get(name)
    if (rule === undefined) {
      faults.push(`[${node.line}]LSX-00207: attribute "${name}" is not declared`)
      continue
    }
    seen++
    const fault = rule.check(value)
    if (fault !== null) faults.push(`[${node.line}]${fault}`)
    if (!rule.unique) continue
    if (ids.has(value.trim())) faults.push(`[${node.line}]LSX-00232: ID "${value}" is not unique`)
    ids.add(value.trim())
  }
  if (seen === definition.attributes.size) return
  for (const name of definition.attributes.keys())
    if (!node.attributes.some((held) => held.name === name && held.prefix === ''))
      faults.push(`[${node.line}]LSX-00208: required attribute "${name}" of "${node.name}" is missing`)
}

function namespaceOf(node: XmlNode, prefix: string): string | undefined {
  for (let next: XmlNode | null = node; next !== null; next = next.parent) {
    const found = next.declared.get(prefix)
    if (found !== undefined) return found
  }
  return undefined
}
