import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ageDocument } from '../../../../test/support/aged-document.ts'
import { credit, refusal } from '../../../../test/support/credit-note.ts'
import { settled } from '../../../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { accepted } from '../../../../test/support/settle-document.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Database } from '../../../kernel/db.ts'
import { idFloor, newId } from '../../../kernel/id.ts'
import { maintainPartitions, presentPartition } from '../../../kernel/partition.ts'
import { documentsOf } from './year.ts'

const YEAR = new Date(systemNow()).getUTCFullYear()

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ quick: true })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const tableOf = async (id: string) =>
  (await world.db.sql<{ name: string }>`select tableoid::regclass::text as name from document where id = ${id}`)[0]
    ?.name
const ofYear = (year: number) => idFloor('document', new Date(Date.UTC(year, 5, 1)))

describe('a statement about documents', () => {
  it('names the table of the present year where all of them are of it, and all years otherwise', () => {
    const text = (ids: string[]) => documentsOf(ids).strings.join('')
    expect(text([newId('document'), newId('document')])).toBe(presentPartition('document'))
    expect(text([newId('document'), ofYear(YEAR - 1)])).toBe('document')
    // An id that a stranger made up names no table that may not be there.
    expect([text([ofYear(2199)]), text(['doc_'])]).toEqual(['document', 'document'])
  })

  it('finds a document of any year by its id, and none where there is no such year', async () => {
    const { body } = await issuer.create(BOLETA)
    expect(await tableOf(body.id)).toBe(presentPartition('document'))
    const aged = await ageDocument(world, body.id, YEAR - 1)
    expect(await tableOf(aged)).toBe(`document_${YEAR - 1}`)
    expect((await issuer.get(`/v1/documents/${aged}`)).body.id).toBe(aged)
    expect((await issuer.get(`/v1/documents/${ofYear(2199)}`)).status).toBe(404)
  })

  it('lists documents of all years, newest first', async () => {
    const of = await openIssuer(world)
    const made: string[] = []
    for (const back of [3, 1, 0]) {
      const { id } = await accepted(world, of, BOLETA)
      made.unshift(back === 0 ? id : await ageDocument(world, id, YEAR - back))
    }
    const { body } = await of.get('/v1/documents?limit=2')
    const rest = (await of.get(`/v1/documents?cursor=${body.next_cursor}`)).body
    expect([...body.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(made)
  })
})

it('documents of two years that wait in one line are all emitted, as at midnight of New Year', async () => {
  const still = await openWorld({ runs_jobs: false })
  const by = await openIssuer(still)
  const { body: old } = await by.create(FACTURA)
  const aged = await ageDocument(still, old.id, YEAR - 1)
  await still.db.sql`update job set payload = replace(payload::text, ${old.id}, ${aged})::json`
  const { body: young } = await by.create(FACTURA)
  const running = await openWorld({ beside: still, quick: true })
  for (const id of [aged, young.id]) await settled(by, id, ['accepted'])
  const folios = await still.db.sql`select id from document where folio is not null order by folio`
  expect(folios).toEqual([{ id: aged }, { id: young.id }])
  await running.close()
  await still.close()
})

describe('what only one document may have, it has across years:', () => {
  it('an external id', async () => {
    const external_id = randomUUID()
    const { body } = await issuer.create({ ...BOLETA, external_id })
    const aged = await ageDocument(world, body.id, YEAR - 2)
    const again = await issuer.create({ ...BOLETA, external_id })
    expect([again.status, again.body.error.code, again.body.error.existing_id]).toEqual([
      409,
      'external_id_exists',
      aged,
    ])
    const { data } = (await issuer.get(`/v1/documents?external_id=${external_id}`)).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([aged])
    const other = await openIssuer(world, { account: issuer.account })
    expect((await other.create({ ...BOLETA, external_id })).status).toBe(201)
    expect((await other.get(`/v1/documents?external_id=${external_id}`)).body.data).toHaveLength(1)
  })

  it('a nota that annuls it, until that one is refused', async () => {
    const still = await openWorld({ runs_jobs: false })
    const by = await openIssuer(still)
    const original = await accepted(still, by, FACTURA)
    const { body: nota } = await credit(by, original)
    const aged = await ageDocument(still, nota.id, YEAR - 1)
    expect(refusal(await credit(by, original))).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
    const annulling = (status: string) =>
      still.db.sql`update document set status = ${status} where id = ${aged}`.then(
        () => still.db.sql`select nota_id from document_annulment where annuls_id = ${original.id}`,
      )
    expect(await annulling('reparo')).toEqual([{ nota_id: aged }])
    expect(await annulling('failed')).toEqual([])
    const second = await credit(by, original)
    expect(second.status).toBe(201)
    // The first is tried again, and the second was quicker.
    const retried = await by.post(`/v1/documents/${aged}/retry`)
    expect(refusal(retried)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
    await still.close()
  })

  it('and a folio in its year', async () => {
    const one = await accepted(world, issuer, FACTURA)
    const two = await accepted(world, issuer, FACTURA)
    for (const year of [YEAR, YEAR - 1]) {
      const ids =
        year === YEAR
          ? [one.id, two.id]
          : [await ageDocument(world, one.id, year), await ageDocument(world, two.id, year)]
      await expect(world.db.sql`update document set folio = 77777 where id = any(${ids}::text[])`).rejects.toThrow(
        '_folio',
      )
    }
  })
})

describe('a year past its keeping', () => {
  it('is dropped with what names its documents, and the last that is kept stays', async () => {
    const past = await openWorld({ runs_jobs: false })
    const by = await openIssuer(past)
    const ids: string[] = []
    for (const back of [8, 7]) {
      const { id } = await accepted(past, by, { ...FACTURA, external_id: `order-${back}` })
      ids.push(await ageDocument(past, id, YEAR - back))
    }
    for (const id of ids) expect((await by.post(`/v1/documents/${id}/public_links`)).status).toBe(201)
    await maintainPartitions(past.db)
    const tables = await past.db.sql`select 1 from pg_class where relname = ${`document_${YEAR - 8}`}`
    expect(tables).toEqual([])
    const statuses = await Promise.all(ids.map(async (id) => (await by.get(`/v1/documents/${id}`)).status))
    expect(statuses).toEqual([404, 200])
    const left = await past.db.sql`select document_id as id from public_link`
    expect(left).toEqual([{ id: ids[1] }])
    // What it was called by is free again.
    const again = await Promise.all([8, 7].map((back) => by.create({ ...FACTURA, external_id: `order-${back}` })))
    expect(again.map(({ status }) => status)).toEqual([201, 409])
    await past.close()
  })

  it('waits for a call that has a row of what names documents and lets it go on to them, and is then dropped by itself', async () => {
    const past = await openWorld({ runs_jobs: false })
    const by = await openIssuer(past)
    const { id } = await accepted(past, by, FACTURA)
    expect((await by.post(`/v1/documents/${id}/public_links`)).status).toBe(201)
    await ageDocument(past, (await accepted(past, by, FACTURA)).id, YEAR - 8)
    const call = await past.db.connect()
    await call.query('begin')
    await call.query('update public_link set expires_at = null where document_id = $1', [id])
    let has_both = false
    let gave_way = 0
    const transact: Database['transact'] = (work, questions, holder) =>
      past.db.transact(work, questions, holder).catch(async (error: unknown) => {
        gave_way++
        if (has_both) await call.query('commit')
        throw error
      })
    const dropping = maintainPartitions({ ...past.db, transact })
    // It finds documents free: a drop that waits for links has none of them yet. In one statement, for each try is short.
    await call.query(`set local lock_timeout = '1ms'; set local statement_timeout = '60s'`)
    await call.query(`do $$ begin
      while not exists (select from pg_locks where relation = 'public_link'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())) loop
        perform pg_sleep(0.005);
      end loop;
      perform from document where id = '${id}' for key share;
    end $$`)
    has_both = true
    await dropping
    await call.end()
    expect(gave_way).toBeGreaterThan(0)
    expect(await past.db.sql`select 1 from pg_class where relname = ${`document_${YEAR - 8}`}`).toEqual([])
    await past.close()
  })

  it('leaves a nota of a later year that corrects one of it readable', async () => {
    const past = await openWorld({ runs_jobs: false })
    const by = await openIssuer(past)
    const original = await accepted(past, by, FACTURA)
    const { body: nota } = await credit(by, original)
    const aged = await ageDocument(past, original.id, YEAR - 8)
    await past.db.sql`update document set corrects_id = ${aged}, annuls_id = ${aged} where id = ${nota.id}`
    await maintainPartitions(past.db)
    const read = await by.get(`/v1/documents/${nota.id}`)
    expect([read.status, read.body.references[0].folio]).toEqual([200, String(original.folio)])
    expect((await by.get('/v1/documents')).body.data).toHaveLength(1)
    await past.close()
  })
})
