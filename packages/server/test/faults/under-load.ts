import { openReceiver, type Received } from '../support/webhook-receiver.ts'
import { audit } from './audit.ts'
import { openAuditor } from './auditor.ts'
import { type Chance, openChance } from './chance.ts'
import { type Client, openClient } from './client.ts'
import { followFeed } from './feed.ts'
import { mostInASecond, type Work } from './ledger.ts'
import { post } from './poster.ts'
import { waitUntilSettled } from './settled.ts'
import { openTenant } from './tenant.ts'

/** Each has a key of its own: a key gets 10 documents a second and 300 calls a minute, here as everywhere. */
const POSTERS = 12
const PACE = [100, 400] as const
const BURST = 20
const AUDIT_KEYS = 20
const BAD_MOODS = 0.08

export interface Load {
  readonly name: string
  readonly urls: readonly string[]
  readonly seed: number
  /** Whether some also press documents through one key, at every address at once, faster than it may. */
  readonly burst?: boolean
}

/** A receiver that sometimes fails an event when it first sees it: answers 500, or hangs up. */
async function openMoodyReceiver(chance: Chance, work: Work) {
  const seen = new Set<string>()
  const taken: Received[] = []
  const receiver = await openReceiver((response, one, socket) => {
    const mood = seen.has(one.event.id) ? 1 : chance()
    seen.add(one.event.id)
    if (/^document\.(sent|accepted)$/.test(one.event.type)) work.told++
    if (mood < BAD_MOODS) return void response.writeHead(500).end()
    if (mood < 2 * BAD_MOODS) return void socket.destroy()
    taken.push(one)
    response.writeHead(200).end()
  })
  return { ...receiver, taken }
}

async function openLoad({ seed, burst }: Load, client: Client, work: Work, hook_url: string) {
  const tenant = await openTenant(client, hook_url)
  const [feed_key = '', burst_key = '', ...keys] = await tenant.mint(2 + POSTERS + AUDIT_KEYS)
  const auditor = openAuditor(client, keys.slice(POSTERS))
  const feed = await followFeed(client, feed_key)
  const common = { client, empresas: tenant.empresas, chance: openChance(seed + 1) }
  const steady = keys
    .slice(0, POSTERS)
    .map((bearer, door) => ({ ...common, bearer, door, pace: PACE, most: Number.POSITIVE_INFINITY }))
  const pressing = Array.from({ length: burst ? BURST : 0 }, (_, door) => {
    return { ...common, bearer: burst_key, door, pace: [0, 0] as const, most: 2 }
  })
  const posters = [...steady, ...pressing].map((posting) => post(posting, work))
  return { tenant, auditor, feed, posters }
}

function report(name: string, figures: Record<string, string | number>): void {
  const said = Object.entries(figures).map(([what, figure]) => `${what} ${figure}`)
  console.log(`${name}: ${said.join('; ')}`)
}

export interface Findings {
  /** What a customer finds wrong when all has settled. */
  readonly wrong: readonly string[]
  /** The most documents that one key got within a second. */
  readonly granted: number
}

/** Issues documents while `faults` happen, and looks at what is there afterwards. */
export async function underLoad(load: Load, faults: (work: Work) => Promise<number>): Promise<Findings> {
  const client = openClient(load.urls)
  const work: Work = { ledger: [], told: 0, allowed: 0, stop: false }
  const receiver = await openMoodyReceiver(openChance(load.seed + 2), work)
  const { received, taken } = receiver
  const { ledger } = work
  let posters: Promise<void>[] = []
  try {
    const opened = await openLoad(load, client, work, receiver.url)
    posters = opened.posters
    const { tenant, auditor, feed } = opened
    const kills = await faults(work)
    const last_start = performance.now()
    work.stop = true
    await Promise.all(posters)
    await waitUntilSettled(auditor, tenant, feed)
    report(load.name, {
      'documents acknowledged': ledger.length,
      'only by replay': ledger.filter((one) => one.replayed).length,
      kills,
      'asked again': [...client.again].map(([why, times]) => `${times} (${why})`).join(', ') || 'never',
      deliveries: received.length,
      'seconds from the last start until all was settled': ((performance.now() - last_start) / 1000).toFixed(1),
    })
    await feed.stop()
    const wrong = await audit({ auditor, tenant, ledger, feed: feed.ids, received, taken })
    return { wrong, granted: mostInASecond(ledger) }
  } finally {
    work.stop = true
    client.close()
    await Promise.allSettled(posters)
    await receiver.close()
  }
}
