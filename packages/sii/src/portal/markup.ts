import { decodeEntities } from './entities.ts'

/**
 * Reads the portal's HTML as a flat sequence of tags and text. A tree would be wrong: its pages open forms inside
 * tables and close them elsewhere, and leave cells and options open. One pass, so that no page can make it slow.
 */
export type Token =
  | OpenTag
  | { readonly kind: 'close'; readonly name: string }
  /** `raw` inside script, style and textarea, whose references are not read here. */
  | { readonly kind: 'text'; readonly text: string; readonly raw: boolean }

export interface OpenTag {
  readonly kind: 'open'
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

const RAW_TEXT = new Set(['script', 'style', 'textarea'])
const SPACE = /\s/

export function readTokens(html: string): Token[] {
  const tokens: Token[] = []
  // Only ASCII changes its case here, so that places in both texts are the same.
  const lower = html.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  let at = 0
  while (at < html.length) {
    const tag = html.indexOf('<', at)
    const end = tag === -1 ? html.length : tag
    if (end > at) tokens.push({ kind: 'text', text: decodeEntities(html.slice(at, end)), raw: false })
    if (tag === -1) break
    at = readTag(html, lower, tag, tokens)
  }
  return tokens
}

/** Reads what begins with `<` at a place; returns the place after it. */
function readTag(html: string, lower: string, tag: number, tokens: Token[]): number {
  if (lower.startsWith('<!--', tag)) return after(lower.indexOf('-->', tag + 4), 3, html)
  const next = lower.charAt(tag + 1)
  if (next === '!' || next === '?') return after(lower.indexOf('>', tag), 1, html)
  const closing = next === '/'
  const from = closing ? tag + 2 : tag + 1
  let to = from
  while (to < lower.length && /[a-z0-9:_-]/.test(lower.charAt(to))) to++
  if (to === from) {
    tokens.push({ kind: 'text', text: '<', raw: false })
    return tag + 1
  }
  const name = lower.slice(from, to)
  const { attributes, end } = readAttributes(html, to)
  if (closing) {
    tokens.push({ kind: 'close', name })
    return end
  }
  tokens.push({ kind: 'open', name, attributes })
  if (!RAW_TEXT.has(name)) return end
  const close = lower.indexOf(`</${name}`, end)
  const stop = close === -1 ? html.length : close
  tokens.push({ kind: 'text', text: html.slice(end, stop), raw: true })
  return stop
}

function after(place: number, length: number, html: string): number {
  return place === -1 ? html.length : place + length
}

function readAttributes(html: string, start: number): { attributes: ReadonlyMap<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let at = start
  while (at < html.length) {
    at = skip(html, at, (char) => SPACE.test(char) || char === '/')
    if (html.charAt(at) === '>') return { attributes, end: at + 1 }
    const from = at
    // A name takes at least one character, whatever it is, so that the reading always goes on.
    at = skip(html, at + 1, (char) => !SPACE.test(char) && char !== '=' && char !== '>')
    const name = html.slice(from, at).toLowerCase()
    const equals = skip(html, at, (char) => SPACE.test(char))
    if (html.charAt(equals) !== '=') {
      if (!attributes.has(name)) attributes.set(name, '')
      continue
    }
    const value = readValue(
      html,
      skip(html, equals + 1, (char) => SPACE.test(char)),
    )
    if (!attributes.has(name)) attributes.set(name, decodeEntities(value.text))
    at = value.end
  }
  return { attributes, end: html.length }
}

function readValue(html: string, from: number): { text: string; end: number } {
  const quote = html.charAt(from)
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, from + 1)
    return close === -1
      ? { text: html.slice(from + 1), end: html.length }
      : { text: html.slice(from + 1, close), end: close + 1 }
  }
  const end = skip(html, from, (char) => !SPACE.test(char) && char !== '>')
  return { text: html.slice(from, end), end }
}

function skip(html: string, from: number, goes_on: (char: string) => boolean): number {
  let at = from
  while (at < html.length && goes_on(html.charAt(at))) at++
  return at
}

/** Text as a person sees it: runs of spaces and line ends are one space. */
export function squeeze(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim()
}
