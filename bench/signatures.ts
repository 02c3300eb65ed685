import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { FOLIO_KEY_BITS, SIGNER_BITS } from '../packages/server/src/sandbox/sii/keys.ts'

/** What the stamp and the signature of a document sign, as long as they are in one. */
export const STAMPED = Buffer.alloc(900, 'x')
export const SIGNED = Buffer.alloc(600, 'x')

const newKey = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey

/** Keys as long as those that stamp and sign in the sandbox: a longer one would make everything beside it look cheap. */
export function sandboxSizedKeys(): { readonly stamp: KeyObject; readonly signer: KeyObject } {
  return { stamp: newKey(FOLIO_KEY_BITS), signer: newKey(SIGNER_BITS) }
}

/** How much slower RSA is on the machines where it is slow (arm64), all else being equal: what is told of them is arithmetic. */
export const SLOW_RSA = 9
