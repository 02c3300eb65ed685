import { createHmac, timingSafeEqual } from 'node:crypto'
import forge from 'node-forge'
import { DER_OCTET_STRING, DER_SEQUENCE, type Der, derChildren, derContent, readDer } from './der.ts'
import {
  checkIterations,
  decryptions,
  deriveKey,
  iterations,
  oidHex,
  type Password,
  passwordBytes,
  UnsupportedPfx,
} from './pkcs12-pbe.ts'

export interface Pfx {
  /** PKCS#8, DER. */
  readonly keys: readonly Buffer[]
  /** X.509, DER, exactly as in the file. */
  readonly certificates: readonly Buffer[]
}

export class NotAPfx extends Error {}
export class WrongPassword extends Error {}

const DATA = '2a864886f70d010701'
const ENCRYPTED_DATA = '2a864886f70d010706'
const KEY_BAG = '2a864886f70d010c0a0101'
const SHROUDED_KEY_BAG = '2a864886f70d010c0a0102'
const CERTIFICATE_BAG = '2a864886f70d010c0a0103'
const MAC_HASHES: Readonly<Record<string, { name: string; size: number }>> = {
  '2b0e03021a': { name: 'sha1', size: 20 },
  '608648016503040201': { name: 'sha256', size: 32 },
  '608648016503040202': { name: 'sha384', size: 48 },
  '608648016503040203': { name: 'sha512', size: 64 },
}

/** Opens a PKCS#12 file (RFC 7292). Throws the two errors above and those of `pkcs12-pbe.ts`, and no other. */
export function openPkcs12(bytes: Uint8Array, password: string): Pfx {
  if (isCutShort(bytes)) throw new NotAPfx('it is cut short')
  const [, auth_safe, mac] = derChildren(readDer(toDer(bytes)))
  const [type, wrapped] = derChildren(auth_safe)
  if (oidHex(type) !== DATA) throw new NotAPfx('it has no PKCS#7 data')
  const content = octets(derChildren(wrapped)[0])
  const secret = passwordBytes(password)
  const parts = derChildren(readDer(content))
  for (const part of parts) checkPart(part)
  const proven = mac === undefined ? secret : provePassword(mac, content, secret)
  const pfx = { keys: [] as Buffer[], certificates: [] as Buffer[] }
  for (const part of parts) readBags(openPart(part, proven), proven, pfx)
  return pfx
}

const INDEFINITE_LENGTH = 0x80

/** A file that ends before the end it announces: read as far as it goes, it would seem to lack its key. */
function isCutShort(bytes: Uint8Array): boolean {
  const [tag, length] = bytes
  return tag === DER_SEQUENCE && length !== INDEFINITE_LENGTH && readDer(bytes) === undefined
}

/** Old Java, Firefox and Windows write BER: indefinite lengths and strings in pieces. This is the same value in DER. */
function toDer(bytes: Uint8Array): Buffer {
  try {
    const value = forge.asn1.fromDer(Buffer.from(bytes).toString('latin1'), false)
    return Buffer.from(forge.asn1.toDer(value).getBytes(), 'latin1')
  } catch {
    throw new NotAPfx('it is not ASN.1')
  }
}

/** An OCTET STRING, whose pieces are joined when BER split it. */
function octets(der: Der | undefined): Buffer {
  if (der === undefined) throw new NotAPfx('it is cut short')
  if (der.tag === DER_OCTET_STRING || der.tag === 0x80) return Buffer.from(derContent(der))
  if (der.tag === 0x24 || der.tag === 0xa0) return Buffer.concat(derChildren(der).map(octets))
  throw new NotAPfx('it holds something else where bytes belong')
}

/** The MAC tells a wrong password from a damaged file; it also says which reading of the password is the right one. */
function provePassword(mac: Der, content: Buffer, password: Password): Password {
  const [digest_info, salt, count] = derChildren(mac)
  const [algorithm, digest] = derChildren(digest_info)
  const hash = MAC_HASHES[oidHex(derChildren(algorithm)[0])]
  if (hash === undefined) throw new UnsupportedPfx('the hash of its MAC is not supported')
  const [expected, salted, rounds] = [octets(digest), octets(salt), iterations(count, password)]
  for (const bmp of password.bmp) {
    const key = deriveKey(hash.name, bmp, salted, 3, rounds, hash.size)
    const made = createHmac(hash.name, key).update(content).digest()
    if (made.length === expected.length && timingSafeEqual(made, expected)) return { ...password, bmp: [bmp] }
  }
  throw new WrongPassword('the password does not open it')
}

/** A count that nothing hides is read before the MAC is made: nobody is kept busy by what is refused anyway. */
function checkPart(part: Der): void {
  const [type, wrapped] = derChildren(part)
  if (oidHex(type) !== ENCRYPTED_DATA) return
  const [, info] = derChildren(derChildren(wrapped)[0])
  checkIterations(derChildren(info)[1])
}

function openPart(part: Der, password: Password): Buffer {
  const [type, wrapped] = derChildren(part)
  const [value] = derChildren(wrapped)
  if (oidHex(type) === DATA) return octets(value)
  if (oidHex(type) !== ENCRYPTED_DATA) throw new UnsupportedPfx('it is encrypted for a certificate, not a password')
  const [, info] = derChildren(value)
  const [, algorithm, encrypted] = derChildren(info)
  return decrypt(algorithm, octets(encrypted), password)
}

/** The first reading of the password whose plaintext is one whole sequence. */
function decrypt(algorithm: Der | undefined, encrypted: Buffer, password: Password): Buffer {
  for (const plain of decryptions(algorithm, encrypted, password)) {
    const der = readDer(plain)
    if (der?.tag === DER_SEQUENCE && der.end === plain.length) return plain
    const normal = tryDer(plain)
    if (normal !== undefined) return normal
  }
  throw new WrongPassword('the password does not open what is inside it')
}

function tryDer(plain: Buffer): Buffer | undefined {
  try {
    const der = toDer(plain)
    return readDer(der)?.tag === DER_SEQUENCE ? der : undefined
  } catch {
    return undefined
  }
}

function readBags(content: Buffer, password: Password, into: { keys: Buffer[]; certificates: Buffer[] }): void {
  const bags = tryDer(content)
  for (const bag of derChildren(bags === undefined ? undefined : readDer(bags))) {
    const [type, wrapped] = derChildren(bag)
    const [value] = derChildren(wrapped)
    if (value === undefined) continue
    const id = oidHex(type)
    if (id === KEY_BAG) into.keys.push(whole(value))
    if (id === SHROUDED_KEY_BAG) {
      const [algorithm, encrypted] = derChildren(value)
      into.keys.push(decrypt(algorithm, octets(encrypted), password))
    }
    if (id === CERTIFICATE_BAG) into.certificates.push(octets(derChildren(derChildren(value)[1])[0]))
  }
}

/** The value with its header. */
function whole(der: Der): Buffer {
  const length = der.end - der.start
  const header = length < 0x80 ? 2 : length < 0x100 ? 3 : length < 0x10000 ? 4 : 5
  return Buffer.from(der.bytes.subarray(der.start - header, der.end))
}
