import type { Vault } from '../../../kernel/vault.ts'
import type { LinkBeginning } from '../../../ports/bank.ts'

// Sealed for different owners, so that one can never be opened in place of the other.
export const linkOwner = (connection_id: string) => `${connection_id}:link_token`
export const widgetOwner = (connection_id: string) => `${connection_id}:widget`

export function sealToken(vault: Vault, connection_id: string, link_token: string): Buffer {
  return Buffer.from(vault.seal(linkOwner(connection_id), Buffer.from(link_token, 'utf8')))
}

export function openToken(vault: Vault, connection_id: string, sealed: Uint8Array): string {
  return Buffer.from(vault.open(linkOwner(connection_id), sealed)).toString('utf8')
}

/** The tokens that the page needs until the bank is linked. */
export type Widget = Pick<LinkBeginning, 'widget_token' | 'public_key'>

export function sealWidget(vault: Vault, connection_id: string, { widget_token, public_key }: Widget): Buffer {
  return Buffer.from(vault.seal(widgetOwner(connection_id), Buffer.from(JSON.stringify({ widget_token, public_key }))))
}

export function openWidget(vault: Vault, connection_id: string, sealed: Uint8Array): Widget {
  return JSON.parse(Buffer.from(vault.open(widgetOwner(connection_id), sealed)).toString('utf8')) as Widget
}
