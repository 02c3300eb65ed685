import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue, settled } from '../../../../test/support/document-emission.ts'
import { IN_FULL } from '../../../../test/support/in-full.ts'
import { BOLETA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Sii } from '../../../ports/sii.ts'

/** By their total: documents on which a run hangs until its worker is killed, the first so many times. */
const HANGS = new Map([
  [6_661, Number.POSITIVE_INFINITY],
  [6_662, 7],
])
const boleta = (unit_price: number) => ({ tipo_dte: 39, items: [{ description: 'Café', unit_price }] })

const touched = new Map<number, number>()
/** What lets go of the runs that hang. */
const hanging: { readonly ids: readonly string[]; readonly letGo: () => void }[] = []
const poisonous = (sandbox: Sii): Sii => ({
  ...sandbox,
  submit(submission) {
    const total = submission.documents.find((document) => HANGS.has(document.total))?.total ?? 0
    const times = (touched.get(total) ?? 0) + 1
    if (times > (HANGS.get(total) ?? 0)) return sandbox.submit(submission)
    touched.set(total, times)
    const ids = submission.documents.map(({ id }) => id)
    return new Promise((_resolve, reject) => hanging.push({ ids, letGo: () => reject(new Error('killed')) }))
  },
})

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

/** Issues a batch and kills whoever hangs on it until all of it is settled; gives the status of each. */
async function killUntilSettled(prices: readonly number[]): Promise<string[]> {
  const made = await Promise.all(prices.map((price) => issuer.create(boleta(price))))
  const ids = made.map(({ body }) => body.id as string)
  const worker = await openWorld({ beside: world, test_sii: poisonous })
  const ends = await until('all of them to be settled', async () => {
    // What a worker that was killed leaves behind: a lease that runs out, and nobody who says how it ended.
    for (const { ids, letGo } of hanging.splice(0)) {
      await world.db.sql`
        update job set lease_until = now() - interval '1 second', worker = 'w_dead'
        where status = 'running' and payload ->> 'document_id' = any(${ids}::text[])`
      letGo()
    }
    // What was set apart waits for a moment of its own: it is now.
    await world.db.sql`
      update job set run_at = now(), parked = false where name = 'document.emit' and status = 'queued'`
    worker.app.worker.wake()
    const rows = await world.db.sql<{ id: string; status: string }>`
      select id, status from document where id = any(${ids}::text[]) and status in ('accepted', 'failed')`
    return rows.length === ids.length && new Map(rows.map(({ id, status }) => [id, status]))
  })
  await worker.close()
  const failed = ids.filter((id) => ends.get(id) === 'failed')
  for (const id of failed) {
    expect((await issuer.get(`/v1/documents/${id}`)).body.failure.code).toBe('internal_error')
  }
  return ids.map((id) => ends.get(id) ?? '')
}

describe('a poisoned document', () => {
  it('that the engine cannot build fails alone as build_refused, and the rest of its batch is accepted', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map((n) => issuer.create(boleta(n * 1_000))))
    const [bad = '', ...good] = made.map(({ body }) => body.id as string)
    // It can be read and priced, and not built: nobody has such a RUT.
    await world.db.sql`
      update document set draft = jsonb_set(draft::jsonb, '{emisor,rut}', '"1-1"')::json where id = ${bad}`
    const worker = await openWorld({ beside: world })
    const failed = await settled(issuer, bad)
    expect(failed.body).toMatchObject({ status: 'failed', failure: { code: 'build_refused' } })
    for (const id of good) expect((await settled(issuer, id)).body.status).toBe('accepted')
    await issue(issuer, BOLETA)
    await worker.close()
  })

  it('that ends its worker every time fails as internal_error, and takes nobody of its batch along', async () => {
    expect(await killUntilSettled([1_000, 6_661, 2_000, 3_000])).toEqual(['accepted', 'failed', 'accepted', 'accepted'])
  })
})

describe('a document that is sound', () => {
  it.runIf(IN_FULL)('is accepted although its worker was killed seven times with it in hand', async () => {
    expect(await killUntilSettled([1_000, 6_662])).toEqual(['accepted', 'accepted'])
    expect(touched.get(6_662)).toBe(7)
  })
})
