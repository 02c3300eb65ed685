import { nowOf, REAL_TIME, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { randomSecret } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { Vault } from '../../../kernel/vault.ts'
import type { HolderType, LinkBeginning } from '../../../ports/bank.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Distrust } from '../../distrust.ts'
import type { SharedLink } from '../../issuing/public-link/open.ts'
import { bindToGrant } from '../../platform/agent-grant/makings.ts'
import type { ConnectionWithLink } from './schema.ts'
import { endPages, findConnectPage, saveConnectPage } from './store.ts'
import { openWidget, sealWidget, type Widget } from './token.ts'

/** Creates the address where a person links the bank: shown once, good for one use, and valid as long as the provider's token. */
export async function createConnectPage(
  ctx: Pick<EmpresaContext, 'sql' | 'caller' | 'empresa' | 'ports' | 'addresses'>,
  connection_id: string,
  beginning: LinkBeginning,
): Promise<ConnectionWithLink['link']> {
  const { sql, empresa, ports, addresses } = ctx
  const slug = randomSecret()
  const widget = sealWidget(ports.vault, connection_id, beginning)
  const { widget_token, public_key, expires_at } = beginning
  const made = { made_by: ctx.caller.credential_id, made_at: new Date(systemNow()) }
  await saveConnectPage(sql, empresa, connection_id, { connect_hash: hashSecret(slug), widget, expires_at, ...made })
  await bindToGrant(ctx, { id: connection_id, kind: 'connection', label: connection_id })
  const url = `${addresses.public_url}/connect/${slug}`
  return { widget_token, public_key, expires_at: expires_at.toISOString(), url }
}

/** The page behind an address, with the clock of its owner. */
export interface ConnectPage extends SharedLink {
  readonly connection_id: string
  readonly legal_name: string
  readonly holder_type: HolderType
  readonly requested_institution: string | null
  readonly clock: { readonly offset_ms: number; readonly frozen_at: Date | null }
  readonly sealed_widget: Buffer | null
}

/** Null for an address that never was, was used or has expired: a stranger cannot tell which. */
export async function openConnectPage(sql: Sql, slug: string): Promise<ConnectPage | null> {
  const hash = hashSecret(slug)
  const found = await findConnectPage(sql, hash)
  if (!found) return null
  const { account_id, empresa_id, mode, rut, offset_ms, frozen_at } = found
  const clock = offset_ms === null ? REAL_TIME : { offset_ms, frozen_at }
  if (found.expires_at <= nowOf(clock)) return null
  const scope: EmpresaScope = { account_id, empresa_id, mode, rut }
  return {
    scope,
    hash: hash.toString('hex'),
    connection_id: found.id,
    legal_name: found.legal_name,
    holder_type: found.holder_type,
    requested_institution: found.requested_institution,
    clock,
    sealed_widget: found.widget,
  }
}

export function widgetOf(vault: Vault, { connection_id, sealed_widget }: ConnectPage): Widget | null {
  return sealed_widget && openWidget(vault, connection_id, sealed_widget)
}

/** When an account is taken back: pages that somebody opened who is not trusted. Returns how many. */
export function endDistrustedPages(sql: Sql, account_id: string, distrust: Distrust): Promise<number> {
  return endPages(sql, account_id, distrust)
}
