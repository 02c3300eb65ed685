// Certificates of persons as files, all of the one key that a run makes.

import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { type CertificateOrder, issueCertificate } from '@timbre/dte'
import { inject } from 'vitest'
import { lockedPfx, plainPfx } from '../../../dte/test/support/pfx.ts'

const privateKey = createPrivateKey(inject('personKey'))
/** Of a CA that nobody knows. */
const { privateKey: issuer_key } = generateKeyPairSync('rsa', { modulusLength: 1024 })
export const PKCS8: Buffer = privateKey.export({ type: 'pkcs8', format: 'der' })
const key_pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

export const HOLDER_RUT = '11111111-1'
export const DAYS = { valid_from: new Date('2020-01-01T00:00:00Z'), valid_until: new Date('2040-01-01T00:00:00Z') }

let serial = 0

export function personCertificate(order: Partial<CertificateOrder> = {}, signed_with = issuer_key): Uint8Array {
  serial += 1
  return issueCertificate(
    { rut: HOLDER_RUT, holder: 'Ana Soto', issuer: 'CA de Prueba', serial, ...DAYS, ...order },
    privateKey,
    signed_with,
  )
}

/** A file with a certificate that its own key signed, in base64. */
export function selfSignedPfx(): string {
  return plainPfx([PKCS8], [personCertificate({}, privateKey)]).toString('base64')
}

/** A file with a certificate of a CA, and the certificate of that CA in PEM. */
export function accreditedPfx(): { readonly file: string; readonly ca: string } {
  const ca = issueCertificate(
    { holder: 'CA de Prueba', issuer: 'CA de Prueba', serial: 9_999, ...DAYS, authority: {} },
    issuer_key,
  )
  return { file: personPfx(), ca: new X509Certificate(ca).toString() }
}

/** A file that any password opens, in base64. */
export function personPfx(order: Partial<CertificateOrder> = {}): string {
  return plainPfx([PKCS8], [personCertificate(order)]).toString('base64')
}

/** A file that its password alone opens, as a CA hands it out. */
export function lockedPersonPfx(password: string): string {
  const certificate_pem = new X509Certificate(personCertificate()).toString()
  return lockedPfx({ key_pem, certificate_pem }, password).toString('base64')
}
