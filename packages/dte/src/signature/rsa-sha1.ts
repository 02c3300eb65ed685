import { constants, hash, type KeyObject, privateEncrypt, publicDecrypt } from 'node:crypto'

/** DigestInfo of a SHA-1 (RFC 8017, 9.2, note 1), before its twenty bytes. */
const SHA1_INFO = Buffer.from('3021300906052b0e03021a05000414', 'hex')
const SHA1_INFO_HEX = SHA1_INFO.toString('hex')
const padding = constants.RSA_PKCS1_PADDING

/**
 * What `sign('RSA-SHA1')` gives, in base64, in its two steps: Node makes a job of a signature even where it does not leave
 * the thread, and a document alone would be a hundredth dearer. A text is signed in UTF-8.
 */
export function signSha1(signed: string | Uint8Array, key: KeyObject): string {
  const info = Buffer.from(SHA1_INFO_HEX + hash('sha1', signed, 'hex'), 'hex')
  return privateEncrypt({ key, padding }, info).toString('base64')
}

/**
 * The SHA-1 that a signature is over, or null when the key did not make it: one step of RSA where several texts are to be
 * compared with it.
 */
export function signedSha1(key: KeyObject, signature: Uint8Array): Buffer | null {
  try {
    const info = publicDecrypt({ key, padding }, signature)
    const is_sha1 = info.length === SHA1_INFO.length + 20 && info.subarray(0, SHA1_INFO.length).equals(SHA1_INFO)
    return is_sha1 ? info.subarray(SHA1_INFO.length) : null
  } catch {
    return null
  }
}
