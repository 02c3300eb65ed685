import { createHash, X509Certificate } from 'node:crypto'
import { createSigner, issueCertificate } from '@timbre/dte'
import type { Identity } from '../../src/index.ts'
import { personKey } from './person-key.ts'

let serial = 0

/** A person with a certificate of its own. */
export function newPerson(rut = '12345678-5'): Identity {
  const privateKey = personKey()
  const der = issueCertificate(
    {
      rut,
      holder: 'Ana Soto Reyes',
      issuer: 'Autoridad de prueba',
      serial: ++serial,
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
