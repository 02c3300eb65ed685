import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credit } from '../../../../test/support/credit-note.ts'
import { issue, settled } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { watchPlans } from '../../../../test/support/plan-of.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { presentPartition } from '../../../kernel/partition.ts'
import { listSentUnder, type SentEnvelope } from './emission-store.ts'
import { listDocuments } from './list-store.ts'

let world: World
let issuer: Issuer
/** Where nothing is emitted, so that a document stays as it is. */
let still: World
let waiting: Issuer
beforeAll(async () => {
  world = await openWorld({ quick: true })
  issuer = await openIssuer(world)
  still = await openWorld({ runs_jobs: false })
  waiting = await openIssuer(still)
})
afterAll(async () => {
  await still.close()
  await world.close()
})

const OF_THIS_YEAR = presentPartition('document')
const to = (rut: string) => ({ ...FACTURA, receptor: { ...RECEPTOR, rut } })
const REFUSED_ONCE = to('77111113-0')

const flights = async (id: string, at = world) =>
  (await at.db.sql`select 1 from document_in_flight where document_id = ${id}`).length
const listed = async (status: string, by = issuer): Promise<string[]> =>
  (await by.get(`/v1/documents?status=${status}&limit=100`)).body.data.map(({ id }: { id: string }) => id)

describe('no index of documents', () => {
  it('names what changes after a document was numbered, so that being sent and settled touches none', async () => {
    const changing = ['status', 'track_id', 'envelope_key', 'sent_at', 'estado', 'sii_answer', 'settled_at']
    const indexes = await world.db.sql<{ text: string }>`
      select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = ${OF_THIS_YEAR}::regclass`
    expect(indexes.length).toBeGreaterThan(8)
    const naming = indexes.filter(({ text }) => changing.some((column) => new RegExp(`\\b${column}\\b`).test(text)))
    expect(naming).toEqual([])
  })

  it('is written while a document is sent and settled', async () => {
    const { body } = await waiting.create(FACTURA)
    const counted = await still.db.transact(async (sql) => {
      await sql`update document set status = 'sent', track_id = '1', envelope_key = '1', sent_at = now() where id = ${body.id}`
      await sql`update document set status = 'accepted', estado = 'DOK', sii_answer = '{}', failure = null,
        settled_at = now() where id = ${body.id}`
      return sql<{ all: number; hot: number }>`
        select pg_stat_get_xact_tuples_updated(${OF_THIS_YEAR}::regclass)::int as all,
          pg_stat_get_xact_tuples_hot_updated(${OF_THIS_YEAR}::regclass)::int as hot`
    })
    expect(counted).toEqual([{ all: 2, hot: 2 }])
  })
})

describe('a document is in flight', () => {
  it('from its POST until the SII accepted it', async () => {
    const { body: queued } = await waiting.create(FACTURA)
    expect(await flights(queued.id, still)).toBe(1)
    expect(await listed('queued', waiting)).toContain(queued.id)
    const { body } = await issue(issuer, FACTURA, ['accepted'])
    expect(await flights(body.id)).toBe(0)
    expect(await listed('accepted')).toContain(body.id)
  })

  it.each([
    ['reparo', '77111101-7'],
    ['rejected', '77111105-K'],
  ])('until it was found %s, and is then listed by that', async (status, rut) => {
    const { body } = await issue(issuer, to(rut), [status])
    expect(await flights(body.id)).toBe(0)
    expect(await listed(status)).toEqual([body.id])
  })

  it('while it is failed, for it may be tried again, and then until that ends', async () => {
    const { body } = await issue(issuer, REFUSED_ONCE, ['failed'])
    expect(await flights(body.id)).toBe(1)
    expect(await listed('failed')).toEqual([body.id])
    await issuer.post(`/v1/documents/${body.id}/retry`)
    expect(await listed('failed')).toEqual([])
    await settled(issuer, body.id, ['accepted'])
    expect(await flights(body.id)).toBe(0)
  })

  it('and one that a nota annuls is listed as annulled, and its nota as accepted', async () => {
    const { body: original } = await issue(issuer, FACTURA, ['accepted'])
    const nota = await credit(issuer, original)
    await settled(issuer, original.id, ['annulled'])
    expect(await listed('annulled')).toEqual([original.id])
    expect(await flights(nota.body.id)).toBe(0)
  })

  it('no longer than it is there', async () => {
    const { body } = await waiting.create(FACTURA)
    expect(await flights(body.id, still)).toBe(1)
    await still.db.sql`delete from document where id = ${body.id}`
    expect(await flights(body.id, still)).toBe(0)
  })
})

it.each([
  ['queued', 'document_in_flight_pkey'],
  ['sent', 'document_in_flight_pkey'],
  ['failed', `${OF_THIS_YEAR}_by_uncommon_status`],
  ['rejected', `${OF_THIS_YEAR}_by_uncommon_status`],
])('a list of what is %s reads no more than that: %s', async (status, index) => {
  const scope = { account_id: waiting.account, empresa_id: waiting.empresa_id, rut: waiting.rut, mode: 'test' } as const
  const indexes = await still.db.transact(async (sql) => {
    await sql`
      insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
        receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
      select account_id, empresa_id, mode, id || n, 'accepted', tipo_dte, 100000 + n, issue_date, net, iva, exempt, total,
        receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at
      from (select * from document where empresa_id = ${waiting.empresa_id} limit 1) one, generate_series(1, 1000) n`
    await sql`analyze document`
    const watched = watchPlans(sql)
    await listDocuments(watched.sql, scope, { status }, { place: null, take: 20 })
    await sql`delete from document where folio > 100000`
    return watched.plans.flat().flatMap((step) => step['Index Name'] ?? [])
  })
  expect(indexes).toContain(index)
})

it('a list of what is sent has no document of another empresa, and none that was settled meanwhile', async () => {
  const other = await openIssuer(still, { account: waiting.account })
  const { body } = await other.create(FACTURA)
  const move = (status: string) => still.db.sql`update document set status = ${status} where id = ${body.id}`
  await move('sent')
  expect(await listed('sent', other)).toEqual([body.id])
  expect(await listed('sent', waiting)).not.toContain(body.id)
  await move('accepted')
  expect(await flights(body.id, still)).toBe(1)
  expect(await listed('sent', other)).toEqual([])
})

it('what was sent in an envelope is found by what its job tells of it, and where that is only the key', async () => {
  const { body } = await waiting.create(FACTURA)
  const scope = { account_id: waiting.account, empresa_id: waiting.empresa_id, rut: waiting.rut, mode: 'test' } as const
  await still.db.sql`update document set status = 'sent', envelope_key = 'E1', folio = 1 where id = ${body.id}`
  const found = (envelope: SentEnvelope) => listSentUnder(still.db.sql, scope, envelope)
  for (const document_ids of [undefined, [body.id, 'doc_none']]) {
    const rows = await found({ envelope_key: 'E1', ...(document_ids && { document_ids }) })
    expect(rows.map(({ id }) => id)).toEqual([body.id])
  }
  expect(await found({ envelope_key: 'E2' })).toEqual([])
  expect(await found({ envelope_key: 'E2', document_ids: [body.id] })).toEqual([])
})
