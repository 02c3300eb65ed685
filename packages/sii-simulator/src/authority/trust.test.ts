import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openAuthority } from './authority.ts'
import { type CertificateRequest, writeCertificate } from './certificate.ts'
import { isTrusted, rutOf } from './trust.ts'

const NOW = Date.parse('2026-10-05T15:00:00Z')
const DAY = 86_400_000

describe('certificates', () => {
  const ours = openAuthority(null)
  const theirs = openAuthority(null)
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const issue = (changes: Partial<CertificateRequest> = {}) =>
    new X509Certificate(
      writeCertificate({
        subject: { common_name: 'Juan Pérez', serial_number: '12345678-5' },
        issuer: ours.ca.name,
        holder_key: key,
        signing_key: ours.ca.key,
        not_before: NOW - DAY,
        not_after: NOW + DAY,
        use: { kind: 'person', rut: '12345678-5' },
        ...changes,
      }).der,
    )

  it('are good if a trusted authority issued them, while they last', () => {
    expect(isTrusted(issue(), [ours.ca.pem], NOW)).toBe(true)
    // The other authority has the same name: only the signature tells them apart.
    expect(isTrusted(issue(), [theirs.ca.pem], NOW)).toBe(false)
    expect(isTrusted(issue({ signing_key: theirs.ca.key }), [ours.ca.pem, theirs.ca.pem], NOW)).toBe(true)
    expect(isTrusted(issue(), [ours.ca.pem], NOW + 2 * DAY)).toBe(false)
    expect(isTrusted(issue(), [ours.ca.pem], NOW - 2 * DAY)).toBe(false)
  })

  it('tell the RUT of their holder where Chilean authorities write it', () => {
    expect(rutOf(issue())).toBe('12345678-5')
    expect(rutOf(issue({ subject: { common_name: 'x' }, use: { kind: 'person', rut: '7654321-K' } }))).toBe('7654321-K')
    const onlyInSubject = { use: { kind: 'server', names: [] } } as const
    expect(rutOf(issue(onlyInSubject))).toBe('12345678-5')
    expect(rutOf(issue({ ...onlyInSubject, subject: { common_name: 'x' } }))).toBeNull()
  })
})
