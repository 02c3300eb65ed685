/**
 * What a script says with `alert('…')`. The portal refuses with HTTP 200 and puts the reason there. Calls that stand in
 * a comment are template text of a good page; so are calls that put a text together from parts.
 */
export interface Alerts {
  /** Texts of the live calls with one literal, escapes read. */
  readonly texts: readonly string[]
  /** All live calls, those with other arguments too. */
  readonly calls: number
}

export function readAlerts(scripts: readonly string[]): Alerts {
  const texts: string[] = []
  let calls = 0
  for (const script of scripts) calls += scan(script, texts)
  return { texts, calls }
}

/** The reason a page gives: the text of its only call. Several calls are the page's own validation, not an answer. */
export function loneAlert(alerts: Alerts): string | null {
  const [text] = alerts.texts
  if (text === undefined || alerts.calls !== alerts.texts.length) return null
  return alerts.texts.every((other) => other === text) ? text : null
}

function scan(script: string, texts: string[]): number {
  let calls = 0
  let at = 0
  while (at < script.length) {
    const char = script.charAt(at)
    if (char === '/' && script.charAt(at + 1) === '/') at = lineEnd(script, at)
    else if (char === '/' && script.charAt(at + 1) === '*') at = end(script.indexOf('*/', at + 2), 2, script)
    else if (script.startsWith('<!--', at)) at = lineEnd(script, at)
    else if (char === '"' || char === "'" || char === '`') at = readLiteral(script, at).end
    else if (isCall(script, at)) {
      calls++
      at = readCall(script, at + 'alert'.length, texts)
    } else at++
  }
  return calls
}

function isCall(script: string, at: number): boolean {
  if (!script.startsWith('alert', at) || /[\w$]/.test(script.charAt(at - 1))) return false
  return script.charAt(spaces(script, at + 'alert'.length)) === '('
}

function readCall(script: string, from: number, texts: string[]): number {
  const first = spaces(script, spaces(script, from) + 1)
  const quote = script.charAt(first)
  if (quote !== '"' && quote !== "'") return first
  const literal = readLiteral(script, first)
  if (script.charAt(spaces(script, literal.end)) === ')') texts.push(literal.text.replace(/\s+/g, ' ').trim())
  return literal.end
}

function readLiteral(script: string, from: number): { text: string; end: number } {
  const quote = script.charAt(from)
  let text = ''
  let at = from + 1
  while (at < script.length) {
    const char = script.charAt(at)
    if (char === quote) return { text, end: at + 1 }
    // An unclosed literal ends with its line, as a browser reads it: what follows is code again.
    if (char === '\n' && quote !== '`') return { text, end: at }
    if (char !== '\\') {
      text += char
      at++
      continue
    }
    const { read, length } = readEscape(script, at)
    text += read
    at += length
  }
  return { text, end: script.length }
}

function readEscape(script: string, at: number): { read: string; length: number } {
  const unicode = /^\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(script.slice(at, at + 6))
  if (unicode !== null) {
    return { read: String.fromCharCode(Number.parseInt(unicode[1] ?? unicode[2] ?? '', 16)), length: unicode[0].length }
  }
  const char = script.charAt(at + 1)
  return { read: char === 'n' || char === 'r' || char === 't' ? ' ' : char, length: 2 }
}

function spaces(script: string, from: number): number {
  let at = from
  while (at < script.length && /\s/.test(script.charAt(at))) at++
  return at
}

function lineEnd(script: string, from: number): number {
  return end(script.indexOf('\n', from), 0, script)
}

function end(place: number, length: number, script: string): number {
  return place === -1 ? script.length : place + length
}
