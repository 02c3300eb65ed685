import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { deleteOldChanges } from './lookup.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('what somebody left behind', () => {
  it('is told for a year, as in the audit log, and then deleted, however much it is', async () => {
    const account = await world.account()
    const write = (many: number, days_ago: number) => world.db.sql`
      insert into lasting_change (account_id, mode, object, subject_id, act, fields, written_by, written_at)
      select ${account}, 'test', 'webhook_endpoint', 'we_' || ${days_ago}::text || '_' || n, 'changed', '{}', 'key_1',
        now() - make_interval(days => ${days_ago}::integer)
      from generate_series(1, ${many}::integer) n`
    await write(2_100, RETENTION.lasting_change_days + 1)
    await write(3, RETENTION.lasting_change_days - 1)
    await deleteOldChanges(world.db.sql, new Date(systemNow() - RETENTION.lasting_change_days * 86_400_000))
    const left = await world.db.sql`select 1 from lasting_change where account_id = ${account}`
    expect([left.length, RETENTION.lasting_change_days >= 365]).toEqual([3, true])
  })
})
