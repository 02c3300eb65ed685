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
  const clear = JSON.stringify({ key: text(kept.key), certificates: kept.certificates.map(text) })
  return Buffer.from(vault.seal(certificateOwner(owner, id), Buffer.from(clear, 'latin1')))
}

export function unsealCertificate(vault: Vault, owner: Owner, id: string, sealed: Uint8Array): KeptCertificate {
  const clear = vault.open(certificateOwner(owner, id), sealed)
  const { key, certificates } = JSON.parse(Buffer.from(clear).toString('latin1')) as {
    key: string
    certificates: string[]
  }
  const bytes = (base64: string) => Buffer.from(base64, 'base64')
  return { key: bytes(key), certificates: certificates.map(bytes) }
}
