import { parseXmlText, type XmlElement } from '@timbre/dte/xml'
import { kindOf } from '../body.ts'
import { loneAlert } from '../portal/alerts.ts'
import { type Form, type Page, readPage } from '../portal/page.ts'
import type { SiiAnswer } from '../wire.ts'
import { namedKind, placeholder, textKind } from './text-kind.ts'

/** What an answer looks like: names, order, cardinality and kinds of text. Nothing in it is a content. */
export interface Shape {
  readonly name: string
  readonly kind: string
  /** More than one of its name stand in the same place. */
  readonly many: boolean
  readonly parts: readonly Shape[]
}

export function shapeOf({ text, kind }: Pick<SiiAnswer, 'text' | 'kind'>): Shape {
  if (kind === 'xml') return xmlShape(text)
  if (kind === 'html') return group('page', 'page', pageParts(readPage(text)))
  if (kind === 'json') return jsonText(text)
  return leaf('text', textKind(text))
}

const leaf = (name: string, kind: string): Shape => ({ name, kind, many: false, parts: [] })

/** Parts of one name become one, which is there many times: how many is a content. */
function group(name: string, kind: string, parts: readonly Shape[]): Shape {
  const merged = new Map<string, Shape>()
  for (const part of parts) {
    const before = merged.get(part.name)
    merged.set(part.name, before === undefined ? part : { ...mergeShapes(before, part), many: true })
  }
  return { name, kind, many: false, parts: [...merged.values()] }
}

function mergeShapes(a: Shape, b: Shape): Shape {
  const kinds = new Set([...a.kind.split(' or '), ...b.kind.split(' or ')])
  const names = new Set([...a.parts, ...b.parts].map(({ name }) => name))
  const parts = [...names].flatMap((name) => {
    const [first, second] = [a, b].map((shape) => shape.parts.find((part) => part.name === name))
    if (first && second) return { ...mergeShapes(first, second), many: first.many || second.many }
    return first ?? second ?? []
  })
  return { name: a.name, kind: [...kinds].sort().join(' or '), many: a.many || b.many, parts }
}

function xmlShape(text: string): Shape {
  const parsed = parseXmlText(text)
  return parsed.ok ? elementShape(parsed.value.root) : leaf('text', 'broken XML')
}

export const qualified = ({ prefix, name }: XmlElement): string => (prefix === '' ? name : `${prefix}:${name}`)

function elementShape(element: XmlElement): Shape {
  const attributes = Object.entries(element.attributes).map(([name, value]) => leaf(`@${name}`, textKind(value)))
  if (element.children.length > 0) {
    return group(qualified(element), 'elements', [...attributes, ...element.children.map(elementShape)])
  }
  // SOAP services of the SII return XML as a text.
  if (kindOf(element.text) === 'xml') {
    return group(qualified(element), 'XML in a text', [...attributes, xmlShape(element.text)])
  }
  return group(qualified(element), namedKind(element.name, element.text), attributes)
}

function jsonText(text: string): Shape {
  try {
    return jsonShape('json', JSON.parse(text))
  } catch {
    return leaf('text', 'broken JSON')
  }
}

/** A key that is no name of a field (a RUT, a month) is a content. */
export const keyName = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : placeholder(textKind(key)))

function jsonShape(name: string, value: unknown): Shape {
  if (Array.isArray(value)) {
    const rows = value.map((row) => jsonShape('[]', row))
    const [first, ...rest] = rows
    return { name, kind: 'list', many: false, parts: first === undefined ? [] : [rest.reduce(mergeShapes, first)] }
  }
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([key, part]) => jsonShape(keyName(key), part))
    return group(name, 'object', parts)
  }
  if (typeof value === 'string') return leaf(name, namedKind(name, value))
  return leaf(name, value === null ? 'null' : typeof value)
}

/** Of a page only what a program could rely on: forms with their fields, alerts, and the rows of tables. */
function pageParts(page: Page): Shape[] {
  const alert = loneAlert(page.alerts)
  return [
    ...page.forms.map(formShape),
    ...(alert === null ? [] : [leaf('alert', textKind(alert))]),
    ...page.rows.map((row) => leaf(`row of ${row.map(textKind).join(', ')}`, 'row')),
  ]
}

export const programOf = ({ action }: Form): string => (action ?? '').split(/[?#]/)[0]?.split('/').at(-1) ?? ''

function formShape(form: Form): Shape {
  const chosen = new Set([...form.selects.keys(), ...form.radios.keys()])
  const fields = [...form.fields].filter(([name]) => !chosen.has(name))
  return group(`form to ${programOf(form)}`, 'form', [
    ...fields.map(([name, value]) => leaf(name, textKind(value))),
    ...[...form.buttons.keys()].map((name) => leaf(name, 'button')),
    ...[...form.selects.keys()].map((name) => leaf(name, 'select')),
    ...[...form.radios.keys()].map((name) => leaf(name, 'radio')),
  ])
}
