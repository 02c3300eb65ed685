import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { watchPlans } from '../../../../test/support/plan-of.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { daysFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { makePartitions, presentPartition } from '../../../kernel/partition.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import {
  listHeldNotas,
  listQueued,
  listQueuedKeys,
  listSentAlone,
  listSentUnder,
  lockWithoutFolio,
  replaceXml,
  saveXml,
} from './emission-store.ts'
import { recordStanding } from './standing.ts'

const LAST_YEAR = daysFrom(new Date(systemNow()), -366)

let world: World
let issuer: Issuer
let id: string
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
  id = (await issuer.create(FACTURA)).body.id
  // A year that a plan for all of them would open.
  await makePartitions(world.db, LAST_YEAR)
})
afterAll(() => world.close())

/** The indexes of documents that are read where a plan is made of an empresa whose documents are all accepted. */
async function indexesOf(read: (sql: Sql, scope: EmpresaScope) => Promise<unknown>): Promise<Set<string>> {
  const indexes = await world.db.transact(async (sql) => {
    await sql`update document set status = 'accepted' where id = ${id}`
    await sql`
      insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
        receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
      select account_id, empresa_id, mode, id || n, status, tipo_dte, 100 + n, issue_date, net, iva, exempt, total,
        receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at
      from document, generate_series(1, 1000) n where id = ${id}`
    await sql`analyze document`
    await sql`set local enable_seqscan = off`
    const watched = watchPlans(sql)
    const scope = { account_id: issuer.account, empresa_id: issuer.empresa_id, rut: issuer.rut, mode: 'test' } as const
    await read(watched.sql, scope)
    await sql`delete from document where folio > 100`
    return watched.plans.flat().flatMap((step) => step['Index Name'] ?? [])
  })
  return new Set(indexes.filter((index) => /^document_(?!xml|journal)/.test(index)))
}

describe('documents of a batch are read by their ids, though nothing waited when that was planned:', () => {
  const held = (sql: Sql, scope: EmpresaScope) => listHeldNotas(sql, scope, [id])
  const signed = () => [{ id, xml: Buffer.from('<x/>') }]
  const at = new Date(0)
  it.each<[string, Parameters<typeof indexesOf>[0]]>([
    ['what is to be sent', (sql, scope) => listQueued(sql, scope, [id])],
    ['the same without what it holds', (sql, scope) => listQueuedKeys(sql, scope, [id])],
    ['what needs a folio', (sql, scope) => lockWithoutFolio(sql, scope, [id])],
    ['what was signed', (sql, scope) => saveXml(sql, scope, signed(), at)],
    ['what was signed anew', (sql, scope) => replaceXml(sql, scope, signed(), at)],
    ['those of an envelope', (sql, scope) => listSentUnder(sql, scope, { envelope_key: 'one', document_ids: [id] })],
    ['one that was sent alone', (sql, scope) => listSentAlone(sql, scope, id)],
    ['notas about what is under way', held],
    ['what waits at the SII', (sql, scope) => recordStanding({ sql, now: () => at }, scope, [id], { track_id: null })],
  ])('%s', async (_, read) => {
    const [present, former] = [presentPartition('document'), presentPartition('document', LAST_YEAR)]
    // What a nota corrects may be of any year.
    const years = read.name === 'held' ? [former, present] : [present]
    expect(await indexesOf(read)).toEqual(new Set(years.map((year) => `${year}_pkey`)))
  })

  it('and no XML is looked for where none has a folio, however many months of them there are', async () => {
    const scope = { account_id: issuer.account, empresa_id: issuer.empresa_id, rut: issuer.rut, mode: 'test' } as const
    const tables = () =>
      world.db.transact(async (sql) => {
        const watched = watchPlans(sql)
        await listQueued(watched.sql, scope, [id])
        return watched.plans.flat().flatMap((step) => step['Relation Name'] ?? [])
      })
    await world.db.sql`update document set status = 'queued' where id = ${id}`
    expect(new Set(await tables())).toEqual(new Set([presentPartition('document')]))
    await world.db.sql`update document set folio = 1 where id = ${id}`
    expect((await tables()).some((table) => table.startsWith('document_xml'))).toBe(true)
    await world.db.sql`update document set folio = null where id = ${id}`
  })
})

it('whatever refers to a document names its account and its empresa too, so that nothing refers to a stranger', async () => {
  const keys = await world.db.sql<{ table: string; columns: string[] }>`
    select conrelid::regclass::text as table, array(
      select a.attname::text from pg_attribute a where a.attrelid = c.confrelid and a.attnum = any(c.confkey) order by 1) as columns
    from pg_constraint c where contype = 'f' and confrelid = 'document'::regclass and conparentid = 0 order by 1`
  expect(keys.map(({ table }) => table)).toContain('public_link')
  for (const { table, columns } of keys) expect([table, columns]).toEqual([table, ['account_id', 'empresa_id', 'id']])
  const count = (account_id: string) => world.db.sql`
    insert into sandbox_try (account_id, empresa_id, mode, document_id, tries)
    values (${account_id}, ${issuer.empresa_id}, 'test', ${id}, 1)`
  await expect(count('acct_stranger')).rejects.toThrow('violates foreign key constraint')
  await count(issuer.account)
})
