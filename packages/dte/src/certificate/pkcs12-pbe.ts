import { createDecipheriv, createHash, hash as digest, pbkdf2Sync } from 'node:crypto'
import forge from 'node-forge'
import { DER_INTEGER, DER_OCTET_STRING, DER_OID, DER_SEQUENCE, type Der, derChildren, derContent } from './der.ts'

/**
 * Rounds of hashing for one key, and for a whole file; beyond them, it is an attempt to keep us busy. The tools of the CAs
 * ask for 1,024 to 100,000 iterations a part, Firefox for 600,000 in its MAC and in two parts of PBKDF2, of which four
 * rounds take as long as one of ours: some microseconds.
 */
const MAX_ITERATIONS = 600_000
const MAX_WORK = 1_000_000
const PBKDF2_WORK = 0.25
const RC2_PIECE = 16 * 1024

export class UnsupportedPfx extends Error {}
export class TooManyIterations extends Error {}

/** Bytes of a password in each convention that a tool may have used. */
export interface Password {
  /** UTF-16BE with a final zero: what RFC 7292, B.1 asks for. An empty password has two readings. */
  readonly bmp: readonly Buffer[]
  /** For PBES2, whose standard does not say how: UTF-8 in most tools, one byte a character in older ones. */
  readonly plain: readonly Buffer[]
  readonly work: { left: number }
}

export function passwordBytes(password: string): Password {
  const bmp = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le').swap16()
  const utf8 = Buffer.from(password, 'utf8')
  const work = { left: MAX_WORK }
  if (password === '') return { bmp: [bmp(''), Buffer.alloc(0)], plain: [utf8], work }
  if (utf8.length === password.length) return { bmp: [bmp(password)], plain: [utf8], work }
  // OpenSSL before 1.1 widened each UTF-8 byte by itself.
  return {
    bmp: [bmp(password), bmp(utf8.toString('latin1'))],
    plain: [utf8, Buffer.from(password, 'latin1'), bmp(password)],
    work,
  }
}

/** The key derivation of PKCS#12 (RFC 7292, appendix B.2): purpose 1 makes a key, 2 an IV, 3 a MAC key. */
export function deriveKey(
  hash: string,
  password: Buffer,
  salt: Buffer,
  purpose: number,
  rounds: number,
  size: number,
): Buffer {
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64
  const padded = Buffer.concat([repeatTo(salt, block), repeatTo(password, block)])
  const made: Buffer[] = []
  for (let length = 0; length < size; ) {
    let round = createHash(hash).update(Buffer.alloc(block, purpose)).update(padded).digest()
    for (let index = 1; index < rounds; index++) round = digest(hash, round, 'buffer')
    made.push(round)
    length += round.length
    addToBlocks(padded, repeatTo(round, block).subarray(0, block), block)
  }
  return Buffer.concat(made).subarray(0, size)
}

function repeatTo(bytes: Buffer, block: number): Buffer {
  return bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes)
}

/** Each block of I becomes I + B + 1 modulo its size. */
function addToBlocks(blocks: Buffer, addend: Buffer, block: number): void {
  for (let start = 0; start < blocks.length; start += block) {
    let carry = 1
    for (let index = block - 1; index >= 0; index--) {
      carry += (blocks[start + index] ?? 0) + (addend[index] ?? 0)
      blocks[start + index] = carry & 0xff
      carry >>= 8
    }
  }
}

/** The iteration count that a part asks for `times` over, taken from what the file may still spend. */
export function iterations(der: Der | undefined, { work }: Pick<Password, 'work'>, times = 1): number {
  const count = countOf(der)
  work.left -= count * times
  if (count * times > MAX_ITERATIONS || work.left < 0)
    throw new TooManyIterations(`its parts ask for more than ${MAX_WORK} rounds together`)
  return count
}

function countOf(der: Der | undefined): number {
  if (der === undefined) return 1
  const size = der.end - der.start
  if (der.tag !== DER_INTEGER || size === 0) throw new UnsupportedPfx('the iteration count is not a number')
  // More than four octets hold a number far beyond any bound, or are written in a way that DER forbids.
  const count = size > 4 ? Infinity : Number.parseInt(Buffer.from(derContent(der)).toString('hex'), 16)
  if (count < 1) throw new UnsupportedPfx('the iteration count is not a number')
  if (count > MAX_ITERATIONS) throw new TooManyIterations(`it asks for more than ${MAX_ITERATIONS} iterations`)
  return count
}

/** Refuses a part by the iterations that it asks for, before anything is derived; what is locked inside it is read later. */
export function checkIterations(algorithm: Der | undefined): void {
  const [id, parameters] = derChildren(algorithm)
  const kdf = oidHex(id) === PBES2 ? derChildren(derChildren(parameters)[0])[1] : parameters
  countOf(derChildren(kdf)[1])
}

