import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import type { Vault } from '../../kernel/vault.ts'

const NONCE = 12
const TAG = 16
const KEY_VERSION = 1

// Nonces for many values at a time, each used once: asking for one costs as much as asking for hundreds.
const nonces = Buffer.alloc(256 * NONCE)
let used = nonces.length

/** Good until the next is asked for. */
function nextNonce(): Buffer {
  if (used === nonces.length) {
    randomFillSync(nonces)
    used = 0
  }
  used += NONCE
  return nonces.subarray(used - NONCE, used)
}

/**
 * AES-256-GCM under keys given at start. A sealed value is version, nonce, tag, ciphertext; the
 * version names the key, so that a new key can be introduced while old values still open.
 */
export function localVault(keys: ReadonlyMap<number, Uint8Array>, current = KEY_VERSION): Vault {
  const keyOf = (version: number) => {
    const key = keys.get(version)
    if (key?.length !== 32) throw new Error(`no master key of version ${version}`)
    return key
  }
  keyOf(current)
  const version = Buffer.from([current])
  return {
    version: current,
    seal(owner, clear) {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', keyOf(current), nonce)
      cipher.setAAD(Buffer.from(owner, 'utf8'))
      const body = [cipher.update(clear), cipher.final()]
      return Buffer.concat([version, nonce, cipher.getAuthTag(), ...body])
    },
    open(owner, sealed) {
      const bytes = Buffer.from(sealed)
      // The length is demanded: Node would take the first four bytes of a tag for all of it, and those can be guessed.
      const whole = { authTagLength: TAG }
      const decipher = createDecipheriv('aes-256-gcm', keyOf(bytes.readUInt8(0)), bytes.subarray(1, 1 + NONCE), whole)
      decipher.setAAD(Buffer.from(owner, 'utf8'))
      decipher.setAuthTag(bytes.subarray(1 + NONCE, 1 + NONCE + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE + TAG)), decipher.final()])
    },
  }
}
