// Strings and JSON texts that nobody means well with.

import type { Draw } from './chance.ts'

/** How large the largest thing may be: small in the short form, up to what a request may hold in the long one. */
export interface Sizes {
  readonly bytes: number
  readonly depth: number
}

const ODD: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u001fb',
  '\u007f',
  '\ud800',
  'x\udfff',
  '\u202etxt',
  '\ufeff',
  '😀'.repeat(50),
  'ñ'.normalize('NFD').repeat(200),
  'İıſK',
  "'; drop table empresa; --",
  '{{7*7}}<%= 7*7 %>#{7*7}',
  '<script>alert(1)</script>]]>&lol;',
  '../../../../etc/passwd',
  '%00%ff%2e%2e%2f',
  '__proto__',
  'constructor',
  '1e999',
  '-0',
  '9'.repeat(400),
  '0x10',
  'NaN',
  '2026-02-31',
  '0000-00-00',
  '+275760-09-13T00:00:00Z',
  'P999999999999Y',
  'http://[::1]:0/',
  'javascript:alert(1)',
]
/** What careless patterns try again and again: a long run, and an end that does not fit. */
const RUNS = ['\n', '\r\n', ' ', 'a', '1', '-', '.', '@', '=', '/', '\t', 'a@', 'a.', '(', 'á', 'A=']

export function hostileString(draw: Draw, { bytes }: Sizes): string {
  if (draw.often(0.6)) return draw.one(ODD)
  const run = draw.one(RUNS)
  const length = draw.one([300, 5_000, bytes])
  return run.repeat(Math.max(1, Math.floor(length / run.length / 2))) + draw.one(['', '!', '\u0000', '='])
}

export function hostileValue(draw: Draw, sizes: Sizes): unknown {
  return draw.one<() => unknown>([
    () => hostileString(draw, sizes),
    () => hostileString(draw, sizes),
    () => null,
    () => true,
    () => draw.one([0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, 5e-324, 1e21]),
    () => [],
    () => ({}),
    () => Array.from({ length: Math.floor(sizes.bytes / 8) }, () => draw.below(10)),
    () => Array.from({ length: 2_000 }, () => ({ a: {} })),
    () => Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, i])),
  ])()
}

/** JSON that JSON.stringify would not write: too deep for it, or with a name twice. */
export function hostileJson(draw: Draw, valid: unknown, sizes: Sizes): Buffer {
  const text = JSON.stringify(valid) ?? '{}'
  const { depth } = sizes
  const [key = 'a'] = Object.keys((valid as object | null) ?? {})
  const name = JSON.stringify(key)
  return draw.one<() => Buffer>([
    () => Buffer.from(text.slice(0, draw.below(text.length))),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc3])]),
    () =>
      Buffer.from(
        draw.one(['', 'null', '[]', '"x"', '1', 'true', '{', '[', '{"a":', 'undefined', "{'a':1}", '{"a":1,}']),
      ),
    () => Buffer.from(`{${name}:${'['.repeat(depth)}${']'.repeat(depth)}}`),
    () => Buffer.from(`{${name}:${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
    () => Buffer.from(`{${name}:${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}}`),
    () => Buffer.from(`{${name}:${'{"clave larga":'.repeat(depth)}"\\ud800"${'}'.repeat(depth)}}`),
    () => Buffer.from(`{${name}:[${'0,'.repeat(Math.floor(sizes.bytes / 2))}0]}`),
    () => Buffer.from(`{${name}:[${'"\\n",'.repeat(Math.floor(sizes.bytes / 5))}"\\u0001"]}`),
    () => Buffer.from(`{${name}:1,${name}:2,"__proto__":{"polluted":true},"constructor":{"prototype":{}}}`),
    () => Buffer.from(text.replace(/}$/, `${text === '{}' ? '' : ','}"__proto__":{"polluted":true}}`)),
    () => Buffer.from(text.replace(/}$/, `${text === '{}' ? '' : ','}"${'k'.repeat(20_000)}":1}`)),
    () => Buffer.from(`{${name}:1${'0'.repeat(5_000)}.5e${'9'.repeat(100)}}`),
    () => Buffer.from(`${' '.repeat(Math.floor(sizes.bytes / 2))}${text}`),
  ])()
}
