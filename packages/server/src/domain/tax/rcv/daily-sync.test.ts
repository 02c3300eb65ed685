import { addPeriods, DAY_MS, periodOf, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { bought, openRegister, type Register } from '../../../../test/support/rcv-register.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { nextDailyRun } from '../../daily-run.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const advance = ({ key }: Register, duration: string) => moveClock(world, key, { advance: duration })

/** In the middle of a month: the three months that are read stay the same for days. */
async function openInMidMonth(): Promise<{ register: Register; present: string }> {
  const register = await openRegister(world, { reads_year_before: true })
  const today = santiagoDate(new Date())
  const present = addPeriods(periodOf(today), 1)
  const days = (Date.parse(`${present}-15`) - Date.parse(today)) / DAY_MS
  await advance(register, `P${days}D`)
  return { register, present }
}

const readings = (register: Register) =>
  world.db.sql<{ period: string; readings: number }>`
    select payload ->> 'period' as period, count(*) as readings from job
    where empresa_id = ${register.empresa_id} and name = 'rcv.sync' and status = 'succeeded' group by 1 order by 1`

/** Until the year before was read too. */
const settled = (register: Register) => expect.poll(async () => (await readings(register)).length).toBe(13)

describe('the daily reading', () => {
  it('reads the last three months each day on the clock of the account, once somebody read the register', async () => {
    const { register, present } = await openInMidMonth()
    await register.sync(present)
    await settled(register)
    await register.seed({ period: present, purchases: [bought(1)] })
    await advance(register, 'P2D')
    const three = [-2, -1, 0].map((months) => addPeriods(present, months))
    const found = new Map((await readings(register)).map((row) => [row.period, row.readings]))
    expect(three.map((period) => found.get(period))).toEqual([3, 3, 3])
    expect(found.get(addPeriods(present, -3))).toBe(1)
    expect((await register.get(`/v1/tax/purchases?period=${present}`)).body.data).toHaveLength(1)
  })

  it('rests while the automation settings say so, and goes on when they change', async () => {
    const { register, present } = await openInMidMonth()
    await register.sync(present)
    await settled(register)
    const settings = `/v1/empresas/${register.empresa_id}/automation_settings`
    await world.patch(settings, { key: register.key, body: { sync_rcv_daily: false } })
    await advance(register, 'P2D')
    const count = async () => (await readings(register)).find(({ period }) => period === present)?.readings
    expect(await count()).toBe(1)
    await world.patch(settings, { key: register.key, body: { sync_rcv_daily: true } })
    await advance(register, 'P1D')
    expect(await count()).toBe(2)
  })

  it('comes at one minute of the day that is the empresa’s own, always ahead', () => {
    const now = new Date('2026-10-05T12:00:00Z')
    const first = nextDailyRun('emp_a', now)
    const second = nextDailyRun('emp_a', first)
    expect(first > now).toBe(true)
    expect(second.getTime() - first.getTime()).toBe(86_400_000)
    expect(nextDailyRun('emp_b', now)).not.toEqual(first)
  })
})
