import { describe, expect, it } from 'vitest'
import { escapeText, latin1Bytes } from './write.ts'

describe('the bytes of a file in ISO-8859-1', () => {
  it('are one for each character', () => {
    const all = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))
    expect([...latin1Bytes(all)]).toEqual(Array.from({ length: 256 }, (_, code) => code))
  })

  it('are refused where a character is outside it, and the refusal says which and where', () => {
    expect(() => latin1Bytes('<a>“</a>')).toThrow('character 3 ("“") is not in ISO-8859-1')
    expect(() => latin1Bytes(`${'ñ'.repeat(10_000)}\u0100`)).toThrow('character 10000')
    expect(() => latin1Bytes('😀')).toThrow('character 0')
  })
})

describe('the text of an element', () => {
  it('escapes what the canonical form escapes and nothing else, in a short text and in a long one', () => {
    for (const filler of ['', 'x'.repeat(100)]) {
      expect(escapeText(`${filler}a & b`)).toBe(`${filler}a &amp; b`)
      expect(escapeText(`<b>\r${filler}`)).toBe(`&lt;b&gt;&#xD;${filler}`)
      expect(escapeText(`"it's"\t\n${filler}`)).toBe(`"it's"\t\n${filler}`)
    }
  })
})
