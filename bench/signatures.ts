import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { FOLIO_KEY_BITS, SIGNER_BITS } from '../packages/server/src/sandbox/sii/keys.ts'

/** What the stamp and the signature of a document sign, as long as they are in one. */
export const STAMPED = Buffer.alloc(900, 'x')
export const SIGNED = Buffer.alloc(600, 'x')

/** The length of the key in the certificate of a person. The sandbox signs with a shorter one. */
export const CERTIFICATE_BITS = 2048

const newKey = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey

export interface Keys {
  readonly stamp: KeyObject
  readonly signer: KeyObject
}

/** Keys as long as those of a document of live mode: what a document costs is told in signatures made with these. */
export const liveSizedKeys = (): Keys => ({ stamp: newKey(FOLIO_KEY_BITS), signer: newKey(CERTIFICATE_BITS) })

/** Keys as long as those that stamp and sign in the sandbox. */
export const sandboxSizedKeys = (): Keys => ({ stamp: newKey(FOLIO_KEY_BITS), signer: newKey(SIGNER_BITS) })

/** How many times as long RSA takes on a server with arm64 as on one with x64, all else being equal. */
const SLOW_RSA = 9

/** And how many times as long everything else: the same statement behind a bare route ran 990 and 1,630 times a second on two cores of each. */
const SLOW_REST = 1.65

/** The kind of machine that this one is not. What is told of it is arithmetic. */
export const OTHER_KIND =
  process.arch === 'arm64'
    ? { described: 'on x64: RSA a ninth, the rest 0.6', rsa: 1 / SLOW_RSA, rest: 1 / SLOW_REST }
    : { described: 'on arm64: RSA nine times, the rest 1.65', rsa: SLOW_RSA, rest: SLOW_REST }
