import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { accepted } from '../../../../test/support/settle-document.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { documentRoutes } from '../../../http/page-routes/public-links.ts'

// The first process runs no jobs, so that whatever holds there holds before a single row is gone.
let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false, plain: (db, parts) => documentRoutes({ sql: db.sql, ...parts }) })
})
afterAll(() => world.close())

/** An empresa with more expenses than one transaction deletes. */
async function large(): Promise<Issuer & { owner: string; under: string }> {
  const own = await openIssuer(world)
  await world.db.sql`
    insert into expense (account_id, empresa_id, mode, id, source, date, description, provider_name, amount, currency,
      created_at, changed_at)
    select ${own.account}, ${own.empresa_id}, 'test', ${own.empresa_id} || n, 'manual', '2025-11-03', 'Luz', 'Luz', 1, 'CLP', now(),
      now() from generate_series(1, 2001) n`
  const owner = await world.key(own.account)
  return { ...own, owner, under: `/v1/empresas/${own.empresa_id}` }
}
const rowsOf = async ({ empresa_id }: Issuer) =>
  (await world.db.sql<{ count: number }>`select count(*) from expense where empresa_id = ${empresa_id}`)[0]?.count

describe('DELETE of an empresa with more rows than one transaction should delete', () => {
  it('204 takes it from everybody at once, and leaves its rows for later', async () => {
    const own = await large()
    const worker = await openWorld({ beside: world })
    const { id: document_id } = await accepted(world, own, FACTURA)
    await worker.close()
    const link = (await own.post(`/v1/documents/${document_id}/public_links`, {})).body
    const path = new URL(link.url).pathname
    expect((await world.get(path)).status).toBe(200)

    expect((await world.delete(own.under, { key: own.owner })).status).toBe(204)
    expect(await rowsOf(own)).toBe(2001)
    const gone = await Promise.all([
      world.get(own.under, { key: own.owner }),
      own.get('/v1/tax/expenses'),
      own.get(`/v1/documents/${document_id}`),
      own.create(FACTURA),
      world.delete(own.under, { key: own.owner }),
      world.get(path),
    ])
    expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(gone[1].body.error.code).toBe('empresa_not_found')
    expect((await world.get('/v1/empresas', { key: own.owner })).body.data).toEqual([])
    const stranger = await world.key(await world.account())
    const again = { rut: own.rut, legal_name: 'Otra' }
    expect((await world.post('/v1/empresas', { key: stranger, body: again })).status).toBe(201)
  })

  it('deletes what is left in a job, and the empresa last', async () => {
    const own = await large()
    await world.delete(own.under, { key: own.owner })
    const worker = await openWorld({ beside: world })
    const left = () => world.db.sql`select id from empresa where id = ${own.empresa_id}`
    await expect.poll(left).toEqual([])
    expect(await rowsOf(own)).toBe(0)
    await worker.close()
  })

  it('204 with very many jobs leaves them for later too, shows none of them, and deletes all in the end', async () => {
    const own = await openIssuer(world)
    const owner = await world.key(own.account)
    await world.db.sql`
      insert into job (id, name, type, account_id, mode, empresa_id, lane, payload, status, due_at, run_at, max_attempts,
        created_at, finished_at)
      select ${own.empresa_id} || n, 'probe', 'probe', ${own.account}, 'test', ${own.empresa_id}, 'probe', '{}',
        case when n % 2 = 0 then 'queued' else 'succeeded' end, 'infinity', 'infinity', 1, now(),
        case when n % 2 = 1 then now() end
      from generate_series(1, 4003) n`
    const left = () => world.db.sql<{ id: string }>`select id from job where empresa_id = ${own.empresa_id} order by id`
    expect((await world.delete(`/v1/empresas/${own.empresa_id}`, { key: owner })).status).toBe(204)
    const later = await left()
    expect(later.length).toBeGreaterThan(0)
    expect(later.length).toBeLessThan(100)
    expect((await world.get(`/v1/jobs/${later[0]?.id}`, { key: owner })).status).toBe(404)
    const worker = await openWorld({ beside: world })
    await expect.poll(() => world.db.sql`select id from empresa where id = ${own.empresa_id}`).toEqual([])
    expect(await left()).toEqual([])
    await worker.close()
  })

  it('204 deletes a small one in the same transaction: there is nothing left for a job', async () => {
    const own = await openIssuer(world)
    const owner = await world.key(own.account)
    expect((await world.delete(`/v1/empresas/${own.empresa_id}`, { key: owner })).status).toBe(204)
    expect(await world.db.sql`select id from empresa where id = ${own.empresa_id}`).toEqual([])
    expect(
      (await world.post('/v1/empresas', { key: owner, body: { rut: randomRut(), legal_name: 'Otra' } })).status,
    ).toBe(201)
  })
})
