import forge from 'node-forge'
import { describe, expect, it } from 'vitest'
import { readDer } from './der.ts'
import { decryptions, deriveKey, passwordBytes } from './pkcs12-pbe.ts'

describe('RC2, which is decrypted in pieces', () => {
  it('gives the same text as at once, whatever falls on the edge of a piece', () => {
    const password = passwordBytes('clave')
    const [bmp = Buffer.alloc(0)] = password.bmp
    const [key, iv] = [
      [1, 5],
      [2, 8],
    ].map(([purpose = 0, size = 0]) => deriveKey('sha1', bmp, Buffer.alloc(8, 1), purpose, 5, size).toString('latin1'))
    // pbeWithSHAAnd40BitRC2-CBC, 5 iterations.
    const algorithm = readDer(Buffer.from('301b060a2a864886f70d010c0106300d04080101010101010101020105', 'hex'))
    for (const length of [16_383, 16_384, 16_385, 33_000]) {
      const text = Buffer.from(Array.from({ length }, (_, index) => (index * 7) & 0xff))
      const cipher = forge.rc2.createEncryptionCipher(key ?? '', 40)
      cipher.start(iv ?? '')
      cipher.update(forge.util.createBuffer(text.toString('latin1')))
      cipher.finish()
      const encrypted = Buffer.from(cipher.output.getBytes(), 'latin1')
      expect([...decryptions(algorithm, encrypted, password)].map((plain) => plain.equals(text))).toEqual([true])
    }
  })
})
