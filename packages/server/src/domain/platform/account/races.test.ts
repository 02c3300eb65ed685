import { expect, it } from 'vitest'
import { newPerson, restOfPost, tokenIn } from '../../../../test/support/mailbox.ts'
import { openWorld, type Sent } from '../../../../test/support/world.ts'

it('lets everything happen to one account at once without a 5xx, and its owner still gets in', async () => {
  const world = await openWorld()
  const ana = await newPerson(world)
  const post = (path: string, body: object, session?: string) =>
    world.post(`/account/${path}`, { body, ...(session !== undefined && { session }) })
  const { email, password, token } = ana
  const statuses: number[] = []
  const seen = ({ status }: Sent) => void statuses.push(status)
  for (let round = 0; round < 4; round++) {
    await restOfPost(world)
    const links = world.letters.filter(({ text }) => text.includes('?token=')).map(tokenIn)
    await Promise.all([
      ...links.flatMap((link) => [
        post('verify_email', { token: link }).then(seen),
        post('reset_password', { token: link, password }).then(seen),
      ]),
      post('forgot_password', { email }).then(seen),
      post('forgot_password', { email }).then(seen),
      post('login', { email, password }).then(seen),
      post('login', { email, password }).then(seen),
      post('change_email', { email: `otra-${email}`, password }, token).then(seen),
      post('change_password', { current_password: password, password }, token).then(seen),
      post('resend_verification', {}, token).then(seen),
    ])
  }
  await restOfPost(world)
  const failed = await world.db.sql`select name, error from job where status = 'failed' or attempts > 1`
  expect(failed).toEqual([])
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  const now = (await world.db.sql<{ email: string }>`select email from account`)[0]?.email
  expect((await post('login', { email: now, password })).status).toBe(200)
  await world.close()
})
