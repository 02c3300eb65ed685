import { generateKeyPairSync, type KeyObject } from 'node:crypto'

let made: KeyObject | undefined

/**
 * The key of every person of a test: no rule is about whose it is, and one takes a part of a second. Not a short one, for
 * it is shown in a handshake, where OpenSSL 3.5, that of Node 24, takes no less.
 */
export function personKey(): KeyObject {
  made ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return made
}
