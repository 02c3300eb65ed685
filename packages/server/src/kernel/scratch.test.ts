import { describe, expect, it } from 'vitest'
import type { Sql } from './db.ts'
import { encodeDelta, indexBase } from './delta.ts'
import { givesBack } from './delta-read.ts'
import { fingerprintOf, sealAnswer } from './idempotency.ts'
import { scratch, scratchText } from './scratch.ts'
import { loadTextBases, openText, packText } from './text-base.ts'

const BASE = indexBase(Buffer.from('{"object":{"id":"","status":"queued","receptor":{"legal_name":""}}}'))
const KEY = { account_id: 'acc_1', mode: 'live', empresa_id: '', operation: 'create_key', key: 'k-1' }

describe('room for bytes that are cast off at once', () => {
  it.each([
    ['nothing', ''],
    ['letters of one, two, three and four bytes', 'año 5 € 𝄞'],
    ['half of a letter', '\ud834'],
    ['as much as it holds', '€'.repeat(21_845)],
    ['more than it holds', '€'.repeat(21_846)],
  ])('writes %s as a buffer of its own would hold it', (_, text) => {
    expect(scratchText(text).equals(Buffer.from(text))).toBe(true)
  })

  it('gives as much as is asked for, beyond what it holds too', () => {
    expect(scratch(0).length).toBe(0)
    expect(scratch(1 << 16).length).toBe(1 << 16)
    expect(scratch((1 << 20) + 1).length).toBe((1 << 20) + 1)
  })

  it('leaves nothing between two differences that are kept: the slab they lie in would stay for it', async () => {
    const rows = [{ id: 1, object: 'scratch', bytes: BASE.bytes }]
    await loadTextBases((async () => rows) as unknown as Sql)
    const texts = Array.from({ length: 12 }, (_, n) => `{"object":{"id":"doc_${n}","status":"${'x'.repeat(600)}"}}`)
    const kept = texts.map((text) => packText('scratch', text)?.packed ?? Buffer.alloc(0))
    // A new slab is begun once in eight thousand bytes.
    const beside = kept.filter((one, n) => {
      const before = kept[n - 1]
      return before?.buffer === one.buffer && one.byteOffset - before.byteOffset - before.length < 8
    })
    expect(beside.length).toBeGreaterThanOrEqual(kept.length - 2)
    expect(texts.every((text, n) => openText(1, kept[n] as Buffer) === text)).toBe(true)
  })

  it('does not keep what a request said once its fingerprint is taken, nor an answer that could not be sealed', () => {
    fingerprintOf('POST /v1/certificates', Buffer.from('{"password":"clave-secreta-123"}'))
    expect(scratch(1 << 16).includes('clave-secreta-123')).toBe(false)
    const broken = {
      version: 1,
      seal: (): Uint8Array => {
        throw new Error('no key')
      },
      open: () => new Uint8Array(0),
    }
    const seal = () =>
      sealAnswer(broken, KEY, Buffer.alloc(32), { status: 201, body: '{"secret":"sk_live_shown_once"}' })
    expect(seal).toThrow('no key')
    expect(scratch(1 << 16).includes('sk_live_shown_once')).toBe(false)
  })

  it('does not keep the secret of an answer that was sealed in it', () => {
    const secret = 'sk_live_shown_once'
    let sealed = ''
    const vault = {
      version: 1,
      seal: (_: string, clear: Uint8Array) => {
        sealed = Buffer.from(clear).toString()
        return new Uint8Array(3)
      },
      open: () => new Uint8Array(0),
    }
    sealAnswer(vault, KEY, Buffer.alloc(32, 'f'), { status: 201, body: `{"secret":"${secret}"}` })
    expect(sealed).toBe(`${'f'.repeat(32)}{"secret":"${secret}"}`)
    expect(scratch(1 << 16).includes(secret)).toBe(false)
  })
})

describe('a delta that is read back', () => {
  const text = Buffer.from('{"object":{"id":"doc_1","status":"sent"}}')
  const packed = encodeDelta(BASE, text)

  it('is told from one that gives other bytes', () => {
    expect(givesBack(BASE.bytes, packed, text)).toBe(true)
    const other = Buffer.from(text)
    other[20] = (other[20] ?? 0) + 1
    expect(givesBack(BASE.bytes, packed, other)).toBe(false)
    expect(givesBack(BASE.bytes, packed, text.subarray(0, -1))).toBe(false)
  })

  it('is an error where it was cut, as when it is read for good', () => {
    expect(() => givesBack(BASE.bytes, packed.subarray(0, -1), text)).toThrow('a delta')
  })
})
