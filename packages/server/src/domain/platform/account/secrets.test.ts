import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { letterTo, restOfPost, tokenIn } from '../../../../test/support/mailbox.ts'
import { openWorld, randomRut, type Sent, type World } from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Every row of every table, as text. */
async function wholeDatabase(): Promise<string> {
  const tables = await world.db.sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`
  const client = await world.db.connect()
  const held: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
    held.push(...rows.map(({ row }) => row))
  }
  await client.end()
  return held.join('\n')
}

it('keeps no password, token or secret in clear: not in the database, not in the log, not in a later answer', async () => {
  const email = `${randomUUID()}@example.cl`
  const [first, second, third] = ['primera clave larga', 'segunda clave larga', 'tercera clave larga']
  const answers: Sent[] = []
  const post = async (path: string, body: object, session?: string) => {
    const sent = await world.post(path, { body, ...(session !== undefined && { session }) })
    answers.push(sent)
    return sent
  }
  const bootstrap = { empresa: { rut: randomRut(), legal_name: 'Uno SpA' } }
  const { token: opened, api_key } = (await post('/account/register', { email, password: first, bootstrap })).body.data
  const confirm = tokenIn(await letterTo(world, email, /Confirma tu correo/))
  await post('/account/verify_email', { token: confirm })
  const login = { email, password: first }
  const { token } = (await world.post('/account/login', { body: login })).body.data
  await post('/account/login', { email, password: 'clave equivocada' })
  await post('/account/change_password', { current_password: first, password: second }, token)
  await post('/account/forgot_password', { email })
  const reset = tokenIn(await letterTo(world, email, /Crea una contraseña nueva/))
  await post('/account/reset_password', { token: reset, password: third })
  await restOfPost(world)

  const secrets = [first, second, third, 'clave equivocada', confirm, reset, api_key.secret, opened, token]
  const held = await wholeDatabase()
  expect(held).toContain(email)
  expect(held).toMatch(/\$argon2id\$v=19\$/)
  const told = world.log_lines.join('\n')
  expect(told).toContain('account.reset_password')
  for (const secret of secrets) {
    expect(held).not.toContain(secret)
    expect(held).not.toContain(Buffer.from(secret).toString('base64').slice(4, -4))
    expect(held).not.toContain(Buffer.from(secret).toString('hex'))
    expect(told).not.toContain(secret)
    for (const { text } of answers.slice(1)) expect(text).not.toContain(secret)
  }
  expect(told).not.toContain(email)
})
