import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import forge from 'node-forge'
import { describe, expect, it } from 'vitest'
import { makeIdentity, SIGNER_RUT } from '../../test/support/keys.ts'
import {
  describeWithOpenssl,
  encryptedPfx,
  forgedPfx,
  opensslChainPfx,
  opensslPfx,
  plainPfx,
} from '../../test/support/pfx.ts'
import { openCertificate } from './certificate.ts'
import { checkFitness } from './fitness.ts'
import { issueCertificate } from './issue.ts'
import { maySignDocuments } from './x509.ts'

const today = new Date('2026-11-15T12:00:00Z')
const identity = makeIdentity()
const resultOf = (bytes: Uint8Array, password: string, at = today) => {
  const outcome = openCertificate(bytes, password, at)
  return outcome.ok ? outcome.value.rut : outcome.refusal.rule
}

describeWithOpenssl('a .pfx made by OpenSSL', () => {
  const kinds = {
    'RC2-40 and 3DES, as most CAs still issue': '-legacy',
    '3DES for both': '-legacy -descert',
    'RC2-128 and two-key 3DES': '-legacy -certpbe PBE-SHA1-RC2-128 -keypbe PBE-SHA1-2DES',
    'AES-256 with a SHA-256 MAC': '',
    'AES-128 and PBES2 3DES with a SHA-512 MAC': '-certpbe aes-128-cbc -keypbe des-ede3-cbc -macalg sha512',
    'no encryption inside the MAC': '-certpbe NONE -keypbe NONE',
    'no MAC': '-nomac',
  }
  for (const [kind, options] of Object.entries(kinds)) {
    it(`opens with its password, non-ASCII or empty too, and only with it: ${kind}`, () => {
      for (const password of ['clave', 'contraseña€', '']) {
        const pfx = opensslPfx(identity, password, options)
        expect(resultOf(pfx, password)).toBe(SIGNER_RUT)
        expect(resultOf(pfx, `${password}x`)).toBe('wrong_password')
      }
    })
  }

  it('carries the issuers that came with it, nearest first', () => {
    const outcome = openCertificate(opensslChainPfx(identity, SIGNER_RUT), 'x', new Date('2040-01-01T00:00:00Z'))
    if (!outcome.ok) throw new Error(outcome.refusal.message)
    expect([outcome.value.rut, outcome.value.issuer, outcome.value.chain.length]).toEqual([SIGNER_RUT, 'CA', 1])
  })
})

const YEARS = { valid_from: new Date('2026-01-01T00:00:00Z'), valid_until: new Date('2029-01-01T00:00:00Z') }
const [own_key, other_key] = [1024, 1024].map(
  (modulusLength) => generateKeyPairSync('rsa', { modulusLength }).privateKey,
) as [KeyObject, KeyObject]
const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' })
const KEY = pkcs8(own_key)
const CERTIFICATE = issueCertificate({ holder: 'Ana', issuer: 'CA', serial: 1, rut: SIGNER_RUT, ...YEARS }, own_key)

