// People who take their account back, and the stranger they take it back from.

import { onboardingRoutes } from '../../src/http/page-routes/onboarding/routes.ts'
import { REACTIONS } from '../../src/reactions.ts'
import { confirmed, letterTo, newPerson, type Person, restOfPost, tokenIn } from './mailbox.ts'
import { openWorld, type World } from './world.ts'

export const FRESH = 'otra clave larga'

/** With the pages on which a certificate is handed over: what came in by them may have to go, too. */
export function openRecoveryWorld(): Promise<World> {
  const addresses = { public_url: 'http://timbre.test', base_url: 'http://timbre.test/v1' } as never
  return openWorld({
    plain: (db, parts) => onboardingRoutes({ sql: db.sql, ...parts, addresses, reactions: REACTIONS }),
  })
}

/** What they do, in the world that is open by then. */
export function recoveryIn(opened: () => World) {
  const post = (path: string, body: object, session?: string) =>
    opened().post(path, { body, ...(session !== undefined && { session }) })
  const login = (email: string, password: string) => post('/account/login', { email, password })
  const verify = (token: string) => post('/account/verify_email', { token })
  const restore = (token: string) => post('/account/restore_email', { token })
  const works = async (key: string) => (await opened().get('/v1/account', { key })).status

  async function resetOf({ email }: Pick<Person, 'email'>, password = FRESH) {
    const world = opened()
    await restOfPost(world)
    await post('/account/forgot_password', { email })
    await restOfPost(world)
    const token = tokenIn(await letterTo(world, email, /Crea una contraseña nueva/))
    return post('/account/reset_password', { token, password })
  }

  /** Asks for another address and gives the link that waits in its mailbox. */
  async function moving(ana: Pick<Person, 'token' | 'password'>, email: string): Promise<string> {
    await post('/account/change_email', { email, password: ana.password }, ana.token)
    return tokenIn(await letterTo(opened(), email, /Confirma tu nuevo correo/))
  }

  async function mint(session: string, scopes: readonly string[], mode = 'test'): Promise<string> {
    const body = { name: 'una', scopes }
    return (await opened().post('/dashboard/api_keys', { session, mode, body })).body.secret
  }

  /** A key that reads endpoints, by a session of its own: whatever was open before may have ended. */
  async function mintAgain({ account_id }: Pick<Person, 'account_id'>): Promise<string> {
    return mint(await opened().session(account_id), ['webhooks:read'])
  }

  /** A stranger who knows the password logs in, to the millisecond: what the owner made just before is older. */
  async function intruder({ email, password, account_id }: Person): Promise<Person> {
    const world = opened()
    const { token } = (await login(email, password)).body.data
    const { id } = (await world.get('/account/session', { session: token })).body.data
    await world.db.sql`update session set created_at = ${new Date()} where id = ${id}`
    return { email, password, account_id, token }
  }

  /** An account whose address a thief has changed, and the letter that leads back. */
  async function taken() {
    const world = opened()
    const ana = await confirmed(world, await newPerson(world))
    const email = `ladron-${ana.email}`
    await verify(await moving(ana, email))
    const letter = await letterTo(world, ana.email, /Cambió el correo/)
    return { ana, thief: { email, token: ana.token, password: ana.password }, letter, link: tokenIn(letter) }
  }

  return { post, login, verify, restore, works, resetOf, moving, mint, mintAgain, intruder, taken }
}
