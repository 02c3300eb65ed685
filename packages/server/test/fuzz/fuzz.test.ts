import { describe, expect, it } from 'vitest'
import { threadInspection } from '../../src/adapters/threads/inspection.ts'
import { threadPrinter } from '../../src/adapters/threads/printer.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { FuzzRun } from './run.ts'
import { Tally } from './tally.ts'
import { openTarget, type Target } from './target.ts'

const { FUZZ_SEED, FUZZ_SECONDS, FUZZ_REQUESTS } = process.env
const is_long = FUZZ_SECONDS !== undefined || FUZZ_REQUESTS !== undefined
/** The short form sends the same requests every time: a suite that fails for nobody's change helps nobody. */
const seed = Number(FUZZ_SEED ?? 1)
const MIB = 1024 * 1024
const SHORT = { sizes: { bytes: 60_000, depth: 3_000 }, hostile: 1, session_every: 5, doors: 4, draws_docs: false }
const LONG = { sizes: { bytes: 7 * MIB, depth: 100_000 }, hostile: 6, session_every: 1, doors: 30, draws_docs: true }
/** Threads have tests of their own. */
const NONE = { print: async () => Buffer.from('%PDF-1.7'), close: async () => undefined }
const DAY_MS = 86_400_000

/** What happens once in the life of a process, as a thread that starts or a page that is drawn, counts for nobody. */
async function warmUp({ world, pages, openTenant }: Target): Promise<void> {
  const { key, rut, ids } = await openTenant()
  await world.post('/v1/test_helpers/received_documents', { key, empresa: rut, body: {} })
  await world.get(`/v1/received_documents/${ids.received_document_id}/pdf`, { key, empresa: rut })
  for (const { path, method } of pages) if (!path.includes('{') && !method) await world.get(path)
}

describe('hostile input', () => {
  it('is refused in few words and at once by every operation and every door, and breaks none', {
    timeout: DAY_MS,
  }, async () => {
    const tally = new Tally()
    const inspection = is_long ? threadInspection({ idle_ms: DAY_MS }) : undefined
    const onReach = (id: string) => void tally.reached.set(id, (tally.reached.get(id) ?? 0) + 1)
    const printer = is_long ? threadPrinter({ threads: 1, idle_ms: DAY_MS }) : NONE
    // What was taken runs: a call that waits for a job is answered, and what breaks later is found.
    const doubles = inspection ? { runs_jobs: true, inspection, printer } : { runs_jobs: true, printer }
    const target = await openTarget(doubles, onReach)
    if (is_long) await warmUp(target)
    const until = performance.now() + Number(FUZZ_SECONDS ?? 0) * 1_000
    const goesOn = () => is_long && (FUZZ_REQUESTS ? tally.sent < Number(FUZZ_REQUESTS) : performance.now() < until)
    let cpu_ms = 0
    try {
      const cpu = process.cpuUsage()
      await new FuzzRun(target, tally, { seed, goesOn, ...(is_long ? LONG : SHORT) }).run()
      cpu_ms = process.cpuUsage(cpu).user / 1000
    } finally {
      await target.close()
      await inspection?.close()
      await printer.close()
    }
    if (is_long) console.log(`${tally.report()}\n`)
    const findings = tally.findings()
    console.log(
      `seed ${seed}: ${tally.sent} requests, ${Math.round(cpu_ms / 1_000)} s of the processor, ${findings.length} findings`,
    )
    const told = findings.map(({ subject, wrong, what }) => `${subject}: ${wrong}\n  ${what}`)
    expect(told).toEqual([])
    expect(OPERATIONS.filter(({ id }) => !tally.reached.has(id)).map(({ id }) => id)).toEqual([])
  })
})
