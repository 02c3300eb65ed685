import { isUtf8 } from 'node:buffer'
import { readWindows } from '@timbre/dte/values'
import { storable } from './storable.ts'

/** What a body is, by its own first characters: the SII's `Content-Type` and status are not evidence of anything. */
export type BodyKind = 'xml' | 'html' | 'json' | 'text' | 'empty'

/**
 * Bytes to text. What is well-formed UTF-8 is UTF-8, whatever a page declares; anything else is windows-1252, which
 * reads ISO-8859-1 as well: the two differ only where ISO-8859-1 has control codes that no page uses.
 */
export function decodeBody(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = isUtf8(buffer) ? buffer.toString('utf8') : readWindows(buffer.toString('latin1'))
  return storable(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
}

const HTML = /^<(?:!doctype\s+html|html|head|body|title|script|meta|center|table|form|font|!--[^>]*-->\s*<html)\b/i

export function kindOf(text: string): BodyKind {
  const start = text.slice(0, 2_000).trimStart()
  if (start === '') return text.trim() === '' ? 'empty' : 'text'
  if (HTML.test(start)) return 'html'
  if (start.startsWith('<')) return isXhtml(start) ? 'html' : 'xml'
  return start.startsWith('{') || start.startsWith('[') ? 'json' : 'text'
}

/** A page that opens as XML does: with a declaration, then its document type or root. */
function isXhtml(start: string): boolean {
  const body = start.replace(/^<\?xml[^>]{0,200}\?>\s*/, '')
  return HTML.test(body)
}

/** The title of a page, for a person who reads a failure. */
export function titleOf(html: string): string | null {
  const title = /<title[^>]{0,200}>([^<]{0,300})/i.exec(html.slice(0, 20_000))?.[1]?.replace(/\s+/g, ' ').trim()
  return title ? title : null
}
