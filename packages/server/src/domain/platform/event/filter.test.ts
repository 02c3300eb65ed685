import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../../../test/support/insert-empresa.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import type { EventType } from '../../../catalog/events.ts'
import { REAL_TIME, systemNow } from '../../../kernel/clock.ts'
import { UnitOfWork } from '../../../kernel/unit-of-work.ts'

let world: World
let account: string
let key: string
let empresas: { id: string; rut: string }[]

beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
  empresas = await Promise.all([1, 2, 3].map(() => emptyEmpresa(world, account)))
  const [one, two, three] = empresas
  await record('api_key.created', null)
  for (const empresa of [one, two, three]) {
    await record('document.created', empresa)
    await record('document.accepted', empresa)
    await record('empresa.updated', empresa)
    await record('empresa.onboarding.updated', empresa)
  }
  await record('api_key.revoked', null)
})
afterAll(() => world.close())

let count = 0
async function record(type: EventType, empresa: { id: string; rut: string } | null | undefined): Promise<void> {
  const unit = new UnitOfWork({ account_id: account, mode: 'test', empresa_id: null, clock: REAL_TIME })
  unit.emit({ type, object: { n: ++count }, empresa: empresa ?? null })
  await world.db.transact((sql) => unit.flush(sql))
}

const ask = (query: Record<string, string>, as = key) =>
  world.get(`/v1/events?${new URLSearchParams({ limit: '100', ...query })}`, { key: as })

/** The numbers of what a filter finds, newest first, and the same read forward, which must agree. */
async function found(query: Record<string, string>, as = key): Promise<number[]> {
  const numbers = async (more: Record<string, string>) => {
    const { status, body, text } = await ask({ ...query, ...more }, as)
    if (status !== 200) throw new Error(text)
    return (body.data as { data: { object: { n: number } } }[]).map(({ data }) => data.object.n)
  }
  const backward = await numbers({})
  const first = (await ask({}, as)).body.data.at(-1)
  await expect
    .poll(() => numbers({ after: first.id }))
    .toEqual(backward.filter((n) => n !== first.data.object.n).reverse())
  return backward
}

describe('GET /v1/events by type', () => {
  it('200 takes a type, a family of types in one order, or all', async () => {
    expect(await found({ type: 'document.accepted' })).toEqual([11, 7, 3])
    expect(await found({ type: 'document.*' })).toEqual([11, 10, 7, 6, 3, 2])
    expect(await found({ type: 'empresa.*' })).toEqual([13, 12, 9, 8, 5, 4])
    expect(await found({ type: 'empresa.onboarding.*' })).toEqual([13, 9, 5])
    expect(await found({ type: '*' })).toEqual(Array.from({ length: 14 }, (_, i) => 14 - i))
    expect(await found({ type: 'folios.*' })).toEqual([])
  })

  it('200 pages through a family without gap or repetition, in both directions', async () => {
    const walk = async (direction: 'cursor' | 'after', start: Record<string, string>) => {
      const seen: number[] = []
      let place: Record<string, string> | null = start
      while (place) {
        const { body } = await ask({ type: 'document.*', limit: '2', ...place })
        seen.push(...body.data.map(({ data }: { data: { object: { n: number } } }) => data.object.n))
        place = body.next_cursor === null ? null : { [direction]: body.next_cursor }
      }
      return seen
    }
    expect(await walk('cursor', {})).toEqual([11, 10, 7, 6, 3, 2])
    const after = (await ask({})).body.data.at(-1).id as string
    await expect.poll(() => walk('after', { after })).toEqual([2, 3, 6, 7, 10, 11])
  })

  it('400 invalid_field for a type that does not exist', async () => {
    for (const type of ['document.acepted', 'documents.*', 'document*', '']) {
      const { status, body } = await ask({ type })
      expect([type, status, body.error?.code, body.error?.param]).toEqual([type, 400, 'invalid_field', 'type'])
    }
  })
})

