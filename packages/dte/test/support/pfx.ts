import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import forge from 'node-forge'
import { describe, it } from 'vitest'
import { type Identity, type IdentityOptions, makeIdentity } from './keys.ts'

/** A .pfx made by node-forge, whose reader is not the one under test. */
export function forgedPfx(
  password: string,
  options: IdentityOptions = {},
  algorithm: 'aes256' | '3des' = '3des',
): Buffer {
  return lockedPfx(makeIdentity(options), password, algorithm)
}

/** The same for a key and a certificate that a test has made. */
export function lockedPfx(
  { key_pem, certificate_pem }: Pick<Identity, 'key_pem' | 'certificate_pem'>,
  password: string,
  algorithm: 'aes256' | '3des' = '3des',
): Buffer {
  const key = forge.pki.privateKeyFromPem(key_pem)
  const pfx = forge.pkcs12.toPkcs12Asn1(key, [forge.pki.certificateFromPem(certificate_pem)], password, { algorithm })
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1')
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 0x80
      ? [length]
      : length < 0x10000
        ? [0x82, length >> 8, length & 0xff]
        : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const data = (content: Uint8Array) => der(0x30, oid('2a864886f70d010701'), der(0xa0, der(0x04, content)))

/**
 * A .pfx without a MAC, which any password opens: whatever keys (PKCS#8) and certificates, in DER; `shrouded` are keys
 * encrypted by an AlgorithmIdentifier.
 */
export function plainPfx(
  keys: readonly Uint8Array[],
  certificates: readonly Uint8Array[],
  shrouded: readonly { readonly algorithm: Uint8Array; readonly encrypted: Uint8Array }[] = [],
): Buffer {
  const bag = (kind: string, value: Uint8Array) => der(0x30, oid(`2a864886f70d010c0a01${kind}`), der(0xa0, value))
  const bags = der(
    0x30,
    ...keys.map((key) => bag('01', key)),
    ...shrouded.map(({ algorithm, encrypted }) => bag('02', der(0x30, algorithm, der(0x04, encrypted)))),
    ...certificates.map((one) => bag('03', der(0x30, oid('2a864886f70d01091601'), der(0xa0, der(0x04, one))))),
  )
  return der(0x30, der(0x02, Buffer.from([3])), data(der(0x30, data(bags))))
}

/** A .pfx with one part encrypted by an AlgorithmIdentifier, and a MAC of SHA-1 that no password makes. */
export function encryptedPfx(algorithm: Uint8Array): Buffer {
  const info = der(0x30, oid('2a864886f70d010701'), algorithm, der(0x80, Buffer.alloc(16)))
  const part = der(0x30, oid('2a864886f70d010706'), der(0xa0, der(0x30, der(0x02, Buffer.from([0])), info)))
  const digest = der(0x30, der(0x30, oid('2b0e03021a'), Buffer.from([0x05, 0x00])), der(0x04, Buffer.alloc(20)))
  const mac = der(0x30, digest, der(0x04, Buffer.alloc(8)), der(0x02, Buffer.from([1])))
  return der(0x30, der(0x02, Buffer.from([3])), data(der(0x30, part)), mac)
}

export function describeWithOpenssl(title: string, suite: () => void): void {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    describe(title, suite)
  } catch {
    console.warn(`skipped "${title}": openssl is not installed`)
    describe.skip(title, () => {
      it('is skipped because openssl is not installed', () => {})
    })
  }
}

/** Runs OpenSSL in a folder of its own, with the identity's key and certificate in it, and reads `out.pfx`. */
function workshop(identity: Identity, commands: readonly string[]): Buffer {
  const cwd = mkdtempSync(path.join(tmpdir(), 'timbre-pfx-'))
  try {
    writeFileSync(path.join(cwd, 'key.pem'), identity.key_pem)
    writeFileSync(path.join(cwd, 'cert.pem'), identity.certificate_pem)
    for (const command of commands) execFileSync('openssl', command.split('|'), { cwd, stdio: 'ignore' })
    return readFileSync(path.join(cwd, 'out.pfx'))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

export function opensslPfx(identity: Identity, password: string, options: string): Buffer {
  const export_all = `pkcs12|-export|-inkey|key.pem|-in|cert.pem|-out|out.pfx|-passout|pass:${password}`
  return workshop(identity, [options === '' ? export_all : `${export_all}|${options.split(' ').join('|')}`])
}

/** A leaf issued by a CA, both in the file. The RUT is in the subject, with a leading zero. */
export function opensslChainPfx(identity: Identity, rut: string): Buffer {
  return workshop(identity, [
    'req|-x509|-newkey|rsa:2048|-nodes|-keyout|ca.key|-out|ca.pem|-subj|/CN=CA|-days|9000',
    `req|-new|-key|key.pem|-subj|/CN=Persona/serialNumber=0${rut}|-out|csr.pem`,
    'x509|-req|-in|csr.pem|-CA|ca.pem|-CAkey|ca.key|-CAcreateserial|-days|9000|-out|leaf.pem',
    'pkcs12|-export|-inkey|key.pem|-in|leaf.pem|-certfile|ca.pem|-passout|pass:x|-out|out.pfx',
  ])
}
