import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { told, types } from '../../../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Database } from '../../../kernel/db.ts'

/** Statements that created documents. */
let statements = 0

let world: World
let issuers: Issuer[]
beforeAll(async () => {
  world = await openWorld({
    runs_jobs: false,
    database: (db: Database) => ({
      ...db,
      steady: {
        ...db.steady,
        sqlOf(holder) {
          const sql = db.steady.sqlOf(holder)
          return (strings, ...values) => {
            if (strings.some((text) => text.includes('taken as materialized'))) statements++
            return sql(strings, ...values)
          }
        },
      },
    }),
  })
  const first = await openIssuer(world)
  issuers = [first, await openIssuer(world, { account: first.account }), await openIssuer(world)]
})
afterAll(() => world.close())

const turn = (i: number) => issuers[i % issuers.length] as Issuer

it('creates each of many documents that come at once, in fewer statements than documents', async () => {
  statements = 0
  const bodies = Array.from({ length: 48 }, (_, i) => ({
    ...(i % 2 === 0 ? FACTURA : BOLETA),
    external_id: `order-"${i}"\\`,
    metadata: { line: `first\nsecond ${i}`, pair: '😀' },
  }))
  const sent = await Promise.all(bodies.map((body, i) => turn(i).create(body)))
  expect(sent.map(({ status }) => status)).toEqual(bodies.map(() => 201))
  expect(statements).toBeLessThan(bodies.length)
  for (const [i, { body }] of sent.entries()) {
    const { body: stored } = await turn(i).get(`/v1/documents/${body.id}`)
    expect(stored).toMatchObject(body)
    expect(stored).toMatchObject({ tipo_dte: bodies[i]?.tipo_dte, external_id: bodies[i]?.external_id })
    expect(stored.metadata).toEqual(bodies[i]?.metadata)
    expect(types(await told(world, body.id))).toEqual(['document.created'])
  }
  const ids = sent.map(({ body }) => body.id)
  const rows = await world.db.sql<{ id: string; account_id: string; empresa_id: string; jobs: number; flies: number }>`
    select id, account_id, empresa_id, (select count(*)::int from job j where j.payload->>'document_id' = d.id) as jobs,
      (select count(*)::int from document_in_flight f where f.document_id = d.id) as flies
    from document d where id = any(${ids}::text[])`
  for (const [i, id] of ids.entries()) {
    const { account: account_id, empresa_id } = turn(i)
    expect(rows.find((row) => row.id === id)).toEqual({ id, account_id, empresa_id, jobs: 1, flies: 1 })
  }
})

it('creates one document where many at once claim an external_id, and one where many repeat a key', async () => {
  const [issuer] = issuers as [Issuer]
  const external_id = randomUUID()
  const headers = { 'idempotency-key': randomUUID() }
  const claims = Array.from({ length: 6 }, () => issuer.create({ ...FACTURA, external_id }))
  const repeats = Array.from({ length: 6 }, () => issuer.create(BOLETA, { headers }))
  const others = Array.from({ length: 6 }, () => issuer.create(FACTURA))
  const [claimed, repeated, written] = await Promise.all([claims, repeats, others].map((all) => Promise.all(all)))
  expect(claimed?.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  const winner = claimed?.find(({ status }) => status === 201)?.body.id
  for (const { status, body } of claimed ?? [])
    if (status === 409) expect(body.error).toMatchObject({ code: 'external_id_exists', existing_id: winner })
  const ids = new Set(repeated?.filter(({ status }) => status === 201).map(({ body }) => body.id))
  expect(ids.size).toBe(1)
  for (const { status, body } of repeated ?? [])
    if (status !== 201) expect([status, body.error.code]).toEqual([409, 'idempotency_in_progress'])
  expect(written?.map(({ status }) => status)).toEqual(others.map(() => 201))
})
