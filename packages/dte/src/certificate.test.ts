import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import forge from 'node-forge'
import { afterAll, describe, expect, it } from 'vitest'
import { type IdentityOptions, makeIdentity, SIGNER_RUT } from '../test/support/keys.ts'
import { openCertificate } from './certificate.ts'

const today = new Date('2026-11-15T12:00:00Z')
const folder = mkdtempSync(path.join(tmpdir(), 'timbre-pfx-'))
afterAll(() => rmSync(folder, { recursive: true }))

const identity = makeIdentity()
const file = (name: string) => path.join(folder, name)
writeFileSync(file('key.pem'), identity.key_pem)
writeFileSync(file('cert.pem'), identity.certificate_pem)

function openssl(password: string, ...options: readonly string[]): Buffer {
  const io = [
    '-inkey',
    file('key.pem'),
    '-in',
    file('cert.pem'),
    '-passout',
    `pass:${password}`,
    '-out',
    file('out.pfx'),
  ]
  execFileSync('openssl', ['pkcs12', '-export', ...io, ...options], { stdio: 'ignore' })
  return readFileSync(file('out.pfx'))
}

function forged(password: string, options: IdentityOptions = {}, algorithm: 'aes256' | '3des' = '3des'): Buffer {
  const { key_pem, certificate_pem } = makeIdentity(options)
  const key = forge.pki.privateKeyFromPem(key_pem)
  const pfx = forge.pkcs12.toPkcs12Asn1(key, [forge.pki.certificateFromPem(certificate_pem)], password, { algorithm })
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1')
}

const resultOf = (bytes: Uint8Array, password: string, at = today) => {
  const outcome = openCertificate(bytes, password, at)
  return outcome.ok ? outcome.value.rut : outcome.refusal.rule
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['pkcs12', '-help'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn('skipped "files made by OpenSSL": openssl is not installed')
    return false
  }
}

describe.skipIf(!hasOpenssl())('a .pfx made by OpenSSL (skipped when openssl is not installed)', () => {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    'RC2-40 and 3DES, as most CAs still issue': ['-legacy'],
    '3DES for both': ['-legacy', '-descert'],
    'RC2-128 and two-key 3DES': ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-2DES'],
    'AES-256 with a SHA-256 MAC': [],
    'AES-128 and PBES2 3DES with a SHA-512 MAC': [
      '-certpbe',
      'aes-128-cbc',
      '-keypbe',
      'des-ede3-cbc',
      '-macalg',
      'sha512',
    ],
    'no encryption inside the MAC': ['-certpbe', 'NONE', '-keypbe', 'NONE'],
    'no MAC': ['-nomac'],
  }
  for (const [kind, options] of Object.entries(kinds)) {
    it(`opens with its password and only with it: ${kind}`, () => {
      for (const password of ['clave', 'contraseña€', '']) {
        const pfx = openssl(password, ...options)
        expect(resultOf(pfx, password)).toBe(SIGNER_RUT)
        expect(resultOf(pfx, `${password}x`)).toBe('wrong_password')
      }
    })
  }

  it('carries the issuers that came with it, nearest first', () => {
    const ca = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      file('ca.key'),
      '-out',
      file('ca.pem'),
      '-subj',
      '/CN=CA',
      '-days',
      '9000',
    ]
    execFileSync('openssl', ca, { stdio: 'ignore' })
    const csr = [
      'req',
      '-new',
      '-key',
      file('key.pem'),
      '-subj',
      `/CN=Persona/serialNumber=0${SIGNER_RUT}`,
      '-out',
      file('csr.pem'),
    ]
    execFileSync('openssl', csr, { stdio: 'ignore' })
    const issue = [
      'x509',
      '-req',
      '-in',
      file('csr.pem'),
      '-CA',
      file('ca.pem'),
      '-CAkey',
      file('ca.key'),
      '-CAcreateserial',
      '-days',
      '9000',
      '-out',
      file('leaf.pem'),
    ]
    execFileSync('openssl', issue, { stdio: 'ignore' })
    const out = [
      'pkcs12',
      '-export',
      '-inkey',
      file('key.pem'),
      '-in',
      file('leaf.pem'),
      '-certfile',
      file('ca.pem'),
      '-passout',
      'pass:x',
      '-out',
      file('chain.pfx'),
    ]
    execFileSync('openssl', out, { stdio: 'ignore' })
    const outcome = openCertificate(readFileSync(file('chain.pfx')), 'x', new Date('2040-01-01T00:00:00Z'))
    expect(outcome.ok && [outcome.value.rut, outcome.value.issuer, outcome.value.chain.length]).toEqual([
      SIGNER_RUT,
      'CA',
      1,
    ])
  })
})

describe('a .pfx', () => {
  it('gives the RUT of the holder, its validity and a signer', () => {
    const outcome = openCertificate(forged('clave', { rut: '60803000-K' }), 'clave', today)
    if (!outcome.ok) throw new Error(outcome.refusal.message)
    expect(outcome.value).toMatchObject({ rut: '60803000-K', holder: 'Persona de Prueba', issuer: 'CA de Prueba' })
    expect([outcome.value.valid_from, outcome.value.valid_until]).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2029-01-01T00:00:00.000Z',
    ])
    expect(outcome.value.signer.key_info).toContain('<X509Certificate>')
  })

  it('has the RUT in the alternative name or in the subject, or is refused', () => {
    expect(resultOf(forged('c', { rut_in: 'alternative_name' }), 'c')).toBe(SIGNER_RUT)
    expect(resultOf(forged('c', { rut_in: 'subject' }), 'c')).toBe(SIGNER_RUT)
    expect(resultOf(forged('c', { rut_in: 'nowhere' }), 'c')).toBe('no_rut')
    expect(resultOf(forged('c', { rut: '12345678-9' }), 'c')).toBe('no_rut')
  })

  it('is refused before and after its validity', () => {
    const pfx = forged('c', {}, 'aes256')
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

  it('is refused when it asks for endless work', () => {
    const pfx = forge.asn1.fromDer(forged('c').toString('latin1'))
    const mac = (pfx.value as forge.asn1.Asn1[])[2]
    const count = mac === undefined ? undefined : (mac.value as forge.asn1.Asn1[])[2]
    if (count === undefined) throw new Error('forge wrote no MAC')
    count.value = '\x7f\xff\xff\xff'
    expect(resultOf(Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1'), 'c')).toBe('unsupported_pfx')
  })

  it('never throws on a damaged file (100 damaged, 1,000 random)', () => {
    const pfx = forged('c')
    const damage = fc.array(fc.tuple(fc.nat(pfx.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(damage, (edits) => {
        const copy = Buffer.from(pfx)
        for (const [index, byte] of edits) copy[index] = byte
        openCertificate(copy, 'c', today)
      }),
      { numRuns: 100 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void openCertificate(bytes, 'c', today)),
      { numRuns: 1000 },
    )
  }, 30_000)
})
