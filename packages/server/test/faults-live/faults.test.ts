import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { IN_FULL } from '../support/in-full.ts'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../support/live-world.ts'
import { envelopes } from './envelopes.ts'
import { kills } from './kills.ts'
import { outages } from './outages.ts'
import { processes } from './processes.ts'
import { ranges } from './ranges.ts'

/**
 * Live mode while the SII, the wire or we ourselves fail, against the simulator process. One empresa goes through all of
 * it. In each: nothing is lost, nothing is sent twice, and every document ends where the SII says.
 */
let live: LiveWorld
let empresa: LiveEmpresa
const folder = mkdtempSync(join(tmpdir(), 'timbre-sii-'))

/** A winter to come, noon in Santiago, when that is four hours after UTC. */
const WINTER = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 6, 10, 16))

beforeAll(async () => {
  if (!IN_FULL) return
  live = await openLiveWorld({ simulator_folder: folder, starts_at: WINTER })
  empresa = await live.empresa({ folios: { 33: 90, 39: 90 } })
})
afterEach(async () => {
  if (IN_FULL) await live.simulator.clearScripts()
})
afterAll(async () => {
  if (IN_FULL) await live.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

// They live in a winter to come, and a worker shares its process with other files: they have a run of their own.
describe.skipIf(!IN_FULL)('an SII in trouble', () => outages(() => ({ live, empresa })))
describe.skipIf(!IN_FULL)('an envelope in trouble', () => envelopes(() => ({ live, empresa })))
describe.skipIf(!IN_FULL)('a process killed anywhere', () => {
  let other: LiveEmpresa
  beforeAll(async () => {
    other = await live.empresa({ folios: { 33: 100, 39: 100 } })
  })
  kills(() => ({ live, empresa: other }))
})
describe.skipIf(!IN_FULL)('processes in trouble', () => processes(() => ({ live, empresa })))
// Last: it takes the clock half a year on.
describe.skipIf(!IN_FULL)('half a year later', () => {
  let other: LiveEmpresa
  beforeAll(async () => {
    other = await live.empresa({ folios: { 33: 3 } })
  })
  ranges(() => ({ live, empresa: other }))
})
