export interface XmlAttribute {
  readonly name: string
  readonly prefix: string
  readonly value: string
}

/** An element with its content in order, so that it can be written again as Canonical XML. */
export interface XmlNode {
  readonly name: string
  readonly prefix: string
  /** The namespace it is in, by what is declared around it. */
  readonly namespace: string
  /** Without namespace declarations. */
  readonly attributes: readonly XmlAttribute[]
  /** Prefix to namespace, as declared on this element; the default one has the empty prefix. */
  readonly declared: ReadonlyMap<string, string>
  readonly parent: XmlNode | null
  readonly elements: readonly XmlNode[]
  /** Elements, decoded text, and processing instructions; comments are left out. */
  readonly content: readonly (XmlNode | string | Instruction)[]
  /** Where it lies in the text of the file. */
  readonly start: number
  readonly end: number
  /** 1 for the first line. */
  readonly line: number
}

export interface Instruction {
  readonly target: string
  readonly data: string
}

/** The decoded text directly inside an element. */
export function textOf(node: XmlNode): string {
  const only = node.content[0]
  if (node.content.length === 1 && typeof only === 'string') return only
  let text = ''
  for (const part of node.content) if (typeof part === 'string') text += part
  return text
}

export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  if (node === undefined) return undefined
  for (const element of node.elements) if (element.name === name) return element
  return undefined
}

export function children(node: XmlNode | undefined, name: string): XmlNode[] {
  return node === undefined ? [] : node.elements.filter((element) => element.name === name)
}

export function find(node: XmlNode | undefined, ...path: readonly string[]): XmlNode | undefined {
  let found = node
  for (const name of path) found = child(found, name)
  return found
}

/** Text at a path, without surrounding space; null when there is no such element. */
export function text(node: XmlNode | undefined, ...path: readonly string[]): string | null {
  const found = find(node, ...path)
  return found === undefined ? null : textOf(found).trim()
}

/** A whole number at a path; null when it is absent. The schema has made sure that it is one. */
export function number(node: XmlNode | undefined, ...path: readonly string[]): number | null {
  const found = text(node, ...path)
  return found === null ? null : Number(found)
}

export function attribute(node: XmlNode | undefined, name: string): string | null {
  for (const held of node?.attributes ?? []) if (held.name === name && held.prefix === '') return held.value
  return null
}