describe('a .pfx', () => {
  it('gives the RUT of the holder, its validity and a signer', () => {
    const outcome = openCertificate(forgedPfx('clave', { rut: '60803000-K' }), 'clave', today)
    if (!outcome.ok) throw new Error(outcome.refusal.message)
    expect(outcome.value).toMatchObject({ rut: '60803000-K', holder: 'Persona de Prueba', issuer: 'CA de Prueba' })
    expect(outcome.value).toMatchObject({
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_until: '2029-01-01T00:00:00.000Z',
    })
    expect(outcome.value.signer.key_info).toContain('<X509Certificate>')
  })

  it('has the RUT in the alternative name or in the subject, or is refused', () => {
    expect(resultOf(forgedPfx('c', { rut_in: 'alternative_name' }), 'c')).toBe(SIGNER_RUT)
    expect(resultOf(forgedPfx('c', { rut_in: 'subject' }), 'c')).toBe(SIGNER_RUT)
    expect(resultOf(forgedPfx('c', { rut_in: 'nowhere' }), 'c')).toBe('no_rut')
    expect(resultOf(forgedPfx('c', { rut: '12345678-9' }), 'c')).toBe('no_rut')
  })

  it('is refused before and after its validity', () => {
    const pfx = forgedPfx('c', {}, 'aes256')
    expect(resultOf(pfx, 'c', new Date('2029-01-01T00:00:00Z'))).toBe(SIGNER_RUT)
    expect(resultOf(pfx, 'c', new Date('2029-01-01T00:00:01Z'))).toBe('expired')
    expect(resultOf(pfx, 'c', new Date('2025-12-31T23:59:59Z'))).toBe('not_yet_valid')
  })

  it('is refused when it is something else', () => {
    expect(resultOf(Buffer.from('hola'), 'c')).toBe('not_a_pfx')
    expect(resultOf(Buffer.alloc(0), 'c')).toBe('not_a_pfx')
    expect(resultOf(Buffer.from(identity.certificate_pem), 'c')).toBe('not_a_pfx')
    expect(resultOf(Buffer.alloc(300_000), 'c')).toBe('too_large')
  })

  it('is said to be cut short, and not to lack its key, where it ends too early', () => {
    const whole = forgedPfx('c')
    for (const kept of [4, whole.length / 2, whole.length - 1]) {
      const refused = openCertificate(whole.subarray(0, kept), 'c', today)
      expect(refused).toMatchObject({
        ok: false,
        refusal: { rule: 'not_a_pfx', message: expect.stringContaining('cut short') },
      })
    }
  })

  it('is refused when it asks for endless work', () => {
    const pfx = forge.asn1.fromDer(forgedPfx('c').toString('latin1'))
    const [, , mac] = pfx.value as forge.asn1.Asn1[]
    const [, , count] = (mac?.value ?? []) as forge.asn1.Asn1[]
    if (count === undefined) throw new Error('forge wrote no MAC')
    const asking = (octets: string) => {
      count.value = octets
      return resultOf(Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1'), 'c')
    }
    // 2^31 - 1, 2^39 and 600,001; less, the MAC is made, and it is another one.
    for (const many of ['\x7f\xff\xff\xff', '\x00\x80\x00\x00\x00\x00', '\x09\x27\xc1'])
      expect(asking(many)).toBe('too_many_iterations')
    expect(asking('\x01')).toBe('wrong_password')
  })

  it('is refused when a part that is hashed three times over asks for a third of endless work', () => {
    const hex = (text: string) => Buffer.from(text, 'hex')
    // pbeWithSHAAnd3-KeyTripleDES-CBC over 262,144 iterations: two blocks of the key and one of the IV.
    const algorithm = hex('301d060a2a864886f70d010c0103300f040800000000000000000203040000')
    expect(resultOf(plainPfx([], [], [{ algorithm, encrypted: Buffer.alloc(64) }]), 'c')).toBe('too_many_iterations')
  })

  it('is refused by the count of a part that is locked, before its MAC is made', () => {
    const hex = (text: string) => Buffer.from(text, 'hex')
    const salt = '04080000000000000000'
    const pbe = (count: string) => hex(`301d060a2a864886f70d010c0103300f${salt}${count}`)
    // PBKDF2, then AES-256 with its IV.
    const pbes2 = (count: string) =>
      hex(
        `304a06092a864886f70d01050d303d301c06092a864886f70d01050c300f${salt}${count}` +
          `301d060960864801650304012a0410${'00'.repeat(16)}`,
      )
    for (const algorithm of [pbe, pbes2]) {
      expect(resultOf(encryptedPfx(algorithm('02030aae60')), 'c')).toBe('too_many_iterations')
      expect(resultOf(encryptedPfx(algorithm('0203000800')), 'c')).toBe('wrong_password')
    }
  })

  it('never throws on a damaged file (100 damaged, 1,000 random)', () => {
    const pfx = forgedPfx('c')
    const damage = fc.array(fc.tuple(fc.nat(pfx.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 })
    const open = (bytes: Uint8Array) => void openCertificate(bytes, 'c', today)
    fc.assert(
      fc.property(damage, (edits) => {
        const copy = Buffer.from(pfx)
        for (const [index, byte] of edits) copy[index] = byte
        open(copy)
      }),
      { numRuns: 100 },
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), open), { numRuns: 1000 })
  })

  it('is refused with two keys in it, and opened with one key twice', () => {
    const pfx = plainPfx([KEY, KEY], [CERTIFICATE])
    expect(resultOf(pfx, 'any')).toBe(SIGNER_RUT)
    expect(resultOf(plainPfx([KEY, pkcs8(other_key)], [CERTIFICATE]), 'any')).toBe('several_keys')
    expect(resultOf(plainPfx([], [CERTIFICATE]), 'any')).toBe('no_private_key')
    expect(resultOf(plainPfx([pkcs8(other_key)], [CERTIFICATE]), 'any')).toBe('no_certificate')
    expect(resultOf(plainPfx([KEY], []), 'any')).toBe('no_certificate')
  })

  it('opens with the certificate that is valid of several that its key was renewed with, in any order', () => {
    const from = (year: number) => ({
      valid_from: new Date(`${year}-01-01T00:00:00Z`),
      valid_until: new Date(`${year + 1}-01-01T00:00:00Z`),
    })
    const of = (holder: string, validity: typeof YEARS) =>
      issueCertificate({ holder, issuer: 'CA', serial: 1, rut: SIGNER_RUT, ...validity }, own_key)
    const [past, now, longer] = [of('past', from(2024)), of('now', from(2026)), of('longer', YEARS)]
    const future = of('future', from(2030))
    const holderOf = (...certificates: Uint8Array[]) => {
      const outcome = openCertificate(plainPfx([KEY], certificates), 'any', today)
      return outcome.ok ? outcome.value.holder : outcome.refusal.rule
    }
    expect([holderOf(past, now), holderOf(now, past), holderOf(future, now, past)]).toEqual(['now', 'now', 'now'])
    expect([holderOf(now, longer), holderOf(past), holderOf(future)]).toEqual(['longer', 'expired', 'not_yet_valid'])
  })

  it('is refused with a key that has the numbers of the certificate and signs wrongly', () => {
    const [own, other] = [own_key, other_key].map((key) => key.export({ format: 'jwk' }))
    const damaged = createPrivateKey({ key: { ...other, n: own?.n, e: own?.e } as never, format: 'jwk' })
    expect(resultOf(plainPfx([pkcs8(damaged)], [CERTIFICATE]), 'any')).toBe('no_private_key')
  })

  it('is refused with a certificate of many bytes or of a name with many parts', () => {
    const order = { holder: 'Ana', issuer: 'CA', serial: 1, rut: SIGNER_RUT, ...YEARS }
    const long = issueCertificate({ ...order, holder: 'A'.repeat(9_000) }, own_key)
    expect(resultOf(plainPfx([KEY], [long]), 'any')).toBe('certificate_too_large')
    const named = forge.pki.certificateFromAsn1(forge.asn1.fromDer(Buffer.from(CERTIFICATE).toString('latin1')))
    const names = (count: number) => {
      named.setSubject(Array.from({ length: count }, () => ({ name: 'commonName', value: 'A' })))
      named.sign(forge.pki.privateKeyFromPem(own_key.export({ type: 'pkcs1', format: 'pem' }).toString()))
      return resultOf(
        plainPfx([KEY], [Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(named)).getBytes(), 'latin1')]),
        'any',
      )
    }
    expect([names(32), names(33)]).toEqual([SIGNER_RUT, 'certificate_too_large'])
  })

  it('is refused with a validity that is no date', () => {
    const thirteenth = Buffer.from(CERTIFICATE).toString('latin1').replace('260101000000Z', '261301000000Z')
    expect(resultOf(plainPfx([KEY], [Buffer.from(thirteenth, 'latin1')]), 'any')).toBe('no_certificate')
  })

  it('is fit to sign for years with RSA of 2,048 to 4,096 bits and a use that allows it', () => {
    const strong = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const fitness = (certificate: Uint8Array, key: KeyObject = strong) => {
      const outcome = checkFitness({ key, certificate })
      return outcome.ok ? 'fit' : outcome.refusal.rule
    }
    const order = { holder: 'Ana', issuer: 'CA', serial: 1, rut: SIGNER_RUT, ...YEARS }
    const plain = issueCertificate(order, strong)
    expect(fitness(plain)).toBe('fit')
    expect(fitness(CERTIFICATE, own_key)).toBe('weak_key')
    const small = { asymmetricKeyDetails: { modulusLength: 2048, publicExponent: 3n } } as KeyObject
    expect(fitness(plain, small)).toBe('weak_key')
    const huge = { asymmetricKeyDetails: { modulusLength: 8192 } } as KeyObject
    expect(fitness(plain, huge)).toBe('key_too_large')
    // CA:TRUE beside a keyUsage that signs documents, which OpenSSL does not take for a CA.
    const both = Buffer.from(issueCertificate({ ...order, authority: {} }, strong))
    both[both.indexOf(Buffer.from('0603551d0f0101ff04040302', 'hex')) + 13] = 0x80
    expect([new X509Certificate(both).ca, maySignDocuments(both), fitness(both)]).toEqual([
      false,
      true,
      'not_for_signing',
    ])
    // keyCertSign alone, and the same with bit 0 or 1 set.
    const ca = Buffer.from(issueCertificate({ ...order, authority: {} }, strong))
    expect(fitness(ca)).toBe('not_for_signing')
    const bits = ca.indexOf(Buffer.from('0603551d0f0101ff04040302', 'hex')) + 13
    expect([0x80, 0x40, 0x20].map((octet) => maySignDocuments(ca.fill(octet, bits, bits + 1)))).toEqual([
      true,
      true,
      false,
    ])
  })
})
