import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Signer } from '@timbre/dte/emission'
import { HOUR_SECONDS } from '../../../catalog/time.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Vault } from '../../../kernel/vault.ts'
import { type KeptCertificate, unsealCertificate } from './keep.ts'
import type { CertificateRow } from './show.ts'
import { findSealed, findUsable, saveLastUse, saveProven } from './store.ts'

/** A person, ready to sign and to meet the SII over mutual TLS. It lives in memory alone, and never in a log. */
export interface OpenIdentity {
  readonly certificate_id: string
  readonly holder_rut: string
  readonly fingerprint_sha256: string
  readonly not_after: Date
  readonly signer: Signer
  /** PEM: the holder's certificate with the issuers that came with it, and the key. */
  readonly tls: { readonly cert: string; readonly key: string }
}

interface Cached {
  /** Which row it was opened from. */
  readonly version: string
  readonly identity: Promise<OpenIdentity>
  readonly timer: NodeJS.Timeout
}

/** Opening takes milliseconds, and an empresa signs hundreds of documents a minute. No key stays in memory for longer. */
const CACHED_MS = 600_000
const MAX_CACHED = 256
const cache = new Map<string, Cached>()

/** Forgets the key of an empresa in this process. Others find its row changed the next time they look. */
export function dropIdentity({ empresa_id }: Pick<EmpresaScope, 'empresa_id'>): void {
  clearTimeout(cache.get(empresa_id)?.timer)
  cache.delete(empresa_id)
}

const versionOf = ({ account_id, mode, id, fingerprint_sha256, uploaded_at }: CertificateRow) =>
  [account_id, mode, id, fingerprint_sha256, uploaded_at.toISOString()].join()

/** A person as they sign and as they meet the SII, out of the parts of their certificate. */
export async function openParts({
  key: der,
  certificates,
}: KeptCertificate): Promise<Pick<OpenIdentity, 'signer' | 'tls'>> {
  const { createSigner } = await import('@timbre/dte/emission')
  const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })
  const [holder, ...issuers] = certificates.map((one) => new X509Certificate(one))
  if (!holder) throw new Error('a certificate is kept without itself')
  return {
    signer: createSigner(key, holder),
    tls: {
      cert: [holder, ...issuers].map((one) => one.toString()).join(''),
      key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  }
}

async function identityOf(row: CertificateRow, kept: KeptCertificate): Promise<OpenIdentity> {
  const { id: certificate_id, holder_rut, fingerprint_sha256, not_after } = row
  return { certificate_id, holder_rut, fingerprint_sha256, not_after, ...(await openParts(kept)) }
}

async function open(sql: Sql, vault: Vault, scope: EmpresaScope, row: CertificateRow): Promise<OpenIdentity> {
  const sealed = await findSealed(sql, scope, row.id)
  if (!sealed) throw new Error(`the certificate ${row.id} left custody while it was opened`)
  return identityOf(row, unsealCertificate(vault, scope, row.id, sealed))
}

/**
 * The person who signs for an empresa; null when it has no certificate in custody, or is suspended. One that has expired comes too, for
 * what the empresa may still do is its caller's to say.
 */
export async function openIdentity(sql: Sql, vault: Vault, scope: EmpresaScope): Promise<OpenIdentity | null> {
  const row = await findUsable(sql, scope)
  const cached = cache.get(scope.empresa_id)
  if (!row || cached?.version !== versionOf(row)) dropIdentity(scope)
  if (!row) return null
  await recordUse(sql, scope, row)
  const known = cache.get(scope.empresa_id)
  if (known) return known.identity
  const identity = open(sql, vault, scope, row)
  const [oldest] = cache.keys()
  if (cache.size >= MAX_CACHED && oldest !== undefined) dropIdentity({ empresa_id: oldest })
  const timer = setTimeout(() => dropIdentity(scope), CACHED_MS).unref()
  cache.set(scope.empresa_id, { version: versionOf(row), identity, timer })
  identity.catch(() => dropIdentity(scope))
  return identity
}

/** To the hour: a row that was written with every document would be the busiest of all. */
async function recordUse(sql: Sql, scope: EmpresaScope, row: CertificateRow): Promise<void> {
  const now = new Date(systemNow())
  const { last_used_at } = row
  if (last_used_at === null || secondsFrom(last_used_at, HOUR_SECONDS) <= now)
    await saveLastUse(sql, scope, row.id, now)
}

/** The SII took what the holder sent for the empresa. While it refuses them on the other road, that is what is shown. */
export function recordProven(sql: Sql, scope: EmpresaScope, fingerprint: string): Promise<void> {
  return saveProven(sql, scope, fingerprint)
}
