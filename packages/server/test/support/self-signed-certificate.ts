// A TLS certificate that nobody vouches for.

import { createPrivateKey } from 'node:crypto'
import { issueCertificate } from '@timbre/dte'
import { inject } from 'vitest'

/** The key of the run and a certificate of its own making, for a server that nobody vouches for. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const privateKey = createPrivateKey(inject('personKey'))
  const order = {
    rut: '11111111-1',
    holder: '127.0.0.1',
    issuer: '127.0.0.1',
    serial: 1,
    valid_from: new Date('2020-01-01T00:00:00Z'),
    valid_until: new Date('2049-12-31T23:59:59Z'),
  }
  const bytes = Buffer.from(issueCertificate(order, privateKey)).toString('base64')
  const cert = `-----BEGIN CERTIFICATE-----\n${bytes.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}
