import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { describe, expect, it } from 'vitest'
import { bundleOf, findIssuer, NO_AUTHORITIES, readCaBundle } from './chain.ts'
import { type CertificateOrder, issueCertificate } from './issue.ts'
import { pathLengthOf, signatureIsWeak } from './x509.ts'

const keys = Array.from({ length: 5 }, () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)
const [root_key, middle_key, low_key, other_key, person_key] = keys as [
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
]
const YEARS = { valid_from: new Date('2020-01-01T00:00:00Z'), valid_until: new Date('2040-01-01T00:00:00Z') }
const order = (holder: string, issuer: string, changes: Partial<CertificateOrder> = {}): CertificateOrder => ({
  holder,
  issuer,
  serial: 7,
  ...YEARS,
  ...changes,
})
const ca = (path_length?: number) => ({ authority: path_length === undefined ? {} : { path_length } })
const root = issueCertificate(order('Raíz', 'Raíz', ca()), root_key)
const middle = issueCertificate(
  order('Clase 2', 'Raíz', { ...ca(), valid_until: new Date('2030-01-01T00:00:00Z') }),
  middle_key,
  root_key,
)
const person = issueCertificate(order('Ana', 'Clase 2', { rut: '11111111-1' }), person_key, middle_key)
const text = (der: Uint8Array) => Buffer.from(der).toString('base64')
const issuerOf = (sent: readonly Uint8Array[], trusted: readonly Uint8Array[]) =>
  findIssuer(sent.map(text), bundleOf(trusted))

