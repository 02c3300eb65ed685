import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { BankFailure, type BankLink } from '../../../ports/bank.ts'
import type { BaseContext, EmpresaContext } from '../../context.ts'
import { nextDailyRun } from '../../daily-run.ts'
import type { JobTransaction } from '../../job.ts'
import { mergeAccounts } from './accounts.ts'
import { advanceConnection } from './advance.ts'
import { syncDaily } from './jobs.ts'
import { type Attempt, asProblem, attempt, unwrap, wrongStatus } from './problems.ts'
import { requireConnection } from './read.ts'
import { enqueueSync } from './request-sync.ts'
import { enqueueRevocation } from './revoke-link.ts'
import type { Connection, ConnectionPath, ExchangeToken } from './schema.ts'
import { type ConnectionRow, showConnection } from './show.ts'
import { saveLink } from './store.ts'
import { openToken, sealToken } from './token.ts'

type ExchangeContext = Pick<BaseContext, 'sql' | 'ports' | 'now'> & { readonly empresa: EmpresaScope }
type LinkContext = Pick<JobTransaction, 'sql' | 'ports' | 'now' | 'emit' | 'enqueue'> & {
  readonly empresa: EmpresaScope
}

/** Exchanges the token of the widget for the link, before any transaction opens. */
export async function exchange(ctx: ExchangeContext, input: ConnectionPath & ExchangeToken): Promise<BankLink> {
  const row = await requireConnection(ctx, input.connection_id)
  if (row.status !== 'pending_link') throw wrongStatus(row)
  const { empresa, ports } = ctx
  try {
    return await ports.bank[empresa.mode].exchange({ ...input, empresa, at: ctx.now() })
  } catch (error) {
    if (error instanceof BankFailure && (error.reason === 'refused' || error.reason === 'gone'))
      throw new Problem('exchange_token_refused', { param: 'exchange_token' })
    throw asProblem(error)
  }
}

/**
 * Saves a link: its token sealed, the page gone, a sync enqueued, and one scheduled for every day. When somebody else was
 * faster the connection is theirs, and this link is revoked at the provider.
 */
export async function completeLink(ctx: LinkContext, connection_id: string, link: BankLink): Promise<ConnectionRow> {
  const { sql, empresa, ports } = ctx
  const row = await requireConnection(ctx, connection_id, { lock: true })
  const sealed = sealToken(ports.vault, connection_id, link.link_token)
  if (row.status !== 'pending_link') {
    const in_use = row.link_token && openToken(ports.vault, connection_id, row.link_token)
    await enqueueRevocation(ctx, connection_id, sealed, in_use)
    return row
  }
  await enqueueRevocation(ctx, connection_id, row.link_token, link.link_token)
  await saveLink(sql, empresa, connection_id, {
    link_id: link.link_id,
    link_token: sealed,
    institution: link.institution,
    holder_rut: link.holder_rut,
    accounts: mergeAccounts(link.accounts, row.accounts),
    linked_at: ctx.now(),
  })
  const linked = await advanceConnection(ctx, empresa, row, 'linked')
  await enqueueSync(ctx, empresa, linked, { refresh: false })
  await ctx.enqueue(syncDaily, {
    payload: { connection_id },
    key: connection_id,
    empresa_id: empresa.empresa_id,
    lane: connection_id,
    due_at: nextDailyRun(connection_id, ctx.now()),
  })
  return linked
}

interface Exchanged {
  readonly link: Attempt<BankLink>
}

export async function prepareExchange(ctx: EmpresaContext, input: ConnectionPath & ExchangeToken): Promise<Exchanged> {
  return { link: await attempt(() => exchange(ctx, input)) }
}

export async function exchangeToken(
  ctx: EmpresaContext,
  { connection_id, link }: ConnectionPath & Exchanged,
): Promise<Connection> {
  return showConnection(await completeLink(ctx, connection_id, unwrap(link)))
}
