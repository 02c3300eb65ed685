import { joined, name, part, type Sql } from '../../../kernel/db.ts'
import { deleteJobsOf } from '../../../kernel/queue.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import type { PurgeOrder } from './jobs.ts'
import { DELETED } from './sql.ts'
import { deleteEmpresaRow } from './store.ts'

type Owned = Pick<EmpresaScope, 'account_id' | 'empresa_id'>

/** How many rows of a table one transaction deletes: about half a second of documents. */
export const BATCH = 2_000

/**
 * The tables whose rows go with their empresa, as the database knows them, so that none is forgotten. Those that refer
 * to others of them come first.
 */
async function tablesUnder(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string; refers_to: string[] }>`
    with owned as (
      select distinct c.conrelid as id from pg_constraint c where c.contype = 'f' and c.confrelid = 'empresa'::regclass)
    select o.id::regclass::text as id, array(
      select f.confrelid::regclass::text from pg_constraint f
      where f.contype = 'f' and f.conrelid = o.id and f.confrelid <> o.id and f.confrelid in (select id from owned)) as refers_to
    from owned o order by 1`
  const ordered: string[] = []
  const waiting = new Map(rows.map(({ id, refers_to }) => [id, refers_to]))
  while (waiting.size > 0) {
    const referred = new Set([...waiting.values()].flat())
    // Tables that refer to each other in a circle go in any order: those references cascade.
    const free = [...waiting.keys()].filter((id) => !referred.has(id))
    for (const id of free.length > 0 ? free : waiting.keys()) {
      ordered.push(id)
      waiting.delete(id)
    }
  }
  return ordered
}

/** Whether an empresa has more rows in some table than one transaction should delete. */
export async function isLarge(sql: Sql, { account_id, empresa_id }: Owned, most = BATCH): Promise<boolean> {
  const tables = await tablesUnder(sql)
  const more = tables.map(
    (table) => part`exists (
      select 1 from ${name(table)} where account_id = ${account_id} and empresa_id = ${empresa_id} offset ${most})`,
  )
  const [row] = await sql<{ large: boolean }>`select ${joined(more, ' or ')} as large`
  return row?.large ?? false
}

async function deleteSome(sql: Sql, table: string, { account_id, empresa_id }: Owned): Promise<number> {
  const rows = await sql`
    delete from ${name(table)} where ctid = any(array(
      select ctid from ${name(table)} where account_id = ${account_id} and empresa_id = ${empresa_id} limit ${BATCH}))
    returning 1`
  return rows.length
}

/**
 * Deletes the jobs and rows of an empresa that was deleted, each batch in a transaction of its own, and the empresa last:
 * a run that died left fewer of them.
 */
export async function purgeEmpresa(ctx: JobContext, { empresa_id }: PurgeOrder): Promise<'done'> {
  const { account_id } = ctx
  if (account_id === null) throw new Error('this job works for an account')
  const scope = { account_id, empresa_id }
  for (let is_last = false; !is_last; ) is_last = await ctx.transact((tx) => deleteJobsOf(tx.sql, scope, BATCH))
  for (const table of await tablesUnder(ctx.sql)) {
    let deleted = BATCH
    while (deleted === BATCH) {
      deleted = await ctx.transact((tx) => deleteSome(tx.sql, table, scope))
    }
  }
  await ctx.transact((tx) => deleteEmpresaRow(tx.sql, scope, DELETED))
  return 'done'
}
