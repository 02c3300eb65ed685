import { randomBytes, randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encodeDelta, indexBase } from './delta.ts'
import { decodeDelta } from './delta-read.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const BASE = indexBase(
  bytes('<A><Folio></Folio><Fecha></Fecha><Monto></Monto><Firma algoritmo="SHA1withRSA"></Firma></A>'),
)
const pack = (text: string) => encodeDelta(BASE, bytes(text))
const FULL =
  '<A><Folio>31</Folio><Fecha>2026-11-17</Fecha><Monto>8670</Monto><Firma algoritmo="SHA1withRSA">x9/+Q==</Firma></A>'

/** Bytes that share pieces with the base, with themselves and with nothing. */
function mixture(base: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let n = randomInt(12); n >= 0; n--) {
    const whole = Buffer.concat(parts)
    const from = [base, whole, randomBytes(40)][randomInt(3)] ?? base
    const start = randomInt(from.length + 1)
    parts.push(from.subarray(start, start + randomInt(60)))
  }
  return Buffer.concat(parts)
}

describe('a delta', () => {
  it('gives back what was written, whatever it has in common with its base', () => {
    const lost: string[] = []
    for (let n = 0; n < 3_000; n++) {
      const base =
        n % 3 === 0 ? randomBytes(randomInt(300)) : Buffer.concat([mixture(BASE.bytes as Buffer), randomBytes(9)])
      // Cut out of other bytes, from any place on.
      const wanted = Buffer.concat([Buffer.alloc(n % 5), mixture(base)]).subarray(n % 5)
      const back = decodeDelta(base, encodeDelta(indexBase(base), wanted))
      if (!back.equals(wanted)) lost.push(`${base.toString('hex')} ${wanted.toString('hex')}`)
    }
    expect(lost).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['less than a copy', '<A>'],
    ['the base itself', BASE.bytes.toString()],
    ['a document', FULL],
  ])('gives back %s', (_, text) => {
    expect(decodeDelta(BASE.bytes, pack(text)).toString('latin1')).toBe(text)
  })

  it('gives back a megabyte that shares nothing, and then a short text as before', () => {
    const long = randomBytes(1 << 20)
    expect(decodeDelta(BASE.bytes, encodeDelta(BASE, long)).equals(long)).toBe(true)
    expect(decodeDelta(BASE.bytes, pack(FULL)).toString('latin1')).toBe(FULL)
  })

  it('holds little more than what the base does not have', () => {
    const fresh = ['31', '2026-11-17', '8670', 'x9/+Q=='].join('').length
    expect(pack(FULL).length).toBeLessThan(fresh + 25)
  })

  it('finds what it shares with its base behind much that is new, from its first byte to its last', () => {
    const fresh = randomBytes(9_000)
    const packed = encodeDelta(BASE, Buffer.concat([fresh, BASE.bytes as Buffer]))
    // Two lengths, two counts and a place.
    expect(packed.length).toBeLessThan(fresh.length + 12)
  })

  it('writes once what it repeats itself', () => {
    const id = 'doc_01m7m70g0rwbr30wk19q7d8mn4'
    expect(pack(`${id} ${id} ${id}`).length).toBeLessThan(id.length + 18)
  })

  it('writes a long run once, though a short run of the same letter came before', () => {
    for (let letters = 5; letters < 14; letters++)
      expect(pack(`${'a'.repeat(letters)}b${'a'.repeat(1_000)}`).length, `${letters} letters`).toBeLessThan(80)
  })

  it('of a megabyte of one letter, or of a few, looks at each byte a few times and not at all the rest', () => {
    for (const run of ['x', 'xy', 'xyz', 'wxyz']) {
      const text = bytes(run.repeat(1 << 18).padEnd(1 << 20, 'x'))
      expect(text.equals(decodeDelta(BASE.bytes, encodeDelta(BASE, text)))).toBe(true)
    }
  })

  it('refuses to be read when it was cut, at any byte', () => {
    const packed = pack(FULL)
    for (let end = 0; end < packed.length; end++)
      expect(() => decodeDelta(BASE.bytes, packed.subarray(0, end)), `cut at ${end}`).toThrow('a delta')
  })

  it('refuses to be read when something follows it', () => {
    expect(() => decodeDelta(BASE.bytes, Buffer.concat([pack(FULL), bytes('x')]))).toThrow(
      'a delta goes on behind its end',
    )
  })

  it('refuses to be read against a base of another length', () => {
    expect(() => decodeDelta(BASE.bytes.subarray(0, 40), pack(FULL))).toThrow('a delta is of another base')
  })

  it('refuses a length that nothing has', () => {
    for (const highest of ['\x07', '\x0f'])
      expect(() => decodeDelta(bytes(''), bytes(`\x00\xff\xff\xff\xff${highest}`))).toThrow('a delta is too long')
    expect(() => decodeDelta(bytes(''), bytes('\x00\x03\xff\xff\xff\xff\x0f'))).toThrow('a delta is cut')
  })

  it('leaves room before and after it where that is asked for, and copies nothing out of it', () => {
    const between = decodeDelta(BASE.bytes, pack(FULL + FULL), { before: 7, after: 3 })
    expect(between.length).toBe(7 + 2 * FULL.length + 3)
    expect(between.subarray(7, -3).toString('latin1')).toBe(FULL + FULL)
    // One new byte, then two copied from two bytes back, where only one was written.
    const beyond = bytes('\x00\x03\x01a\x05\x05\x00')
    for (const before of [0, 7])
      expect(() => decodeDelta(bytes(''), beyond, { before, after: 0 })).toThrow('a delta leaves its base')
  })
})
