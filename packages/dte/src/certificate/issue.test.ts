import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../signature/sign.ts'
import { issueCertificate } from './issue.ts'
import { readCertificate } from './x509.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const order = {
  rut: '11111111-1',
  holder: 'Persona Ñandú de Prueba',
  issuer: 'CA de Prueba',
  serial: 0x80_00_00_01,
  valid_from: new Date('2020-01-01T00:00:00Z'),
  valid_until: new Date('2049-12-31T23:59:59Z'),
}

describe('a certificate issued by a stand-in', () => {
  const bytes = issueCertificate(order, privateKey)

  it('carries the RUT as Chilean certificates do, its names, its serial and its validity', () => {
    expect(readCertificate(bytes)?.facts).toEqual({
      rut: '11111111-1',
      holder: order.holder,
      issuer: order.issuer,
      serial: '80000001',
      valid_from: '2020-01-01T00:00:00.000Z',
      valid_until: '2049-12-31T23:59:59.000Z',
    })
  })

  it('is a certificate to OpenSSL and to forge, signed with its own key', () => {
    const read = new X509Certificate(bytes)
    expect(read.verify(read.publicKey)).toBe(true)
    expect(read.checkPrivateKey(privateKey)).toBe(true)
    const forged = forge.pki.certificateFromAsn1(forge.asn1.fromDer(Buffer.from(bytes).toString('latin1')))
    expect(forged.getExtension('subjectAltName')).not.toBeNull()
  })

  it('signs with the RUT of its holder', () => {
    expect(createSigner(privateKey, new X509Certificate(bytes)).rut).toBe('11111111-1')
  })

  it('writes small and large serial numbers as positive ones', () => {
    for (const [serial, read] of [
      [1, '01'],
      [127, '7F'],
      [128, '80'],
      [256, '0100'],
      [0xffffffff, 'FFFFFFFF'],
    ] as const) {
      const facts = readCertificate(issueCertificate({ ...order, serial }, privateKey))?.facts
      expect(facts?.serial).toBe(read)
      expect(new X509Certificate(issueCertificate({ ...order, serial }, privateKey)).serialNumber).toBe(read)
    }
  })
})
