/**
 * Custody of what must be read back. `owner` is the identity of the row the secret belongs to
 * and is sealed with it: a ciphertext moved to another row does not open.
 */
export interface Vault {
  seal(owner: string, clear: Uint8Array): Uint8Array
  open(owner: string, sealed: Uint8Array): Uint8Array
}
