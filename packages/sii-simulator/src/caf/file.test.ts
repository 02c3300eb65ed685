import { createPrivateKey, createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { writeCaf } from './file.ts'
import { rationFor } from './rationing.ts'

const sii = generateKeyPairSync('rsa', { modulusLength: 1024 })
// As real ranges have them: 512 bits, exponent 3.
const range = generateKeyPairSync('rsa', { modulusLength: 512, publicExponent: 3 })
const order = {
  rut: '76543210-3',
  name: 'DISEÑO & COMPAÑÍA DE NOMBRE MUY LARGO, LIMITADA',
  tipo: 33,
  from: 101,
  to: 150,
  date: '2026-11-16',
}

describe('a file of folios', () => {
  const file = writeCaf(order, { idk: 900, key: sii.privateKey }, range.privateKey).toString('latin1')

  it('is signed by the key of its IDK over DA without space between the tags, in ISO-8859-1', () => {
    const da = /<DA>[\s\S]*<\/DA>/.exec(file)?.[0].replace(/>\s+</g, '><') ?? ''
    const frma = /<FRMA algoritmo="SHA1withRSA">(.*)<\/FRMA>/.exec(file)?.[1] ?? ''
    const verify = (bytes: Buffer) => createVerify('RSA-SHA1').update(bytes).verify(sii.publicKey, frma, 'base64')
    expect(verify(Buffer.from(da, 'latin1'))).toBe(true)
    expect(verify(Buffer.from(da, 'utf8'))).toBe(false)
    expect(da).toContain('<RS>DISEÑO &amp; COMPAÑÍA DE NOMBRE MUY LARGO, L</RS>')
  })

  it('hands over the private key whose public half the SII signed', () => {
    const key = createPrivateKey(/<RSASK>([\s\S]*)<\/RSASK>/.exec(file)?.[1] ?? '')
    const modulus = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).n ?? '', 'base64url').toString('base64')
    expect(file).toContain(`<M>${modulus}</M><E>Aw==</E>`)
  })
})

describe('rationing', () => {
  it('gives a newcomer a first range, and less of it the more lies unused', () => {
    expect(rationFor(33, { unused: 0, used: 0, annulments: 0 })).toEqual({ max_per_request: 100, refused: false })
    expect(rationFor(33, { unused: 60, used: 0, annulments: 0 }).max_per_request).toBe(40)
    expect(rationFor(33, { unused: 100, used: 0, annulments: 0 }).refused).toBe(true)
  })

  it('gives more to whoever uses more, and less for half a year after an annulment', () => {
    expect(rationFor(33, { unused: 0, used: 400, annulments: 0 }).max_per_request).toBe(500)
    expect(rationFor(33, { unused: 0, used: 400, annulments: 1 }).max_per_request).toBe(400)
  })

  it('never gives more than the cap that the control surface has set', () => {
    expect(rationFor(39, { unused: 0, used: 0, annulments: 0 }, 20).max_per_request).toBe(20)
  })
})
