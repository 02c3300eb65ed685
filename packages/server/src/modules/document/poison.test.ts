import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, type Issuer, openIssuer } from '../../../test/issuer.ts'
import { issue, settled, until } from '../../../test/pipeline.ts'
import { openWorld, type World } from '../../../test/world.ts'
import type { Sii } from '../../ports/sii.ts'

const POISON = 6_661
const boleta = (unit_price: number) => ({ tipo_dte: 39, items: [{ description: 'Café', unit_price }] })

/** How often the poison was touched, and what lets go of the runs that hang on it. */
const touched: (() => void)[] = []
const poisonous = (sandbox: Sii): Sii => ({
  ...sandbox,
  submit(submission) {
    if (!submission.documents.some(({ total }) => total === POISON)) return sandbox.submit(submission)
    return new Promise((_resolve, reject) => touched.push(() => reject(new Error('let go at the end of the test'))))
  },
})

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

describe('a poisoned document', () => {
  it('that the engine cannot build fails alone as build_refused, and the rest of its batch is accepted', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map((n) => issuer.create(boleta(n * 1_000))))
    const [bad = '', ...good] = made.map(({ body }) => body.id as string)
    const amount = { items: [{ description: 'x', quantity: 1e300, unit_price: 1e300 }] }
    await world.db.sql`
      update document set draft = (draft::jsonb || ${JSON.stringify(amount)}::jsonb)::json where id = ${bad}`
    const worker = await openWorld({ beside: world })
    const failed = await settled(issuer, bad)
    expect(failed.body).toMatchObject({ status: 'failed', failure: { code: 'build_refused' } })
    for (const id of good) expect((await settled(issuer, id)).body.status).toBe('accepted')
    await issue(issuer, BOLETA)
    await worker.close()
  })

  it('that ends its worker every time fails as internal_error, and takes nobody of its batch along', async () => {
    const made = await Promise.all([1_000, POISON, 2_000, 3_000].map((price) => issuer.create(boleta(price))))
    const ids = made.map(({ body }) => body.id as string)
    const workers: World[] = []
    /** A run that never comes back, whose lease is taken away: what a worker that was killed leaves behind. */
    const killAndReplace = async () => {
      await world.db.sql`
        update job set lease_until = now() - interval '1 second', worker = 'w_dead' where status = 'running'`
      workers.push(await openWorld({ beside: world, test_sii: poisonous }))
    }
    const rows = await until('all four to be settled', async () => {
      if (touched.length >= workers.length) await killAndReplace()
      // What was set apart waits for a moment of its own: it is now.
      await world.db.sql`
        update job set run_at = now(), parked = false where name = 'document.emit' and status = 'queued'`
      const ended = await world.db.sql<{ id: string; status: string }>`
        select id, status from document where id = any(${ids}::text[]) and status in ('accepted', 'failed')`
      return ended.length === ids.length && ended
    })
    const ends = new Map(rows.map(({ id, status }) => [id, status]))
    expect(ids.map((id) => ends.get(id))).toEqual(['accepted', 'failed', 'accepted', 'accepted'])
    expect((await issuer.get(`/v1/documents/${ids[1]}`)).body.failure.code).toBe('internal_error')
    expect(touched).toHaveLength(6)
    for (const letGo of touched) letGo()
    await Promise.all(workers.map((worker) => worker.close()))
  }, 60_000)
})
