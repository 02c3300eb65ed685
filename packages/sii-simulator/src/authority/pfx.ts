import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { bmp, integer, nothing, octets, oid, sequence, set, tagged } from './der.ts'

const DATA = '1.2.840.113549.1.7.1'
const ITERATIONS = 2048

/** A PKCS #12 file (RFC 7292) with one key, sealed by the password, and its certificate. */
export function writePfx(key: KeyObject, certificates: readonly Uint8Array[], password: string, label: string): Buffer {
  const id = createHash('sha1')
    .update(certificates[0] ?? Buffer.alloc(0))
    .digest()
  const attributes = (own: boolean) =>
    own
      ? [
          set(
            sequence(oid('1.2.840.113549.1.9.20'), set(bmp(label))),
            sequence(oid('1.2.840.113549.1.9.21'), set(octets(id))),
          ),
        ]
      : []
  const sealed = key.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase: password })
  const keyBag = sequence(oid('1.2.840.113549.1.12.10.1.2'), tagged(0, sealed), ...attributes(true))
  const certificateBags = certificates.map((der, index) =>
    sequence(
      oid('1.2.840.113549.1.12.10.1.3'),
      tagged(0, sequence(oid('1.2.840.113549.1.9.22.1'), tagged(0, octets(der)))),
      ...attributes(index === 0),
    ),
  )
  const content = (bytes: Uint8Array) => sequence(oid(DATA), tagged(0, octets(bytes)))
  const safe = sequence(content(sequence(...certificateBags)), content(sequence(keyBag)))

  const salt = randomBytes(8)
  const digest = createHmac('sha256', macKey(password, salt)).update(safe).digest()
  const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'), nothing)
  const mac = sequence(sequence(sha256, octets(digest)), octets(salt), integer(ITERATIONS))
  return Buffer.from(sequence(integer(3), content(safe), mac))
}

/** Key derivation of RFC 7292 appendix B.2 for a MAC (purpose 3) with SHA-256, whose one block is enough. */
function macKey(password: string, salt: Uint8Array): Buffer {
  const block = 64
  const fill = (bytes: Uint8Array) =>
    Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes.length > 0 ? Buffer.from(bytes) : 0)
  const secret = Buffer.concat([Buffer.from(password, 'utf16le').swap16(), Buffer.from([0, 0])])
  let key = createHash('sha256').update(Buffer.alloc(block, 3)).update(fill(salt)).update(fill(secret)).digest()
  for (let round = 1; round < ITERATIONS; round++) key = createHash('sha256').update(key).digest()
  return key
}
