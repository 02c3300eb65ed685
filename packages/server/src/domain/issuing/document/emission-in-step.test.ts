import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { journal, told, types } from '../../../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { type PlanStep, watchPlans } from '../../../../test/support/plan-of.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { claimLanes, type LaneClaim } from '../../../kernel/claim.ts'
import type { Connections, Database, Sql } from '../../../kernel/db.ts'

// Nobody polls here: lanes are claimed and begun together by the tests, as a worker does with those of one moment.

/** What lands: in one statement with others, or in one of its own. */
const landed = { jointly: 0, alone: 0 }
/** What happens at the next statement that lands several, before it or after it, by its place on the road. */
let happen: { place: number; before?: () => Promise<void>; after?: () => Promise<void> } | null = null
/** Whether the SII may be handed documents before they are kept. */
let without_trace = false
/** What happens once, when documents of an empresa are about to be signed. */
const whileSigning = new Map<string, () => Promise<unknown>>()

const lands = (strings: TemplateStringsArray) => strings.some((text) => text.includes('found as materialized'))

const SCANS = ['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Index Scan']

/** How each statement that lands several is carried out, planned as it is while the tables are nearly empty. */
let plans: PlanStep[][] = []

function watched(connections: Connections): Connections {
  const planned = watchPlans(connections.sql)
  plans = planned.plans
  const jointly: Sql = async (strings, ...values) => {
    if (!lands(strings)) return connections.sql(strings, ...values)
    const now = happen?.place === landed.jointly++ ? happen : null
    if (now) happen = null
    await now?.before?.()
    const rows = await planned.sql(strings, ...values)
    await now?.after?.()
    return rows as never
  }
  return {
    ...connections,
    sql: jointly,
    sqlOf(holder) {
      const sql = connections.sqlOf(holder)
      return (strings, ...values) => {
        if (lands(strings)) landed.alone++
        return sql(strings, ...values)
      }
    },
  }
}

let world: World
let issuers: Issuer[]
beforeAll(async () => {
  world = await openWorld({
    runs_jobs: false,
    quick: true,
    database: (db: Database) => ({ ...db, steady: watched(db.steady) }),
    test_sii: (sandbox) => ({
      ...sandbox,
      async signerFor(empresa) {
        const signing = whileSigning.get(empresa.empresa_id)
        whileSigning.delete(empresa.empresa_id)
        await signing?.()
        return sandbox.signerFor(empresa)
      },
      submitsWithoutTrace: () => without_trace,
    }),
  })
  // Two empresas of one account, and one of another.
  const first = await openIssuer(world)
  issuers = [first, await openIssuer(world, { account: first.account }), await openIssuer(world)]
  // The first document of a day computes a line that the others are compared with, in a transaction.
  await emitted(issuers)
  await issuers[0]?.create(BOLETA)
  await run()
})
afterAll(() => world.close())
beforeEach(() => {
  Object.assign(landed, { jointly: 0, alone: 0 })
  happen = null
})

/** Claims whatever waits in the lanes of documents and runs it, all lanes begun in the same turn. */
async function runLanes(name: string): Promise<void> {
  const { db, app } = world
  await db.sql`update job set run_at = 'epoch', parked = false where name = ${name} and status = 'queued'`
  const lanes = await db.sql<LaneClaim>`
    select distinct account_id as account, lane, 100 as capacity from job where name = ${name} and status = 'queued'`
  const claimed = await claimLanes(db.steady.sql, { worker: app.worker.id, pool: 'work', lanes })
  const batches = lanes.map(({ lane }) => claimed.filter((job) => job.lane === lane))
  await Promise.all(batches.map((jobs) => app.worker.perform(jobs)))
}

async function countIn(status: string): Promise<number> {
  const [row] = await world.db.sql<{ documents: number }>`
    select count(*)::int as documents from document where status = ${status}`
  return row?.documents ?? 0
}

/** Runs what waits until every document was accepted, however often it is put off. */
async function run(): Promise<void> {
  await until('every document to be accepted', async () => {
    await runLanes('document.emit')
    if ((await countIn('queued')) === 0) await runLanes('document.follow')
    return (await countIn('queued')) + (await countIn('sent')) === 0
  })
}

async function post(who: readonly Issuer[], body: object = FACTURA): Promise<string[]> {
  const ids: string[] = []
  for (const issuer of who) ids.push((await issuer.create(body)).body.id)
  return ids
}

async function emitted(who: readonly Issuer[], body: object = FACTURA): Promise<string[]> {
  const ids = await post(who, body)
  await run()
  return ids
}

const STORY = ['document.folio_allocated', 'document.signed', 'document.submitted', 'document.accepted']

/** One of everything, and all of it its own. */
async function expectOnce(issuer: Issuer, id: string): Promise<void> {
  expect(types(await journal(issuer, id))).toEqual(STORY)
  expect(types(await told(world, id))).toEqual(['document.created', 'document.sent', 'document.accepted'])
  const [row] = await world.db.sql<{ accounts: string[]; used: number; flies: number; folio: number; drawn: number }>`
    select array(select distinct x.account_id from (
        select account_id, document_id from document_xml union all select account_id, document_id from document_journal
        union all select account_id, subject_id from usage_record) x where x.document_id = d.id) as accounts,
      (select count(*)::int from usage_record where subject_id = d.id) as used,
      (select count(*)::int from document_in_flight where document_id = d.id) as flies, d.folio,
      (select max(next_folio) - 1 from caf c where c.empresa_id = d.empresa_id and c.tipo_dte = d.tipo_dte and next_folio > from_folio) as drawn
    from document d where d.id = ${id}`
  expect(row).toEqual({ accounts: [issuer.account], used: 1, flies: 0, folio: row?.drawn, drawn: row?.drawn })
  const xml = (await storedXml(world, id))?.toString('latin1') ?? ''
  expect(/<RUTEmisor>(.*?)</.exec(xml)?.[1]).toBe(issuer.rut)
  expect(/<Folio>(\d+)</.exec(xml)?.[1]).toBe(String(row?.folio))
}

