import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Vault } from '../../../kernel/vault.ts'
import type { OpenedPfx } from '../../../ports/certificates.ts'

/** What signs: the key and the certificates, of the holder first. */
export type KeptCertificate = Pick<OpenedPfx, 'key' | 'certificates'>

type Owner = Pick<EmpresaScope, 'empresa_id'>

/** The owner a certificate is sealed for in the vault: what is moved to another empresa does not open. */
export function certificateOwner({ empresa_id }: Owner, id: string): string {
  return `certificate:${empresa_id}:${id}`
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

export function sealCertificate(vault: Vault, owner: Owner, id: string, kept: KeptCertificate): Buffer {
  // Not JSON: the error of a parser quotes what it was given.
  const clear = [kept.key, ...kept.certificates].map(text).join(' ')
  return Buffer.from(vault.seal(certificateOwner(owner, id), Buffer.from(clear, 'latin1')))
}

export function unsealCertificate(vault: Vault, owner: Owner, id: string, sealed: Uint8Array): KeptCertificate {
  const clear = vault.open(certificateOwner(owner, id), sealed)
  const bytes = (base64: string) => Buffer.from(base64, 'base64')
  const [key = '', ...certificates] = Buffer.from(clear).toString('latin1').split(' ')
  return { key: bytes(key), certificates: certificates.map(bytes) }
}
