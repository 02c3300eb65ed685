import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useWorld } from '../test/support/world.ts'
import { inTurn } from './in-turn.ts'
import { centralCertificate } from './sfg/desk.ts'
import type { Simulator } from './simulator.ts'

describe('work that takes a while', () => {
  const world = useWorld()

  it('is done in turns of the loop of its own each, whether or not the one before it failed', async () => {
    let turn = 0
    let ticking = setImmediate(function tick() {
      turn++
      ticking = setImmediate(tick)
    })
    const owner = {}
    const asked = [0, 1, 2].map((at) =>
      inTurn(owner, () => {
        if (at === 1) throw new Error(`no ${turn}`)
        return turn
      }),
    )
    const [first, second, third] = await Promise.allSettled(asked)
    clearImmediate(ticking)
    expect(second).toMatchObject({ status: 'rejected' })
    const turns = [first, third].map((one) => (one?.status === 'fulfilled' ? one.value : Number.NaN))
    expect((turns[1] ?? 0) - (turns[0] ?? 0)).toBeGreaterThanOrEqual(2)
  })

  it('such as the certificate of a person at the SII is done once for all who wait for it', async () => {
    let made = 0
    const personKey = async (): Promise<KeyObject> => {
      made++
      await new Promise(setImmediate)
      return generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    }
    const ctx: Simulator = { ...world.simulator, authority: { ...world.simulator.authority, personKey } }
    const certificates = await Promise.all([1, 2, 3].map(() => centralCertificate(ctx, '11111111-1')))
    expect(made).toBe(1)
    expect(new Set(certificates.map(({ certificate }) => certificate)).size).toBe(1)
    expect((await centralCertificate(ctx, '11111111-1')).certificate).toBe(certificates[0]?.certificate)
  })
})
