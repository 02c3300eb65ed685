import { parseXmlText, type XmlElement } from '@timbre/dte/xml'
import { kindOf } from '../body.ts'
import { loneAlert } from '../portal/alerts.ts'
import { type Form, type Page, readPage } from '../portal/page.ts'
import type { SiiAnswer } from '../wire.ts'
import { keyName, programOf, qualified } from './shape.ts'
import { namedKind, placeholder } from './text-kind.ts'

/** An answer without its contents, in its own format. Its shape is that of the answer, and it can be kept by anybody. */
export interface RedactedSample {
  readonly extension: 'xml' | 'json' | 'html' | 'txt'
  readonly text: string
}

/** Rows of a list that a sample keeps: the first ones say what the others would. */
const KEPT_ROWS = 20

export function redactedSample({ text, kind }: Pick<SiiAnswer, 'text' | 'kind'>): RedactedSample {
  if (kind === 'xml') return { extension: 'xml', text: redactedXml(text) }
  if (kind === 'html') return { extension: 'html', text: redactedPage(readPage(text)) }
  if (kind === 'json') return { extension: 'json', text: redactedJson(text) }
  return { extension: 'txt', text: blank(text) }
}

const blank = (text: string, name = ''): string => (text.trim() === '' ? '' : placeholder(namedKind(name, text)))
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function redactedXml(text: string): string {
  const parsed = parseXmlText(text)
  return parsed.ok ? redactedElement(parsed.value.root, {}) : placeholder('broken XML')
}

function redactedElement(element: XmlElement, scope: XmlElement['namespaces']): string {
  const name = qualified(element)
  const declared = Object.entries(element.namespaces).filter(([prefix, uri]) => scope[prefix] !== uri && uri !== '')
  const attributes = [
    ...declared.map(([prefix, uri]) => [prefix === '' ? 'xmlns' : `xmlns:${prefix}`, uri] as const),
    ...Object.entries(element.attributes).map(([key, value]) => [key, blank(value)] as const),
  ]
  const head = attributes.map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('')
  const nested =
    kindOf(element.text) === 'xml' ? escapeXml(redactedXml(element.text)) : blank(element.text, element.name)
  const inside = element.children.map((child) => redactedElement(child, element.namespaces)).join('')
  return `<${name}${head}>${inside === '' ? nested : inside}</${name}>`
}

function redactedJson(text: string): string {
  try {
    return `${JSON.stringify(redactedValue(JSON.parse(text)), null, 2)}\n`
  } catch {
    return placeholder('broken JSON')
  }
}

function redactedValue(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, KEPT_ROWS).map((row) => redactedValue(row))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [keyName(key), redactedValue(part, key)]))
  }
  if (typeof value === 'string') return blank(value, name)
  return typeof value === 'number' ? 0 : value
}

function redactedPage(page: Page): string {
  const alert = loneAlert(page.alerts)
  const rows = page.rows.map((row) => `<tr>${row.map((cell) => `<td>${blank(cell)}</td>`).join('')}</tr>\n`)
  return [
    '<html><body>\n',
    ...page.forms.map(redactedForm),
    ...(rows.length === 0 ? [] : ['<table>\n', ...rows, '</table>\n']),
    ...(alert === null ? [] : [`<script>alert('${blank(alert)}');</script>\n`]),
    '</body></html>\n',
  ].join('')
}

function redactedForm(form: Form): string {
  const chosen = new Set([...form.selects.keys(), ...form.radios.keys()])
  const named = (name: string) => `name="${escapeXml(name)}"`
  const lines = [
    ...[...form.fields]
      .filter(([name]) => !chosen.has(name))
      .map(([name, value]) => `<input type="hidden" ${named(name)} value="${blank(value)}">`),
    ...[...form.buttons.keys()].map((name) => `<input type="submit" ${named(name)} value="">`),
    ...[...form.selects.keys()].map((name) => `<select ${named(name)}></select>`),
    ...[...form.radios.keys()].map((name) => `<input type="radio" ${named(name)} value="">`),
  ]
  return `<form action="${escapeXml(programOf(form))}">\n${lines.join('\n')}\n</form>\n`
}
