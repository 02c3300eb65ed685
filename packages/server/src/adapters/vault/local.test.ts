import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localVault } from './local.ts'

const first = randomBytes(32)
const second = randomBytes(32)
const vault = localVault(new Map([[1, first]]))
const clear = Buffer.from('a password nobody may read')

describe('the vault', () => {
  it('opens what it sealed, whatever it was and whoever it belongs to', () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array(), (owner, bytes) => {
        expect(Buffer.from(vault.open(owner, vault.seal(owner, bytes)))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('shows nothing of it, and never seals the same way twice', () => {
    const [one, two] = [vault.seal('row', clear), vault.seal('row', clear)]
    expect(Buffer.from(one).includes(clear.subarray(0, 8))).toBe(false)
    expect(Buffer.from(one).equals(two)).toBe(false)
  })

  it('uses no nonce twice, however many values it seals', () => {
    const nonces = Array.from({ length: 3_000 }, () => Buffer.from(vault.seal('row', clear)).toString('hex', 1, 13))
    expect(new Set(nonces).size).toBe(3_000)
  })

  it('does not open with any byte changed', () => {
    const sealed = vault.seal('row', clear)
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed[i] = (changed[i] as number) ^ 1
      expect(() => vault.open('row', changed)).toThrow()
    }
  })

  it('does not open cut short, to nothing too', () => {
    for (const sealed of [vault.seal('row', clear), vault.seal('row', new Uint8Array(0))]) {
      for (let length = 0; length < sealed.length; length++) {
        expect(() => vault.open('row', sealed.subarray(0, length))).toThrow()
      }
    }
  })

  it('does not open for another owner than the one it was sealed for', () => {
    const sealed = vault.seal('webhook_endpoint whe_1', clear)
    expect(() => vault.open('webhook_endpoint whe_2', sealed)).toThrow()
  })

  it('does not open under another key, or a version it has no key for', () => {
    const sealed = vault.seal('row', clear)
    expect(() => localVault(new Map([[1, second]])).open('row', sealed)).toThrow()
    expect(() => localVault(new Map([[2, first]]), 2).open('row', sealed)).toThrow('no master key of version 1')
  })

  it('opens old values beside new ones while a key is being replaced', () => {
    const old = vault.seal('row', clear)
    const both = localVault(
      new Map([
        [1, first],
        [2, second],
      ]),
      2,
    )
    const young = both.seal('row', clear)
    expect(Buffer.from(both.open('row', old))).toEqual(clear)
    expect(Buffer.from(both.open('row', young))).toEqual(clear)
    expect(() => vault.open('row', young)).toThrow('no master key of version 2')
  })

  it('does not start without a key of 32 bytes', () => {
    expect(() => localVault(new Map())).toThrow()
    expect(() => localVault(new Map([[1, randomBytes(16)]]))).toThrow()
  })
})