const PBES2 = '2a864886f70d01050d'
const PBKDF2 = '2a864886f70d01050c'
/** pbeWithSHA1And...: key length in bytes and the cipher (RFC 7292, appendix C). RC4 is not used by any known CA. */
const PKCS12_PBE: Readonly<Record<string, { size: number; cipher: '3des' | 'rc2' }>> = {
  '2a864886f70d010c0103': { size: 24, cipher: '3des' },
  '2a864886f70d010c0104': { size: 16, cipher: '3des' },
  '2a864886f70d010c0105': { size: 16, cipher: 'rc2' },
  '2a864886f70d010c0106': { size: 5, cipher: 'rc2' },
}
const PBES2_CIPHERS: Readonly<Record<string, { name: string; size: number }>> = {
  '60864801650304012a': { name: 'aes-256-cbc', size: 32 },
  '608648016503040116': { name: 'aes-192-cbc', size: 24 },
  '608648016503040102': { name: 'aes-128-cbc', size: 16 },
  '2a864886f70d0307': { name: 'des-ede3-cbc', size: 24 },
}
const PRFS: Readonly<Record<string, string>> = {
  '2a864886f70d0207': 'sha1',
  '2a864886f70d0208': 'sha224',
  '2a864886f70d0209': 'sha256',
  '2a864886f70d020a': 'sha384',
  '2a864886f70d020b': 'sha512',
}

/** Every plaintext that the readings of the password give; the caller knows which one makes sense. */
export function* decryptions(algorithm: Der | undefined, encrypted: Buffer, password: Password): Generator<Buffer> {
  const { work } = password
  const [oid, parameters] = derChildren(algorithm)
  const id = oidHex(oid)
  if (id === PBES2) {
    for (const bytes of password.plain) yield* attempt(() => decryptPbes2(parameters, encrypted, { bytes, work }))
    return
  }
  const scheme = PKCS12_PBE[id]
  if (scheme === undefined) throw new UnsupportedPfx(`its cipher ${id} is not supported`)
  for (const bytes of password.bmp) yield* attempt(() => decryptPkcs12(scheme, parameters, encrypted, { bytes, work }))
}

/** A wrong password mostly shows as wrong padding, which the ciphers report by throwing. */
function* attempt(decrypt: () => Buffer): Generator<Buffer> {
  try {
    yield decrypt()
  } catch (failure) {
    if (failure instanceof UnsupportedPfx || failure instanceof TooManyIterations) throw failure
  }
}

/** One reading of the password. */
interface Reading extends Pick<Password, 'work'> {
  readonly bytes: Buffer
}

function decryptPkcs12(
  { size, cipher }: { size: number; cipher: '3des' | 'rc2' },
  parameters: Der | undefined,
  encrypted: Buffer,
  { bytes, work }: Reading,
): Buffer {
  const [salt, count] = derChildren(parameters)
  // A block of SHA-1 has 20 bytes of the key, and the IV is derived by itself.
  const rounds = iterations(count, { work }, Math.ceil(size / 20) + 1)
  const salted = salt?.tag === DER_OCTET_STRING ? Buffer.from(derContent(salt)) : Buffer.alloc(0)
  const key = deriveKey('sha1', bytes, salted, 1, rounds, size)
  const iv = deriveKey('sha1', bytes, salted, 2, rounds, 8)
  if (cipher === 'rc2') return decryptRc2(key, iv, encrypted)
  const three = size === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key
  return decipher('des-ede3-cbc', three, iv, encrypted)
}

/**
 * OpenSSL 3 hides RC2 behind its legacy provider, which Node does not load. In pieces, each with the block before it as its
 * IV, as CBC goes on: forge's buffers are texts that grow by two characters at a time, and long ones take seconds.
 */
function decryptRc2(key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  const plain: Buffer[] = []
  for (let at = 0; at < encrypted.length; at += RC2_PIECE) {
    const piece = encrypted.subarray(at, at + RC2_PIECE)
    const is_last = at + RC2_PIECE >= encrypted.length
    const cipher = forge.rc2.createDecryptionCipher(key.toString('latin1'), key.length * 8)
    cipher.start((at === 0 ? iv : encrypted.subarray(at - 8, at)).toString('latin1'))
    cipher.update(forge.util.createBuffer(piece.toString('latin1')))
    if (!cipher.finish(is_last ? undefined : () => true)) throw new RangeError('wrong padding')
    plain.push(Buffer.from(cipher.output.getBytes(), 'latin1'))
  }
  return Buffer.concat(plain)
}

function decryptPbes2(parameters: Der | undefined, encrypted: Buffer, { bytes, work }: Reading): Buffer {
  const [kdf, scheme] = derChildren(parameters)
  const [kdf_id, kdf_parameters] = derChildren(kdf)
  const [cipher_id, iv] = derChildren(scheme)
  const cipher = PBES2_CIPHERS[oidHex(cipher_id)]
  if (oidHex(kdf_id) !== PBKDF2 || cipher === undefined || iv === undefined) {
    throw new UnsupportedPfx('its PBES2 cipher is not supported')
  }
  const [salt, count, ...rest] = derChildren(kdf_parameters)
  const prf = rest.find(({ tag }) => tag === DER_SEQUENCE)
  const hash = prf === undefined ? 'sha1' : PRFS[oidHex(derChildren(prf)[0])]
  if (salt === undefined || hash === undefined) throw new UnsupportedPfx('its key derivation is not supported')
  const key = pbkdf2Sync(bytes, derContent(salt), iterations(count, { work }, PBKDF2_WORK), cipher.size, hash)
  return decipher(cipher.name, key, Buffer.from(derContent(iv)), encrypted)
}

function decipher(name: string, key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  const cipher = createDecipheriv(name, key, iv)
  return Buffer.concat([cipher.update(encrypted), cipher.final()])
}

export function oidHex(der: Der | undefined): string {
  return der?.tag === DER_OID ? Buffer.from(derContent(der)).toString('hex') : ''
}
