// Somebody opens an account, loses the password, moves to another address and gets it back.

import { letterTo, tokenIn } from '../support/mailbox.ts'
import { PANADERIA } from './cast.ts'
import type { Recorder } from './recorder.ts'

const EMAIL = 'rosa@panaderianandu.cl'
const PASSWORD = 'marraqueta con palta'

export interface Opened {
  readonly session: string
  readonly account_id: string
}

/** Opens the account that the other scenes play in; its address is confirmed. */
export async function openAccount(film: Recorder): Promise<Opened> {
  const { world } = film
  const bootstrap = {
    sandbox_key: { name: 'Caja 1' },
    empresa: { rut: PANADERIA.rut, legal_name: PANADERIA.legal_name },
  }
  const credentials = { email: EMAIL, password: PASSWORD }
  const registered = await film.play('account.register', {
    body: { ...credentials, name: 'Panadería Ñandú', bootstrap },
  })
  const first = registered.body.data.token
  await film.play('account.resend_verification', { session: first })
  const token = tokenIn(await letterTo(world, EMAIL, /Confirma tu correo/))
  await film.play('account.verify_email', { body: { token } })
  const { token: session } = (await film.play('account.login', { body: credentials })).body.data
  const { account } = (await film.play('account.session', { session })).body.data
  return { session, account_id: account.id }
}

/** The rest of what a person does with an account, played on accounts that nobody needs afterwards. */
export async function lookAfterAccount(film: Recorder): Promise<void> {
  const { world } = film
  const email = 'luis@panaderianandu.cl'
  const fresh = 'hallulla con quesillo'
  const opened = await film.play('account.register', { body: { email, password: PASSWORD } })
  await film.play('account.change_password', {
    session: opened.body.data.token,
    body: { current_password: PASSWORD, password: fresh },
  })
  await film.play('account.forgot_password', { body: { email } })
  const reset = tokenIn(await letterTo(world, email, /contraseña nueva/))
  await film.play('account.reset_password', { body: { token: reset, password: PASSWORD } })
  const login = async (password: string) =>
    (await film.play('account.login', { body: { email, password } })).body.data.token
  await film.play('account.change_email', {
    session: await login(PASSWORD),
    body: { email: 'gerencia@panaderianandu.cl', password: PASSWORD },
  })
  const moved = tokenIn(await letterTo(world, 'gerencia@panaderianandu.cl', /nuevo correo/))
  await film.play('account.verify_email', { body: { token: moved } })
  const back = tokenIn(await letterTo(world, email, /Cambió el correo/))
  await film.play('account.restore_email', { body: { token: back } })

  const stranger = 'alguien@ejemplo.cl'
  const squatted = await film.play('account.register', { body: { email: stranger, password: PASSWORD } })
  await film.play('account.logout', { session: squatted.body.data.token })
  const disown = tokenIn(await letterTo(world, stranger, /Confirma tu correo/))
  await film.play('account.disown', { body: { token: disown } })

  const last = await film.play('account.register', { body: { email: 'cierra@ejemplo.cl', password: PASSWORD } })
  await film.play('account.close', { session: last.body.data.token, body: { password: PASSWORD } })
}
