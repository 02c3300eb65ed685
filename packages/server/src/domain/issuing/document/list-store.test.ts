import { ANONYMOUS_RUT } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ageDocument } from '../../../../test/support/aged-document.ts'
import { BOLETA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { type PlanStep, steadyPlansOf, watchPlans } from '../../../../test/support/plan-of.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Database, Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { latestDrafts } from './latest-drafts.ts'
import { type DocumentFilter, listDocuments } from './list-store.ts'

const YEAR = new Date(systemNow()).getUTCFullYear()
const YEARS = [YEAR - 1, YEAR]

let reading: string[] = []
const told = (db: Database): Database => {
  const telling = (which: string, sql: Sql): Sql =>
    ((strings: TemplateStringsArray, ...values: unknown[]) => {
      reading.push(which)
      return sql(strings, ...values)
    }) as Sql
  return {
    ...db,
    sqlOf: (holder) => telling('general', db.sqlOf(holder)),
    steady: { ...db.steady, sqlOf: (holder) => telling('steady', db.steady.sqlOf(holder)) },
  }
}

let world: World
let issuer: Issuer
let scope: EmpresaScope
// An empresa with boletas alone, among many of one document each: whoever knows no values takes it for as small as they are.
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false, database: told })
  issuer = await openIssuer(world)
  scope = { account_id: issuer.account, empresa_id: issuer.empresa_id, rut: issuer.rut, mode: 'test' }
  const { db } = world
  await db.sql`
    insert into empresa (account_id, id, mode, rut, legal_name, emission_channel, doc_types, origen, created_at)
    select account_id, id || n, mode, n || '-K', legal_name, emission_channel, doc_types, origen, created_at
    from empresa, generate_series(1, 400) n where id = ${scope.empresa_id}`
  for (const year of YEARS) {
    const { body } = await issuer.create({ ...BOLETA, external_id: `of-${year}` })
    const id = year === YEAR ? body.id : await ageDocument(world, body.id, year)
    await db.sql`update document set status = 'accepted', folio = ${year} where id = ${id}`
    await db.sql`
      insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
        receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
      select account_id, case when n > 1200 then empresa_id || (n - 1200) else empresa_id end, mode, id || n, status, tipo_dte,
        10000 + n, issue_date, net, iva, exempt, total, receptor_rut, draft, receptor_sources, metadata, pdf_cedible,
        created_at + n * interval '1 minute'
      from document, generate_series(1, 1600) n where id = ${id}`
  }
  await db.sql`analyze document`
})
afterAll(() => world.close())

const ofDocuments = (plan: readonly PlanStep[]) =>
  plan.filter((step) => /^document_\d{4}$/.test(step['Relation Name'] ?? ''))
const conditions = (plan: readonly PlanStep[]) => ofDocuments(plan).map((step) => step['Index Cond'] ?? 'none')
const kinds = (plan: readonly PlanStep[]) => new Set(plan.map((step) => step['Node Type']))

const from = '2020-01-01T00:00:00Z'
const until = '2026-06-01T00:00:00Z'
const BOUNDS: readonly DocumentFilter[] = [
  {},
  { 'created_at[gte]': from },
  { 'created_at[gte]': from, 'created_at[lte]': until },
]
const PLACES = [null, [until, 'doc_x']] as const

