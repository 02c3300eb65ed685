import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { between, openChance } from './faults/chance.ts'
import { BOLETA, type Issuer, openIssuer } from './support/issuer.ts'
import { openWorld, type World } from './support/world.ts'

const EMPRESAS = 40
const SECONDS = 5
/** Now and then two come at once, and now and then nobody comes for the time that a moment of the agenda takes. */
const PAUSE_MS = [0, 700] as const

/** Issues at moments that a seed decides, until it is over; gives how many. */
async function issueNowAndThen(issuer: Issuer, seed: number, until: number): Promise<number> {
  const chance = openChance(seed)
  let issued = 0
  while (performance.now() < until) {
    const { status, text } = await issuer.create(BOLETA)
    if (status !== 201) throw new Error(text)
    issued++
    await sleep(between(chance, ...PAUSE_MS))
  }
  return issued
}

async function waiting({ db }: World): Promise<number> {
  const [row] = await db.sql<{ documents: number }>`
    select count(*)::int as documents from document where status <> 'accepted'`
  return row?.documents ?? 0
}

/** Every process takes those of its empresas. */
async function settlesAll(world: World, ...others: World[]): Promise<void> {
  const account = await world.account()
  const issuers: Issuer[] = []
  for (let i = 0; i < EMPRESAS; i++)
    issuers.push(await openIssuer([world, ...others][i % (1 + others.length)] ?? world, { account }))
  const until = performance.now() + SECONDS * 1000
  const issued = await Promise.all(issuers.map((issuer, i) => issueNowAndThen(issuer, i, until)))
  await expect.poll(() => waiting(world), { timeout: 60_000, interval: 250 }).toBe(0)
  const [counted] = await world.db.sql<{ documents: number; folios: number }>`
    select count(*)::int as documents, count(distinct (empresa_id, folio))::int as folios from document`
  const all = issued.reduce((sum, one) => sum + one, 0)
  expect(counted).toEqual({ documents: all, folios: all })
}

describe('documents of many empresas, at moments of their own', () => {
  it('are all settled by the process that took them', async () => {
    const world = await openWorld()
    onTestFinished(() => world.close())
    await settlesAll(world)
  })

  it('are all settled by a worker beside the process that took them', async () => {
    const front = await openWorld({ runs_jobs: false })
    const worker = await openWorld({ beside: front })
    onTestFinished(async () => {
      await worker.close()
      await front.close()
    })
    await settlesAll(front)
  })

  it('are all settled by two processes that each took them and work', async () => {
    const first = await openWorld()
    const second = await openWorld({ beside: first })
    onTestFinished(async () => {
      await second.close()
      await first.close()
    })
    await settlesAll(first, second)
  })
})
