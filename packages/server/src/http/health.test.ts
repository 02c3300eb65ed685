import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import { openDatabase } from '../kernel/db.ts'
import { healthRoutes } from './health.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ plain: healthRoutes })
})
afterAll(() => world.close())

const nowhere = () => openDatabase('postgres://127.0.0.1:1/none', { pool_size: 1, onError: () => undefined })

const request = {
  params: {},
  query: {},
  form: {},
  raw: new Uint8Array(),
  header: () => undefined,
  ip: '127.0.0.1',
  request_id: 'req_x',
  node: {} as never,
  callOperation: () => Promise.reject(),
  callAsOperator: () => Promise.reject(),
  callAsSession: () => Promise.reject(),
}

async function readiness(db: Parameters<typeof healthRoutes>[0]) {
  const route = healthRoutes(db).find(({ path }) => path === '/readyz')
  const { status, body } = (await route?.answer(request)) ?? {}
  return { http: status, ...JSON.parse(body ?? '{}') }
}

describe('/healthz', () => {
  it('200 up whatever the database does', async () => {
    const away = await openWorld({ plain: () => healthRoutes(nowhere()) })
    expect((await away.get('/healthz')).body).toEqual({ status: 'up' })
    await away.close()
  })
})

describe('/readyz', () => {
  it('200 ready once every migration is applied, with a request id and never cached', async () => {
    const sent = await world.get('/readyz')
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({ status: 'ready' })
    expect(sent.headers['svc-request-id']).toMatch(/^req_/)
    expect(sent.headers['cache-control']).toBe('no-store')
  })

  it('503 database_unreachable when nothing listens there', async () => {
    expect(await readiness(nowhere())).toEqual({
      http: 503,
      status: 'not_ready',
      reason: 'database_unreachable',
    })
  })

  it('503 migrations_pending on an empty database', async () => {
    const empty = openDatabase(inject('postgresUrl'), { pool_size: 1, onError: () => undefined })
    expect((await readiness(empty)).reason).toBe('migrations_pending')
    await empty.end()
  })

  it('503 migrations_pending when a newer process waits for its own migration, seen within a second', async () => {
    const late = await openWorld({ plain: healthRoutes })
    expect((await late.get('/readyz')).status).toBe(200)
    await late.db.sql`delete from migration where name = (select max(name) from migration)`
    await expect.poll(async () => (await late.get('/readyz')).body?.reason).toBe('migrations_pending')
    expect((await late.get('/readyz')).status).toBe(503)
    await late.close()
  })

  it('looks at the database once for everyone who asks at the same moment', async () => {
    let looks = 0
    const db = {
      ...world.db,
      sql: ((...args: Parameters<typeof world.db.sql>) => {
        looks++
        return world.db.sql(...args)
      }) as typeof world.db.sql,
    }
    const ready = healthRoutes(db).find(({ path }) => path === '/readyz')
    await Promise.all(Array.from({ length: 50 }, () => ready?.answer(request)))
    expect(looks).toBe(1)
  })
})
