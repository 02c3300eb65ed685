import type { Caf } from '@timbre/dte'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { findSealed } from './store.ts'

/** Emission stamps hundreds of documents a second with the same few CAFs: they stay open, and the oldest is evicted. */
const MAX_CACHED = 512
const cache = new Map<string, Promise<Caf>>()

/** The owner a CAF is sealed for in the vault: a file moved to another row does not open. */
export function cafOwner(scope: Pick<EmpresaScope, 'empresa_id'>, caf_id: string): string {
  return `caf:${scope.empresa_id}:${caf_id}`
}

async function open(ctx: Pick<BaseContext, 'sql' | 'ports'>, scope: EmpresaScope, caf_id: string): Promise<Caf> {
  const sealed = await findSealed(ctx.sql, scope, caf_id)
  if (!sealed) throw new Error(`no CAF ${caf_id} of this empresa`)
  const [{ readCaf }, keys] = await Promise.all([
    import('@timbre/dte/emission'),
    ctx.ports.sii[scope.mode].authorityKeys(),
  ])
  const read = readCaf(ctx.ports.vault.open(cafOwner(scope, caf_id), sealed), keys)
  if (!read.ok) throw new Error(`the CAF ${caf_id} cannot be read: ${read.refusal.rule}`)
  return read.value
}

/**
 * The CAF a folio was drawn from, opened and ready to stamp. Also one that was deactivated since: what was drawn from
 * it is stamped with it. A file never changes, so a cached one is never stale.
 */
export function readStampingCaf(
  ctx: Pick<BaseContext, 'sql' | 'ports'>,
  scope: EmpresaScope,
  caf_id: string,
): Promise<Caf> {
  const name = `${scope.account_id}|${scope.mode}|${cafOwner(scope, caf_id)}`
  const cached = cache.get(name)
  if (cached) return cached
  const opened = open(ctx, scope, caf_id)
  const [oldest] = cache.keys()
  if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest)
  cache.set(name, opened)
  opened.catch(() => cache.delete(name))
  return opened
}
