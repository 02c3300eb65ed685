/** Characters of windows-1252 that ISO-8859-1 has not, from 0x80 on; 0xFFFD where it has none. */
const EXTRA =
  '\u20ac\ufffd\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\ufffd\u017d\ufffd' +
  '\ufffd\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\ufffd\u017e\u0178'

export type FormCharset = 'windows-1252' | 'utf-8'

/**
 * The body of a form as a browser sends it. The portal's programs read windows-1252: an accent in UTF-8 would become
 * two wrong characters of a tax document. A character that it has not is written as a numeric reference, as browsers do.
 */
export function encodeForm(fields: Iterable<readonly [string, string]>, charset: FormCharset): string {
  return [...fields].map(([name, value]) => `${encode(name, charset)}=${encode(value, charset)}`).join('&')
}

export function formType(charset: FormCharset): string {
  return charset === 'utf-8' ? 'application/x-www-form-urlencoded; charset=UTF-8' : 'application/x-www-form-urlencoded'
}

function encode(text: string, charset: FormCharset): string {
  const lines = text.replace(/\r\n|\r|\n/g, '\r\n')
  const bytes = charset === 'utf-8' ? Buffer.from(lines, 'utf8') : windows1252(lines)
  let encoded = ''
  for (const byte of bytes) encoded += escapeByte(byte)
  return encoded
}

function escapeByte(byte: number): string {
  if (byte === 0x20) return '+'
  const char = String.fromCharCode(byte)
  return /[A-Za-z0-9*._-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

function windows1252(text: string): number[] {
  const bytes: number[] = []
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const extra = EXTRA.indexOf(char)
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) bytes.push(code)
    else if (extra !== -1 && char !== '\ufffd') bytes.push(0x80 + extra)
    else bytes.push(...Buffer.from(`&#${code};`, 'latin1'))
  }
  return bytes
}