async function expectAllOnce(ids: readonly string[]): Promise<void> {
  for (const [i, id] of ids.entries()) await expectOnce(issuers[i] as Issuer, id)
}

describe.each([
  ['for an SII that is asked over a network', false, ['numbered', 'sent', 'settled']],
  ['for an SII that keeps nothing of what it is handed', true, ['sent', 'settled']],
])('documents of several empresas and accounts that are taken up together %s', (_, traceless, road) => {
  beforeEach(() => {
    without_trace = traceless
  })

  it(`are ${road.join(' and ')} in one statement each, and everything of each is its own`, async () => {
    const ids = await emitted(issuers)
    expect(landed).toEqual({ jointly: road.length, alone: 0 })
    await expectAllOnce(ids)
  })

  it('are found by their keys, though nothing was there when that was planned', async () => {
    plans.length = 0
    await emitted(issuers)
    expect(plans).toHaveLength(road.length)
    // What a bitmap finds is read from the table; how it was found is a step of its own.
    const scans = plans.flat().filter((step) => SCANS.includes(step['Node Type']))
    const whole = scans.filter((step) => step['Index Cond'] === undefined && step['Relation Name'] !== 'ledger_epoch')
    expect(whole.map((step) => [step['Node Type'], step['Relation Name'], step['Index Name']])).toEqual([])
    expect(scans.length).toBeGreaterThan(road.length * 6)
    // By the empresa alone, all that ever flew would be read, until that is vacuumed.
    const flights = scans.filter((step) => step['Index Name'] === 'document_in_flight_pkey')
    expect(flights.map((step) => /document_id/.test(step['Index Cond'] ?? ''))).toEqual([true])
  })

  it('take no two of one empresa into a statement, where folios of several tipos are drawn', async () => {
    const [first] = issuers as [Issuer]
    const boleta = (await first.create(BOLETA)).body.id
    const ids = await post(issuers)
    await runLanes('document.emit')
    const until_sent = road.length - 1
    expect(landed).toEqual({ jointly: until_sent, alone: until_sent })
    await run()
    await expectAllOnce(ids)
    await expectOnce(first, boleta)
  })

  it('keep step with one that has nothing to ask the address book, for it invoices itself', async () => {
    const [first, second] = issuers as [Issuer, Issuer]
    const own = (await first.create({ ...FACTURA, receptor: { ...FACTURA.receptor, rut: first.rut } })).body.id
    const ids = [own, ...(await post([second]))]
    await run()
    expect(landed).toEqual({ jointly: road.length, alone: 0 })
    await expectAllOnce(ids)
  })

  it('go on where somebody touched one of them meanwhile, and that one is told as it is', async () => {
    const ids = await post(issuers)
    const touch = () => world.db.sql`update document set metadata = '{"order":"9"}' where id = ${ids[1] as string}`
    whileSigning.set((issuers[1] as Issuer).empresa_id, touch)
    await run()
    await expectAllOnce(ids)
    const [, sent] = await told(world, ids[1] as string)
    expect(sent?.data.object.metadata).toEqual({ order: '9' })
  })

  it('wait for none of them that somebody holds', async () => {
    const ids = await post(issuers)
    const statuses = async () => {
      const rows = await world.db.sql<{ id: string; status: string }>`
        select id, status from document where id = any(${ids}::text[])`
      return ids.map((id) => rows.find((row) => row.id === id)?.status)
    }
    let emitting: Promise<void> = Promise.resolve()
    await world.db.transact(async (sql) => {
      await sql`select from document where id = ${ids[2] as string} for update`
      emitting = runLanes('document.emit')
      await until('the others to be sent', async () => (await statuses()).filter((one) => one === 'sent').length === 2)
      expect(await statuses()).toEqual(['sent', 'sent', 'queued'])
    })
    await emitting
    await run()
    await expectAllOnce(ids)
  })

  it('are landed one by one where the statement for all of them is refused', async () => {
    const ids = await post(issuers)
    happen = { place: 0, before: () => Promise.reject(new Error('as a constraint would')) }
    await run()
    expect(landed.alone).toBeGreaterThanOrEqual(issuers.length)
    await expectAllOnce(ids)
  })

  it('lose nobody where the empresa of one is deleted meanwhile', async () => {
    const leaving = await openIssuer(world)
    await emitted([leaving])
    const ids = await post(issuers)
    await leaving.create(FACTURA)
    const owner = await world.key(leaving.account, { scopes: ['empresas:write'] })
    whileSigning.set(leaving.empresa_id, async () => {
      const gone = await world.delete(`/v1/empresas/${leaving.empresa_id}`, { key: owner })
      expect(gone.status).toBeLessThan(300)
    })
    await run()
    await expectAllOnce(ids)
  })

  const away = () => Promise.reject(new Error('Connection terminated unexpectedly'))
  it.each(road.map((step, place) => [step, place] as const))(
    'arrive once each where the connection is lost before, or after, they are %s',
    async (_step, place) => {
      for (const when of ['before', 'after'] as const) {
        Object.assign(landed, { jointly: 0, alone: 0 })
        const ids = await post(issuers)
        happen = { place, [when]: away }
        await run()
        expect(happen).toBeNull()
        await expectAllOnce(ids)
      }
    },
  )
})
