import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { type Caf, readCaf } from '../../src/caf/caf.ts'
import type { SiiKeys } from '../../src/caf/sii-keys.ts'
import { createSigner, type Signer } from '../../src/signature/sign.ts'
import { EMISOR } from './samples.ts'

export const SIGNER_RUT = '12345678-5'

export interface Identity {
  readonly signer: Signer
  readonly key_pem: string
  readonly certificate_pem: string
}

export interface IdentityOptions {
  readonly rut?: string
  /** Where the RUT goes: the alternative name of E-Sign and E-CertChile, the subject of the others, or nowhere. */
  readonly rut_in?: 'alternative_name' | 'subject' | 'nowhere'
  /** Size of a key of its own; the benchmarks ask for the real 2,048. */
  readonly bits?: number
  /** A key of its own instead of the one that the identities of a run share. */
  readonly fresh?: boolean
  readonly from?: string
  readonly until?: string
}

const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: 0x10001 })
const pem = (key: KeyObject) => key.export({ type: 'pkcs1', format: 'pem' }).toString()

/** Real certificates have 2,048; half of it is enough to prove the same and ten times faster to make. */
const KEY_BITS = 1024

let shared: ReturnType<typeof rsa> | undefined

function sharedKey(): ReturnType<typeof rsa> {
  shared ??= rsa(KEY_BITS)
  return shared
}

function makeKey({ bits, fresh }: IdentityOptions): ReturnType<typeof rsa> {
  return bits !== undefined || fresh === true ? rsa(bits ?? KEY_BITS) : sharedKey()
}

/** A throwaway certificate with its key: made for each run, so no key is kept in the repository. */
export function makeIdentity(options: IdentityOptions = {}): Identity {
  const { rut = SIGNER_RUT, rut_in = 'alternative_name' } = options
  const { privateKey, publicKey } = makeKey(options)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(options.from ?? '2026-01-01T00:00:00Z')
  certificate.validity.notAfter = new Date(options.until ?? '2029-01-01T00:00:00Z')
  const subject: forge.pki.CertificateField[] = [{ name: 'commonName', value: 'Persona de Prueba' }]
  if (rut_in === 'subject') subject.push({ type: '2.5.4.5', value: rut })
  certificate.setSubject(subject)
  certificate.setIssuer([{ name: 'commonName', value: 'CA de Prueba' }])
  if (rut_in === 'alternative_name') certificate.setExtensions([alternativeName(rut)])
  certificate.sign(forge.pki.privateKeyFromPem(pem(privateKey)), forge.md.sha256.create())
  const certificate_pem = forge.pki.certificateToPem(certificate)
  return {
    signer: createSigner(privateKey, new X509Certificate(certificate_pem)),
    key_pem: pem(privateKey),
    certificate_pem,
  }
}

/** otherName 1.3.6.1.4.1.8321.1 with an IA5String. */
function alternativeName(rut: string) {
  const { asn1 } = forge
  const context = asn1.Class.CONTEXT_SPECIFIC
  const text = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.IA5STRING, false, rut)
  const id = asn1.oidToDer('1.3.6.1.4.1.8321.1').getBytes()
  const other = asn1.create(context, 0, true, [
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, id),
    asn1.create(context, 0, true, [text]),
  ])
  return { id: '2.5.29.17', value: asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [other]) }
}

const sii = rsa(1024)

/** Plays the SII for the CAFs made here. */
export const TEST_SII_KEYS: SiiKeys = { 100: sii.publicKey }

export interface CafOptions {
  readonly tipo_dte: number
  readonly emisor_rut?: string
  /** As written in the file, references included. */
  readonly emisor_name_xml?: string
  readonly first?: number
  readonly last?: number
  readonly authorised_on?: string
}

/** The file that the SII would give, with the line breaks it has. */
export function cafFile(options: CafOptions): Buffer {
  const { privateKey, publicKey } = rsa(512)
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64')
  const name = options.emisor_name_xml ?? EMISOR.legal_name.replaceAll('&', '&amp;')
  const da =
    `<DA><RE>${options.emisor_rut ?? EMISOR.rut}</RE><RS>${name}</RS><TD>${options.tipo_dte}</TD>` +
    `<RNG><D>${options.first ?? 1}</D><H>${options.last ?? 1000}</H></RNG><FA>${options.authorised_on ?? '2026-10-01'}</FA>` +
    `<RSAPK><M>${base64(n)}</M><E>${base64(e)}</E></RSAPK><IDK>100</IDK></DA>`
  const frma = sign('RSA-SHA1', Buffer.from(da, 'latin1'), sii.privateKey).toString('base64')
  return Buffer.from(
    `<?xml version="1.0"?>\n<AUTORIZACION>\n<CAF version="1.0">\n${da.replace('<DA>', '<DA>\n')}\n` +
      `<FRMA algoritmo="SHA1withRSA">${frma}</FRMA>\n</CAF>\n<RSASK>${pem(privateKey)}</RSASK>\n\n` +
      `<RSAPUBK>${publicKey.export({ type: 'spki', format: 'pem' })}</RSAPUBK>\n</AUTORIZACION>\n`,
    'latin1',
  )
}

export function makeCaf(options: CafOptions): Caf {
  const read = readCaf(cafFile(options), TEST_SII_KEYS)
  if (!read.ok) throw new Error(read.refusal.message)
  return read.value
}
