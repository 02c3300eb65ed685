import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { issueCertificate } from '@timbre/dte'
import forge from 'node-forge'

const PASSWORD = 'timbre trigger'
const DAY_MS = 86_400_000

/** A certificate of a made-up person that vouches for itself, as a .pfx: the sandbox only keeps it. */
export async function makePfx(days: number): Promise<{ readonly file: string; readonly password: string }> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const now = Date.now()
  const holder = 'Persona de Prueba'
  const order = {
    rut: '11111111-1',
    holder,
    issuer: holder,
    serial: Math.floor(now / 1000),
    valid_from: new Date(now - DAY_MS),
    valid_until: new Date(now + days * DAY_MS),
  }
  const der = issueCertificate(order, privateKey, privateKey)
  const certificate = forge.pki.certificateFromPem(new X509Certificate(der).toString())
  const key = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  const pfx = forge.pkcs12.toPkcs12Asn1(key, [certificate], PASSWORD, { algorithm: 'aes256' })
  return { file: Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1').toString('base64'), password: PASSWORD }
}
