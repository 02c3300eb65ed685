import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { journal, told, toldOf, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { part } from '../../../kernel/db.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const START = secondsFrom(new Date(systemNow()), 3600)
const at = (ms: number) => new Date(START.getTime() + ms).toISOString()
const freeze = async (ms: number) => {
  await moveClock(world, issuer.key, { frozen_time: at(ms) })
}
const statusOf = async (id: string) => (await issuer.get(`/v1/documents/${id}`)).body.status
/** What was told after creation, and how long after the start it was. */
const story = async (id: string) =>
  (await told(world, id)).slice(1).map(({ type, created_at }) => [type, created_at.getTime() - START.getTime()])

describe('the test clock', () => {
  it('leaves documents queued while it stands still, and takes them all the way when it moves on, in order', async () => {
    await freeze(0)
    const first = (await issuer.create(FACTURA)).body
    await freeze(200)
    const second = (await issuer.create(FACTURA)).body
    expect([first.created_at, second.created_at]).toEqual([at(0), at(200)])
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['queued', 'queued'])
    await freeze(600)
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['sent', 'queued'])
    await freeze(10_000)
    expect(await story(first.id)).toEqual([
      ['document.sent', 500],
      ['document.accepted', 1_000],
    ])
    expect(await story(second.id)).toEqual([
      ['document.sent', 700],
      ['document.accepted', 1_200],
    ])
    const all = await toldOf(world, part`account_id = ${issuer.account} and type <> 'document.created'`)
    expect(all.map(({ data, type }) => [data.object.id, type])).toEqual([
      [first.id, 'document.sent'],
      [second.id, 'document.sent'],
      [first.id, 'document.accepted'],
      [second.id, 'document.accepted'],
    ])
    const lines = await journal(issuer, first.id)
    expect(lines.map((line) => line.at)).toEqual([at(500), at(500), at(500), at(1_000)])
  })

  it('brings a slow settlement forward', async () => {
    await freeze(20_000)
    const receptor = { ...RECEPTOR, rut: '77111115-7' }
    const { id } = (await issuer.create({ ...FACTURA, receptor })).body
    await freeze(25_000)
    expect(await statusOf(id)).toBe('sent')
    await freeze(31_000)
    expect(await story(id)).toEqual([
      ['document.sent', 20_500],
      ['document.accepted', 30_500],
    ])
  })

  it('brings the end of an outage forward, with one line of each in the journal', async () => {
    await freeze(40_000)
    const receptor = { ...RECEPTOR, rut: '77111116-5' }
    const { id } = (await issuer.create({ ...FACTURA, receptor })).body
    await freeze(41_000)
    expect(await statusOf(id)).toBe('queued')
    await freeze(60_000)
    expect(await story(id)).toEqual([
      ['document.sent', 43_500],
      ['document.accepted', 44_000],
    ])
    expect(types(await journal(issuer, id))).toHaveLength(4)
  })
})
