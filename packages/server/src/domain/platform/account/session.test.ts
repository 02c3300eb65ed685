import { expect, it } from 'vitest'
import { letterTo, newPerson, tokenIn } from '../../../../test/support/mailbox.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { deleteExpiredSessions } from './session.ts'

it('deletes sessions and links once they are over, and no other', async () => {
  const world = await openWorld()
  const [ana, eva] = [await newPerson(world), await newPerson(world)]
  const now = new Date(systemNow())
  const over = secondsFrom(now, -10)
  await world.db.sql`update session set expires_at = ${over} where account_id = ${ana.account_id}`
  await world.db.sql`update account_link set expires_at = ${over} where account_id = ${ana.account_id}`
  await deleteExpiredSessions(world.db.sql, now)
  const left = await world.db.sql<{ account_id: string }>`
    select account_id from session union all select account_id from account_link`
  expect(left.map(({ account_id }) => account_id)).toEqual([eva.account_id, eva.account_id])
  expect((await world.get('/account/session', { session: eva.token })).status).toBe(200)
  const token = tokenIn(await letterTo(world, eva.email, /Confirma tu correo/))
  expect((await world.post('/account/verify_email', { body: { token } })).status).toBe(200)
  await world.close()
})