const BY_TIME = /^\(\(empresa_id = \$\d+\) AND \(created_at <= .* AND \(created_at >= /
const behind = (column: string) =>
  new RegExp(
    `^\\(\\(empresa_id = \\$\\d+\\) AND \\(ROW\\(${column}, created_at\\) <= .* AND \\(ROW\\(${column}, created_at\\) >= `,
  )

describe('a list is planned once, and one index leads through each year of it in its order:', () => {
  it.each<[DocumentFilter, RegExp]>([
    [{}, BY_TIME],
    [{ status: 'accepted' }, BY_TIME],
    [{ tipo_dte: 61 }, behind('tipo_dte')],
    [{ tipo_dte: 61, status: 'accepted' }, behind('tipo_dte')],
    [{ tipo_dte: 61, receptor_rut: ANONYMOUS_RUT }, behind('tipo_dte')],
    [{ receptor_rut: ANONYMOUS_RUT }, behind('receptor_rut')],
    [{ receptor_rut: '77123456-9' }, behind('receptor_rut')],
    [{ receptor_rut: '77123456-9', tipo_dte: 33 }, behind('receptor_rut')],
    [{ receptor_rut: '77123456-9', tipo_dte: 33, status: 'accepted' }, behind('receptor_rut')],
    [{ status: 'rejected' }, behind('uncommon_status')],
    [{ status: 'rejected', tipo_dte: 33 }, behind('uncommon_status')],
    [{ status: 'rejected', receptor_rut: ANONYMOUS_RUT, tipo_dte: 33 }, behind('uncommon_status')],
  ])('%o', async (filter, condition) => {
    for (const bounds of BOUNDS) {
      for (const place of PLACES) {
        const read = (sql: Sql) => listDocuments(sql, scope, { ...filter, ...bounds }, { place, take: 21 })
        const [plan = []] = await steadyPlansOf(world.db.steady, read)
        expect(conditions(plan)).toEqual(YEARS.map(() => expect.stringMatching(condition)))
        expect(kinds(plan)).toContain('Merge Append')
        expect(kinds(plan)).not.toContain('Sort')
      }
    }
  })

  it.each<[DocumentFilter, RegExp]>([
    [{ folio: 4 }, /tipo_dte = wanted\.tipo_dte\) AND \(folio = \$\d+\)/],
    [{ folio: 4, tipo_dte: 33 }, /tipo_dte = wanted\.tipo_dte\) AND \(folio = \$\d+\)/],
    [{ folio: 4, status: 'queued', 'issue_date[gte]': '2026-01-01' }, /\(folio = \$\d+\)/],
    [{ external_id: 'n' }, /^\(\(id = /],
    [{ external_id: 'n', folio: 4, receptor_rut: ANONYMOUS_RUT, invoiced: true }, /^\(\(id = /],
  ])('what is named by %o is found by its name', async (filter, condition) => {
    for (const place of PLACES) {
      const read = (sql: Sql) => listDocuments(sql, scope, filter, { place, take: 21 })
      const [plan = []] = await steadyPlansOf(world.db.steady, read)
      expect(conditions(plan)).toEqual(YEARS.map(() => expect.stringMatching(condition)))
    }
  })
})

describe('GET /v1/documents', () => {
  it.each([
    ['', 'steady'],
    ['?status=rejected&receptor_rut=66666666-6', 'steady'],
    ['?folio=1&issue_date[gte]=2026-01-01', 'steady'],
    ['?issue_date[lte]=2020-01-01', 'general'],
    ['?tipo_dte=52&invoiced=false', 'general'],
    ['?status=sent', 'general'],
  ])('%s and its download are read on the %s connections', async (query, which) => {
    for (const path of ['/v1/documents', '/v1/documents/export']) {
      reading = []
      expect((await issuer.get(`${path}${query}`)).status).toBe(200)
      expect([path, reading.at(-1)]).toEqual([path, which])
    }
  })

  it('200 finds by a name only what the other filters let through', async () => {
    const found = async (query: string) => (await issuer.get(`/v1/documents?${query}`)).body.data.length
    expect(await found(`folio=${YEAR}`)).toBe(1)
    expect(await found(`folio=${YEAR}&tipo_dte=39&status=accepted&external_id=of-${YEAR}`)).toBe(1)
    const wrong = ['tipo_dte=33', 'status=queued', 'receptor_rut=77123456-9', 'external_id=of-none', 'invoiced=true']
    const late = ['issue_date[lte]=2020-01-01', 'issue_date[gte]=2199-01-01', 'created_at[lte]=2020-01-01T00:00:00Z']
    for (const filter of [...wrong, ...late])
      expect([filter, await found(`folio=${YEAR}&${filter}`)]).toEqual([filter, 0])
    expect(await found(`external_id=of-${YEAR}&folio=1`)).toBe(0)
  })

  it('200 goes through all of a tipo, a receptor and a time page by page, in the order of the whole', async () => {
    const all = async (query: string) => {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const { body } = await issuer.get(`/v1/documents?limit=100${query}${cursor}`)
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        if (body.next_cursor === null) return seen
        cursor = `&cursor=${body.next_cursor}`
      }
    }
    const whole = await all('')
    expect(new Set(whole).size).toBe(2402)
    expect(await all('&tipo_dte=39')).toEqual(whole)
    expect(await all(`&receptor_rut=${ANONYMOUS_RUT}&tipo_dte=39&status=accepted`)).toEqual(whole)
    const { created_at } = (await issuer.get(`/v1/documents/${whole[100]}`)).body
    const time = encodeURIComponent(created_at)
    expect(await all(`&created_at[gte]=${time}&tipo_dte=39`)).toEqual(whole.slice(0, 101))
    expect((await all(`&created_at[lte]=${time}`))[0]).toBe(whole[100])
  })
})

it('the latest drafts of a tipo are read from the index that starts with it, also in a year that has none', async () => {
  const plans = await world.db.transact(async (sql) => {
    const watched = watchPlans(sql)
    await latestDrafts(watched.sql, scope, [33, 39], 5)
    return watched.plans
  })
  expect(conditions(plans.flat())).toEqual(YEARS.map(() => expect.stringContaining('tipo_dte')))
})
