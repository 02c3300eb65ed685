// Everything under an empresa, set aside and put back: it can be deleted as often as a test likes.

import type { Database } from '../../src/kernel/db.ts'

/** What outlives its empresa: the ledger, the audit log, the answers of idempotency keys, what was used. */
const OUTLIVES = /^(audit|event|idempotency|usage)/

export interface SavedEmpresa {
  restore(): Promise<void>
  /** The tables in which something of the empresa is left. */
  remains(): Promise<string[]>
}

export async function saveEmpresa(db: Database, empresa_id: string): Promise<SavedEmpresa> {
  const client = await db.connect()
  const { rows: tables } = await client.query<{ table: string; columns: string }>(`
    select c.table_name as table, string_agg(quote_ident(c.column_name), ', ') as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
    group by 1 having 'empresa_id' = any(array_agg(c.column_name::text)) or c.table_name = 'empresa'`)
  const owned = tables.filter(({ table }) => !OUTLIVES.test(table))
  const id = client.escapeLiteral(empresa_id)
  const whose = (table: string) => `${table === 'empresa' ? 'id' : 'empresa_id'} = ${id}`
  const save = owned.map(
    ({ table, columns }) => `create table saved.${table} as select ${columns} from ${table} where ${whose(table)}`,
  )
  const putBack = owned.map(
    ({ table, columns }) => `
      delete from ${table} where ${whose(table)};
      insert into ${table} (${columns}) overriding system value select ${columns} from saved.${table};`,
  )
  // A function, as it keeps its plans: to plan two statements for each table is most of what they cost.
  const restore = `
    create function saved.restore() returns void language plpgsql as $restore$ begin ${putBack.join('')} end $restore$`
  await client.query(['drop schema if exists saved cascade; create schema saved', ...save, restore].join(';'))
  await client.end()

  return {
    // Neither cascades nor foreign keys: rows come and go in any order.
    async restore() {
      await db.transact((_sql, own) =>
        own.query('set local session_replication_role = replica; select saved.restore()'),
      )
    },
    async remains() {
      const texts = owned.map(({ table }) => `select '${table}' as table from ${table} where ${whose(table)}`)
      const text = texts.join(' union all ')
      const { rows } = await db.transact((_sql, own) => own.query<{ table: string }>({ name: 'remains', text }))
      return [...new Set(rows.map(({ table }) => table))]
    },
  }
}
