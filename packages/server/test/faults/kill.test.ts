import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, it, type TestContext } from 'vitest'
import { BUCKETS } from '../../src/catalog/limits.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { freePort } from '../support/free-port.ts'
import { REDIS, startRedis } from '../support/redis-server.ts'
import { between, type Chance, openChance } from './chance.ts'
import { untilRandomMoment, type Work } from './ledger.ts'
import { killPostgres, type Restartable, restartable } from './server-process.ts'
import { underLoad } from './under-load.ts'

/** `npm run test:faults` says how often. `npm test` has one kill, of the server of `journey/cold-start.test.ts`. */
const inFull = describe.runIf(process.env.FAULT_ROUNDS !== undefined)
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1)
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31))
/** How often it is killed again before it is ready. */
const WHILE_STARTING = 0.2
/** Every wait in here has a bound of its own that says what it waited for; this is for a machine with much else to do. */
const timeout = 600_000 + ROUNDS * 30_000

beforeAll(() => {
  console.log(`FAULT_SEED=${SEED} FAULT_ROUNDS=${ROUNDS} (give them back to have the same moments again)`)
})

type Settings = Record<string, string>
type Finish = TestContext['onTestFinished']

/** A folder that goes when the test ends, with whatever database still runs in it. */
function dataFolder(finish: Finish): string {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-kill-'))
  finish(async () => {
    await killPostgres(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

async function separateDatabase(): Promise<Settings> {
  return { DATABASE_URL: (await emptyDatabase()).url, MASTER_KEY: randomBytes(32).toString('base64') }
}

/** One process that does everything, killed at random moments and started again at its address. */
async function killTheOnlyOne(
  name: string,
  settings: Settings,
  finish: Finish,
  afterKill?: (chance: Chance) => unknown,
) {
  const port = await freePort()
  const server = restartable({ ...settings, PORT: String(port) }, finish)
  await server.ready()
  const chance = openChance(SEED)
  return underLoad({ name, urls: [`http://127.0.0.1:${port}`], seed: SEED }, async (work) => {
    for (let round = 0; round < ROUNDS; round++) {
      if (chance() < WHILE_STARTING) {
        await sleep(between(chance, 0, 1_500))
      } else {
        await server.ready()
        await untilRandomMoment(chance, work)
      }
      await server.kill()
      await afterKill?.(chance)
      server.start()
    }
    await server.ready()
    return ROUNDS
  })
}

/** Two APIs and two workers over one database and one Redis. */
async function openCluster(finish: Finish) {
  const redis = await startRedis()
  finish(() => redis.kill())
  const ports = [await freePort(), await freePort()]
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const common = {
    ...(await separateDatabase()),
    REDIS_URL: redis.url,
    DATA_DIR: dataFolder(finish),
    PUBLIC_URL: urls[0] ?? '',
    WEBHOOKS_ALLOW_PRIVATE: '1',
  }
  const apis = ports.map((port) => restartable({ ...common, ROLE: 'api', PORT: String(port) }, finish))
  const workers = ports.map(() => restartable({ ...common, ROLE: 'worker' }, finish))
  for (const one of [...apis, ...workers]) await one.ready()
  return { urls, apis, workers }
}

/** One of each kind is killed in the midst of work; the others go on, and after a while it is started again. */
async function killOneOfEach(kinds: readonly (readonly Restartable[])[], chance: Chance, work: Work): Promise<void> {
  const victims = kinds.flatMap((both) => both[chance() < 0.5 ? 0 : 1] ?? [])
  for (const victim of victims) {
    await untilRandomMoment(chance, work)
    await victim.kill()
  }
  await untilRandomMoment(chance, work)
  for (const victim of victims) victim.start()
  for (const victim of victims) await victim.ready()
}

inFull.concurrent('every acknowledged document survives kill -9, settles once and has one folio', () => {
  it('of the server on the embedded database, which is killed with it every other time', { timeout }, async (test) => {
    const folder = dataFolder(test.onTestFinished)
    const afterKill = async (chance: Chance) => (chance() < 0.5 ? killPostgres(folder) : undefined)
    const { wrong } = await killTheOnlyOne('embedded', { DATA_DIR: folder }, test.onTestFinished, afterKill)
    test.expect(wrong).toEqual([])
  })

  it('of the server on a separate PostgreSQL', { timeout }, async (test) => {
    const settings = {
      ...(await separateDatabase()),
      DATA_DIR: dataFolder(test.onTestFinished),
      WEBHOOKS_ALLOW_PRIVATE: '1',
    }
    const { wrong } = await killTheOnlyOne('separate', settings, test.onTestFinished)
    test.expect(wrong).toEqual([])
  })

  it.runIf(REDIS)('of an API and a worker where two of each share the limits on Redis', { timeout }, async (test) => {
    const { urls, apis, workers } = await openCluster(test.onTestFinished)
    const chance = openChance(SEED)
    const { wrong, granted } = await underLoad({ name: 'cluster', urls, seed: SEED, burst: true }, async (work) => {
      const rounds = Math.ceil(ROUNDS / 3) // each takes as long as three of the others
      for (let round = 0; round < rounds; round++) await killOneOfEach([apis, workers], chance, work)
      return 2 * rounds
    })
    test.expect(wrong).toEqual([])
    // Where the machine is too busy for Redis to answer in time each API counts by itself, and says so.
    const alone = apis.some((api) => api.said().includes('Redis is away'))
    if (alone) console.log('cluster: Redis did not answer in time, so the shared limit was not judged')
    else test.expect(granted).toBeLessThanOrEqual(BUCKETS['documents.create'].max)
  })
})