describe('who vouches for a signer', () => {
  it('is proven by signatures up to a root, with the CA in between loaded or sent along, for the years of them all', () => {
    const windows = [{ from: YEARS.valid_from, until: new Date('2030-01-01T00:00:00Z') }]
    expect(issuerOf([person], [middle, root])).toEqual({ issuer: 'proven', windows })
    expect(issuerOf([person, middle], [root])).toEqual({ issuer: 'proven', windows })
    expect(issuerOf([person, middle], [root])).toEqual({ issuer: 'proven', windows })
  })

  it('is not proven by a CA whose root is not loaded, nor by a root that came with the file', () => {
    expect(issuerOf([person], [middle])).toEqual({ issuer: 'unproven' })
    expect(issuerOf([person, middle, root], [])).toEqual({ issuer: 'unknown' })
    expect(findIssuer([text(person)], NO_AUTHORITIES)).toEqual({ issuer: 'unknown' })
  })

  it('is not proven by a name: the same one, signed with another key', () => {
    const forged = issueCertificate(order('Ana', 'Clase 2'), person_key, other_key)
    expect(issuerOf([forged], [middle, root])).toEqual({ issuer: 'unproven' })
    const false_middle = issueCertificate(order('Clase 2', 'Raíz', ca()), other_key, other_key)
    expect(issuerOf([forged, false_middle], [middle, root])).toEqual({ issuer: 'unproven' })
  })

  it('is nobody for a certificate made with its own key, whatever issuer it names', () => {
    expect(issuerOf([issueCertificate(order('Ana', 'Clase 2'), person_key)], [middle, root])).toEqual({
      issuer: 'self_signed',
    })
    expect(issuerOf([root], [middle])).toEqual({ issuer: 'self_signed' })
  })

  it('is not a person: whoever is no CA issues nothing', () => {
    const holder = issueCertificate(order('Bruno', 'Clase 2', { rut: '22222222-2' }), low_key, middle_key)
    const below = issueCertificate(order('Ana', 'Bruno'), person_key, low_key)
    expect(issuerOf([below, holder], [middle, root])).toEqual({ issuer: 'unknown' })
    expect(readCaBundle(new X509Certificate(holder).toString())).toMatchObject({ refusal: { rule: 'not_a_ca' } })
  })

  it('is bounded by the path length of each CA, and by four certificates in all', () => {
    const chainUnder = (path_length?: number) => {
      const top = issueCertificate(order('Raíz', 'Raíz', ca(path_length)), root_key)
      const low = issueCertificate(order('Clase 3', 'Clase 2', ca()), low_key, middle_key)
      const leaf = issueCertificate(order('Ana', 'Clase 3'), person_key, low_key)
      return issuerOf([leaf, low], [middle, top]).issuer
    }
    expect([chainUnder(), chainUnder(2), chainUnder(1), chainUnder(0)]).toEqual([
      'proven',
      'proven',
      'unknown',
      'unknown',
    ])
    const low = issueCertificate(order('Clase 3', 'Clase 2', ca()), low_key, middle_key)
    const lowest = issueCertificate(order('Clase 4', 'Clase 3', ca()), other_key, low_key)
    const leaf = issueCertificate(order('Ana', 'Clase 4'), person_key, other_key)
    expect(issuerOf([leaf, lowest, low], [middle, root]).issuer).toBe('unknown')
  })

  it('is looked for in bounded time: CAs that issue each other, hundreds of one name, and what is no certificate', () => {
    const one = issueCertificate(order('Uno', 'Dos', ca()), middle_key, low_key)
    const two = issueCertificate(order('Dos', 'Uno', ca()), low_key, middle_key)
    const leaf = issueCertificate(order('Ana', 'Uno'), person_key, middle_key)
    expect(issuerOf([leaf, one, two], [root]).issuer).toBe('unknown')
    const namesake = issueCertificate(order('Clase 2', 'Raíz', ca()), other_key)
    const many = Array.from({ length: 290 }, () => namesake)
    expect(issuerOf([person], [...many, middle, root]).issuer).toBe('unproven')
    for (const junk of ['', 'AAAA', 'A'.repeat(100_000), text(person).slice(0, 90)]) {
      expect(findIssuer([junk, junk, junk], bundleOf([root])).issuer).toBe('unknown')
    }
    expect(findIssuer([], bundleOf([root])).issuer).toBe('unknown')
  })

  it('is not believed when the signature of a certificate is MD5', () => {
    const made = forge.pki.createCertificate()
    const pair = forge.pki.rsa.generateKeyPair(1024)
    made.publicKey = pair.publicKey
    made.serialNumber = '01'
    made.validity.notBefore = YEARS.valid_from
    made.validity.notAfter = YEARS.valid_until
    made.setSubject([{ name: 'commonName', value: 'Ana' }])
    made.setIssuer([{ name: 'commonName', value: 'Raíz' }])
    made.setExtensions([{ name: 'basicConstraints', cA: true, pathLenConstraint: 3 }])
    made.sign(pair.privateKey, forge.md.md5.create())
    const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(made)).getBytes(), 'latin1')
    expect([signatureIsWeak(der), signatureIsWeak(root)]).toEqual([true, false])
    expect([pathLengthOf(der), pathLengthOf(root), pathLengthOf(Buffer.from('no'))]).toEqual([3, undefined, undefined])
  })
})

describe('a bundle of CAs', () => {
  const pem = (...list: readonly Uint8Array[]) =>
    list.map((der) => new X509Certificate(der).toString()).join('\n# note\n')

  it('is read from PEM, with whatever stands between the certificates', () => {
    const read = readCaBundle(pem(root, middle))
    if (!read.ok) throw new Error(read.refusal.message)
    expect(read.value.certificates).toHaveLength(2)
    expect(findIssuer([text(person)], read.value).issuer).toBe('proven')
  })

  it('is refused when it could never vouch for anybody', () => {
    const ruleOf = (written: string) => {
      const read = readCaBundle(written)
      return read.ok ? null : read.refusal.rule
    }
    expect(ruleOf('')).toBe('no_root')
    expect(ruleOf(pem(middle))).toBe('no_root')
    expect(ruleOf('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toBe('not_a_certificate')
    expect(ruleOf(' '.repeat(3 * 1024 * 1024))).toBe('too_large')
  })
})
