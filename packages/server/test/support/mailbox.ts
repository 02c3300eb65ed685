// Reads the mail that a world keeps in memory, and people who signed up by it.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Letter } from '../../src/ports/mail.ts'
import type { World } from './world.ts'

const PATIENCE_MS = 180_000

/** The newest letter to an address about something, once it has arrived. */
export async function letterTo(world: World, to: string, about: RegExp): Promise<Letter> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(25)) {
    const found = world.letters.findLast((letter) => letter.to === to && about.test(letter.subject))
    if (found) return found
  }
  throw new Error(`no letter about ${about} came to ${to}`)
}

/** Waits until nothing is left to be posted, for tests of what must not arrive. */
export async function restOfPost(world: World): Promise<void> {
  await world.until(async () => {
    const [row] = await world.db.sql<{ waiting: number }>`
      select count(*) as waiting from job where status in ('queued', 'running')
        and name in ('mail.send', 'account.send_reset_link')`
    return row?.waiting === 0
  })
}

/** What the link of a letter carries. */
export function tokenIn(letter: Letter): string {
  const [, token] = /\?token=(\w+)/.exec(letter.text) ?? []
  if (!token) throw new Error('the letter has no link')
  return token
}

export interface Person {
  readonly email: string
  readonly password: string
  readonly token: string
  readonly account_id: string
}

/** Confirms the address by its letter, which ends what was open, and logs in again. */
export async function confirmed(world: World, person: Person): Promise<Person> {
  const { email, password } = person
  const token = tokenIn(await letterTo(world, email, /Confirma tu correo/))
  await world.post('/account/verify_email', { body: { token } })
  const sent = await world.post('/account/login', { body: { email, password } })
  return { ...person, token: sent.body.data.token }
}

/** Somebody who signed up through the front door, with a password that works. */
export async function newPerson(world: World, password = 'una clave larga'): Promise<Person> {
  const email = `${randomUUID()}@example.cl`
  const sent = await world.post('/account/register', { body: { email, password } })
  const session = await world.get('/account/session', { session: sent.body.data.token })
  return { email, password, token: sent.body.data.token, account_id: session.body.data.account.id }
}
