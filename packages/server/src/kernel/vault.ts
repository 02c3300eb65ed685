/**
 * Custody of what must be read back. `owner` is the identity of the row the secret belongs to
 * and is sealed with it: a ciphertext moved to another row does not open.
 */
export interface Vault {
  /** The number of the key that seals; what others sealed still opens. */
  readonly version: number
  seal(owner: string, clear: Uint8Array): Uint8Array
  open(owner: string, sealed: Uint8Array): Uint8Array
}

/** The master keys by their number, and the one that seals and signs what is new. */
export interface MasterKeys {
  readonly current: number
  readonly keys: ReadonlyMap<number, Uint8Array>
}

/** Number 1 alone: what an installation has until it changes its key. */
export function oneKey(key: Uint8Array): MasterKeys {
  return { current: 1, keys: new Map([[1, key]]) }
}
