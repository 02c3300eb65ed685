import type { Sql } from '../../../kernel/db.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { EmpresaContext } from '../../context.ts'
import { journalEntry } from './advance.ts'
import { listSentUnder } from './emission-store.ts'
import { resendEnvelope } from './jobs.ts'
import type { DocumentRow } from './show.ts'
import { insertJournal } from './store.ts'

/** Sent, and lost by the SII or not as we know it there: it waits for somebody to look into it. */
export const waitsForPerson = ({ status, failure }: Pick<DocumentRow, 'status' | 'failure'>): boolean =>
  status === 'sent' && failure !== null

/** Has the envelope of a document that the SII lost sent again: it stays `sent`, and so do those that went with it. */
export async function retryLost(ctx: EmpresaContext, { id, envelope_key }: DocumentRow): Promise<DocumentRow> {
  if (!envelope_key) throw new Error(`the document ${id} was lost and has no envelope`)
  const { sql, empresa } = ctx
  const ids = (await listSentUnder(sql, empresa, { envelope_key })).map((row) => row.id)
  const rows = await sql<DocumentRow>`
    update document set failure = null where ${ownedBy(empresa)} and id = any(${ids}::text[]) returning *`
  const entries = rows.map((row) => journalEntry('retried', row.id, {}))
  await sql`${insertJournal(empresa, entries, ctx.now())}`
  await ctx.enqueue(resendEnvelope, { payload: { envelope_key, document_ids: ids }, lane: empresa.empresa_id })
  const row = rows.find((one) => one.id === id)
  if (!row) throw new Error(`the document ${id} is not locked`)
  return row
}

/** How many documents wait for somebody because the SII lost them or has them otherwise, of all tenants: for whoever runs the service. */
export async function countLost(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::int as count from document where status = 'sent' and failure is not null`
  return row?.count ?? 0
}
