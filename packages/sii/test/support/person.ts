import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { createSigner, issueCertificate } from '@timbre/dte'
import type { Identity } from '../../src/index.ts'

/** A person with a certificate, made once for a file of tests. Real keys have 2,048 bits; half is quicker to make. */
export function newPerson(rut = '12345678-5'): Identity {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const der = issueCertificate(
    {
      rut,
      holder: 'Ana Soto Reyes',
      issuer: 'Autoridad de prueba',
      serial: 7,
      valid_from: new Date('2026-01-01T00:00:00Z'),
      valid_until: new Date('2030-01-01T00:00:00Z'),
    },
    privateKey,
  )
  const certificate = new X509Certificate(der)
  return {
    rut,
    fingerprint: createHash('sha256').update(der).digest('hex'),
    signer: createSigner(privateKey, certificate),
    tls: { cert: certificate.toString(), key: privateKey },
  }
}