describe('GET /v1/events of some empresas', () => {
  it('200 of one empresa, alone and with a type', async () => {
    const rut = empresas[1]?.rut ?? ''
    expect(await found({ empresa_rut: rut })).toEqual([9, 8, 7, 6])
    expect(await found({ empresa_rut: rut, type: 'document.*' })).toEqual([7, 6])
    expect(await found({ empresa_rut: randomRut() })).toEqual([])
  })

  it('200 to a key with an allowlist: what happened to its empresas, in one order', async () => {
    const [one, , three] = empresas.map(({ rut }) => rut)
    const narrow = await world.key(account, { empresas: [one ?? '', three ?? ''] })
    expect(await found({}, narrow)).toEqual([13, 12, 11, 10, 5, 4, 3, 2])
    expect(await found({ type: 'document.*' }, narrow)).toEqual([11, 10, 3, 2])
    expect(await found({ empresa_rut: empresas[1]?.rut ?? '' }, narrow)).toEqual([])
    const many = await world.key(account, { empresas: [one ?? '', ...Array.from({ length: 30 }, randomRut)] })
    expect(await found({}, many)).toEqual([5, 4, 3, 2])
  })

  it('200 to a key with an allowlist: of keys and endpoints, those alone that reach no further than it does', async () => {
    const mine = await world.account()
    const [rut, other] = [randomRut(), randomRut()]
    const narrow = await world.key(mine, { empresas: [rut] })
    const ping = async (body: object, as: string) => {
      const made = await world.post('/v1/webhook_endpoints', { key: as, body: { url: 'http://127.0.0.1:9/', ...body } })
      return (await world.post(`/v1/webhook_endpoints/${made.body.id}/ping`, { key: as })).body.event_id as string
    }
    const wide = await world.key(mine)
    const hidden = [await ping({}, wide), await ping({ empresas: [rut, other] }, wide)]
    const own = await ping({}, narrow)
    const { data } = (await ask({ type: 'ping' }, narrow)).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([own])
    expect((await world.get(`/v1/events/${own}`, { key: narrow })).body).toEqual(data[0])
    for (const id of hidden) expect((await world.get(`/v1/events/${id}`, { key: narrow })).status).toBe(404)
    expect((await ask({ type: 'ping' }, wide)).body.data).toHaveLength(3)
  })
})

describe('GET /v1/events of a time', () => {
  it('200 finds what a test clock dated ahead of its recording', async () => {
    const mine = await world.account()
    const own = await world.key(mine)
    await moveClock(world, own, { frozen_time: inDays(40) })
    await world.post('/v1/empresas', { key: own, body: { rut: randomRut(), legal_name: 'Mañana SpA' } })
    const between = async (from: number, to: number) =>
      (await ask({ 'created_at[gte]': inDays(from), 'created_at[lte]': inDays(to) }, own)).body.data.length
    expect(await between(39, 41)).toBe(1)
    expect(await between(-1, 1)).toBe(0)
    expect(await between(41, 60)).toBe(0)
  })

  it('200 finds what was recorded long after the instant at which a test clock stands still', async () => {
    const mine = await world.account()
    const setter = await world.key(mine)
    await world.post('/v1/test_helpers/clock', { key: setter, body: { frozen_time: inDays(1) } })
    // As if the wall had gone on for three days since.
    await world.db.sql`update test_clock set frozen_at = frozen_at - interval '3 days' where account_id = ${mine}`
    const own = await world.key(mine)
    await world.post('/v1/empresas', { key: own, body: { rut: randomRut(), legal_name: 'Anteayer SpA' } })
    const [event] = (await ask({}, own)).body.data
    expect(event.created_at < inDays(-1)).toBe(true)
    const same = { 'created_at[gte]': event.created_at, 'created_at[lte]': event.created_at }
    expect((await ask(same, own)).body.data).toEqual([event])
  })
})

function inDays(days: number): string {
  return new Date(systemNow() + days * 86_400_000).toISOString()
}
