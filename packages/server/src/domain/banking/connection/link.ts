import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { BankFailure, type BankLink } from '../../../ports/bank.ts'
import type { BaseContext } from '../../context.ts'
import type { JobTransaction } from '../../job.ts'
import { nextDailyRun } from '../../tax/rcv/daily-sync.ts'
import { keptAccounts } from './accounts.ts'
import { askForSync } from './ask-sync.ts'
import { forgetLink, sweepConnection } from './jobs.ts'
import { moveConnection } from './move.ts'
import { asProblem, wrongStatus } from './problems.ts'
import { requireConnection } from './read.ts'
import type { ConnectionPath, ExchangeToken } from './schema.ts'
import type { ConnectionRow } from './show.ts'
import { keepLink } from './store.ts'
import { openToken, sealToken } from './token.ts'

type Asking = Pick<BaseContext, 'sql' | 'ports' | 'now'> & { readonly empresa: EmpresaScope }
type Writing = Pick<JobTransaction, 'sql' | 'ports' | 'now' | 'emit' | 'enqueue'> & { readonly empresa: EmpresaScope }

/** Gives the provider what the widget gave, for the link. The network is asked before any transaction. */
export async function exchange(ctx: Asking, input: ConnectionPath & ExchangeToken): Promise<BankLink> {
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

/** Has the provider forget a link, unless it is the one to keep. */
async function forget(ctx: Writing, connection_id: string, sealed: Buffer | null, keep: string | null): Promise<void> {
  if (!sealed || openToken(ctx.ports.vault, connection_id, sealed) === keep) return
  await ctx.enqueue(forgetLink, {
    payload: { connection_id, sealed: sealed.toString('base64') },
    empresa_id: ctx.empresa.empresa_id,
  })
}

/**
 * Keeps a link: its token sealed, the page gone, a reading asked for, and one every day from now on. When somebody
 * else was faster the connection is theirs, and the provider forgets this link.
 */
export async function keepLinked(ctx: Writing, connection_id: string, link: BankLink): Promise<ConnectionRow> {
  const { sql, empresa, ports } = ctx
  const row = await requireConnection(ctx, connection_id, { hold: true })
  const sealed = sealToken(ports.vault, connection_id, link.link_token)
  if (row.status !== 'pending_link') {
    const kept = row.link_token && openToken(ports.vault, connection_id, row.link_token)
    await forget(ctx, connection_id, sealed, kept)
    return row
  }
  await forget(ctx, connection_id, row.link_token, link.link_token)
  await keepLink(sql, empresa, connection_id, {
    link_id: link.link_id,
    link_token: sealed,
    institution: link.institution,
    holder_rut: link.holder_rut,
    accounts: keptAccounts(link.accounts, row.accounts),
    linked_at: ctx.now(),
  })
  const linked = await moveConnection(ctx, empresa, connection_id, 'linked')
  await askForSync(ctx, empresa, linked, { refresh: false })
  await ctx.enqueue(sweepConnection, {
    payload: { connection_id },
    key: connection_id,
    empresa_id: empresa.empresa_id,
    lane: connection_id,
    due_at: nextDailyRun(connection_id, ctx.now()),
  })
  return linked
}

/** Forgets the link of a connection that goes away. */
export function forgetLinked(ctx: Writing, row: ConnectionRow): Promise<void> {
  return forget(ctx, row.id, row.link_token, null)
}
