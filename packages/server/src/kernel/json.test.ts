import { describe, expect, it } from 'vitest'
import { CEILINGS } from '../catalog/limits.ts'
import { parseJson } from './json.ts'
import { Problem } from './problem.ts'

const LIMITS = { bytes: 10_000, values: 100 }
const read = (text: string) => parseJson(Buffer.from(text), LIMITS)

function refusal(text: string): Problem {
  try {
    read(text)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was read')
}

describe('a body of JSON', () => {
  it('is read as JSON.parse reads it, whatever its texts hold', () => {
    const values = [
      {},
      [],
      null,
      7,
      'a',
      { a: [1, { b: 'c' }], d: '[[[{{{,,,' },
      { quotes: 'a"b\\"c\\\\', key: '\\', 'a"b': '"' },
      { backslash: '\\\\\\', next: '","' },
      { text: 'ñandú € 😀\n\t' },
    ]
    for (const value of values) expect(read(JSON.stringify(value))).toEqual(value)
    for (const value of values) expect(read(JSON.stringify(value, null, 2))).toEqual(value)
  })

  it.each(['', '{', '"', '"\\', '"\\"', '{"a":1,}', '[1,2', 'nonsense', '{"a":"\u0001"}'])(
    'is invalid_json where it is none: %j',
    (text) => {
      expect(refusal(text)).toMatchObject({ code: 'invalid_json', facts: {} })
    },
  )

  it('is payload_too_large beyond its bytes, and says how many are taken', () => {
    expect(read(`${' '.repeat(9_998)}{}`)).toEqual({})
    expect(refusal(`${' '.repeat(9_999)}{}`).facts).toMatchObject({ details: { max_bytes: 10_000 } })
  })

  it('is payload_too_large with more values than are taken, before one of them is made', () => {
    const list = (length: number) => `[${Array.from({ length }, () => 0).join()}]`
    expect(read(list(99))).toHaveLength(99)
    for (const text of [list(100), `[${'{},'.repeat(60)}`, `${'{"a":'.repeat(20)}${'0,'.repeat(90)}`]) {
      expect(refusal(text)).toMatchObject({ code: 'payload_too_large', facts: { details: { max_values: 100 } } })
    }
  })

  it('is invalid_json where an object holds a name twice, however it is spelt, at any depth', () => {
    const twice = ['{"a":1,"a":2}', '{"a":1,"\\u0061":1}', '[{"b":{"a":{},"a":null}}]', '{"__proto__":1,"__proto__":2}']
    for (const text of twice)
      expect(refusal(text)).toMatchObject({
        code: 'invalid_json',
        message: expect.stringContaining('same name twice'),
      })
    for (const text of ['{"a":{"a":{"a":":"}}}', '[{"a":1},{"a":1}]', '{"__proto__":{"a":":\\":"}}']) {
      expect(read(text)).toEqual(JSON.parse(text))
    }
  })

  it('is invalid_json nested deeper than any of ours, closed or not', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(() => read(nested(CEILINGS.json_depth))).not.toThrow()
    for (const text of [nested(CEILINGS.json_depth + 1), '['.repeat(5_000), '{"a":'.repeat(2_000)]) {
      expect(refusal(text).message).toContain(`deeper than ${CEILINGS.json_depth} levels`)
    }
  })
})
