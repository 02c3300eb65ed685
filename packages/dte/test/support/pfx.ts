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
  const { key_pem, certificate_pem } = makeIdentity(options)
  const key = forge.pki.privateKeyFromPem(key_pem)
  const pfx = forge.pkcs12.toPkcs12Asn1(key, [forge.pki.certificateFromPem(certificate_pem)], password, { algorithm })
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1')
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
