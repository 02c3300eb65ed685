import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmed, letterTo, newPerson, restOfPost, tokenIn } from '../../../test/support/mailbox.ts'
import { openSmtp } from '../../../test/support/smtp-server.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { smtpMail } from '../../adapters/smtp/mail.ts'
import { accountRoutes } from './account.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ plain: accountRoutes })
})
afterAll(() => world.close())

const FORM = 'application/x-www-form-urlencoded'

/** What a browser does: opens the address, then sends the form it finds there with what the person typed. */
async function fillIn(path: string, typed: Record<string, string>) {
  const page = await world.get(path)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(page.text) ?? []
  const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  const form = new URLSearchParams(typed)
  for (const [, name = '', value = ''] of hidden) form.set(name, value)
  return world.post(action, { headers: { 'content-type': FORM }, raw: form.toString() })
}

/** The address of the link in a letter, as the browser opens it. */
const linkIn = (text: string) => new URL(/http\S+\?token=\w+/.exec(text)?.[0] ?? '')
const pathOf = ({ pathname, search }: URL) => pathname + search
const login = (email: string, password: string) => world.post('/account/login', { body: { email, password } })

describe('/verificar', () => {
  it('200 confirms the address by its button; opening it, however often, uses nothing up', async () => {
    const ana = await newPerson(world)
    const path = pathOf(linkIn((await letterTo(world, ana.email, /Confirma tu correo/)).html))
    for (const method of ['GET', 'HEAD', 'GET']) expect((await world.call(method, path)).status).toBe(200)
    const verified = async () => {
      const session = (await login(ana.email, ana.password)).body.data.token
      return (await world.get('/account/session', { session })).body.data.account.email_verified
    }
    expect(await verified()).toBe(false)
    const done = await fillIn(path, {})
    expect(done.status).toBe(200)
    expect(done.text).toContain('<h1>Correo confirmado</h1>')
    expect(await verified()).toBe(true)
    const again = await fillIn(path, {})
    expect(again.status).toBe(400)
    expect(again.text).toContain('ya se usó o venció')
  })

  it('200 ends all instead, by its other button, for whoever did not open the account', async () => {
    const ana = await newPerson(world)
    const path = pathOf(linkIn((await letterTo(world, ana.email, /Confirma tu correo/)).html))
    expect((await world.get(path)).text).toContain('action="/desconocer"')
    const raw = path.slice(path.indexOf('?') + 1)
    const press = () => world.post('/desconocer', { headers: { 'content-type': FORM }, raw })
    const done = await press()
    expect([done.status, done.text.includes('<dt>Sesiones cerradas</dt><dd>1</dd>')]).toEqual([200, true])
    expect((await login(ana.email, ana.password)).status).toBe(401)
    expect((await press()).status).toBe(400)
  })

  it('200 finishes a change of address too', async () => {
    const ana = await newPerson(world)
    const email = `nueva-${ana.email}`
    await world.post('/account/change_email', { session: ana.token, body: { email, password: ana.password } })
    const path = pathOf(linkIn((await letterTo(world, email, /nuevo correo/)).text))
    expect((await fillIn(path, {})).status).toBe(200)
    expect((await login(email, ana.password)).status).toBe(200)
  })

  it('400 without a token, and a hostile one is only text', async () => {
    expect((await world.get('/verificar')).status).toBe(400)
    expect((await world.get('/verificar?token=')).status).toBe(400)
    expect((await world.get('/verificar?token=a&token=b')).status).toBe(400)
    const page = await world.get(`/verificar?token=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(page.text).not.toContain('<script')
    expect((await fillIn('/verificar?token=%22%3E', {})).status).toBe(400)
  })

  it('tells nobody where it came from, runs no script, is never cached', async () => {
    const { headers } = await world.get('/verificar?token=abc')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['svc-request-id']).toMatch(/^req_/)
  })
})

describe('/restablecer', () => {
  const typed = (password: string, repeated = password) => ({ password, repeated })
  const askFor = async (email: string) => {
    await fillIn('/recuperar', { email })
    await restOfPost(world)
    return pathOf(linkIn((await letterTo(world, email, /Crea una contraseña nueva/)).html))
  }

  it('200 leads from a forgotten password to a new one with a browser alone', async () => {
    const ana = await newPerson(world)
    const path = await askFor(ana.email)
    const done = await fillIn(path, typed('frase corta y mía'))
    expect([done.status, done.text.includes('Contraseña cambiada')]).toEqual([200, true])
    expect(done.text).toContain('<dt>Sesiones cerradas</dt><dd>1</dd>')
    expect(done.text).toContain('<dt>Claves de API que siguen</dt><dd>0</dd>')
    expect((await login(ana.email, 'frase corta y mía')).status).toBe(200)
    const again = await fillIn(path, typed('otra frase más larga'))
    expect(again.status).toBe(400)
    expect(again.text).toContain('href="/recuperar"')
  })

  it('400 asks again when the two differ or the password is weak, and the link still works', async () => {
    const ana = await newPerson(world)
    const path = await askFor(ana.email)
    const differ = await fillIn(path, typed('una frase larga', 'otra frase larga'))
    expect([differ.status, differ.text.includes('no son iguales')]).toEqual([400, true])
    const weak = await fillIn(path, typed('corta'))
    expect([weak.status, weak.text.includes('entre 10 y 200 caracteres y no ser fácil de adivinar')]).toEqual([
      400,
      true,
    ])
    for (const { text } of [differ, weak]) {
      expect(text).toContain(tokenIn(await letterTo(world, ana.email, /Crea una contraseña/)))
      expect(text).not.toMatch(/una frase larga|value="corta"/)
    }
    expect((await fillIn(path, typed('una frase larga'))).status).toBe(200)
  })
})

describe('/restaurar', () => {
  it('200 brings an account back to its old address with a browser alone, and tells what ended', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const email = `otra-${ana.email}`
    const body = { email, password: ana.password }
    await world.post('/account/change_email', { session: ana.token, body })
    await fillIn(pathOf(linkIn((await letterTo(world, email, /nuevo correo/)).html)), {})
    const path = pathOf(linkIn((await letterTo(world, ana.email, /Cambió el correo/)).html))
    expect((await world.get(path)).text).toContain('Volver a mi correo')
    const done = await fillIn(path, {})
    expect([done.status, done.text.includes(`<strong>${ana.email}</strong>`)]).toEqual([200, true])
    expect(done.text).toContain('<dt>Sesiones cerradas</dt><dd>1</dd>')
    expect((await fillIn(path, {})).status).toBe(400)
  })
})

describe('/recuperar', () => {
  it('200 says the same for an address nobody has', async () => {
    const ana = await newPerson(world)
    const known = await fillIn('/recuperar', { email: ana.email })
    const unknown = await fillIn('/recuperar', { email: 'nadie@example.cl' })
    expect([known.status, unknown.text]).toEqual([200, known.text])
  })

  it('400 shows the form again for what is no address', async () => {
    const sent = await fillIn('/recuperar', { email: 'ana' })
    expect([sent.status, sent.text.includes('role="alert"')]).toEqual([400, true])
  })

  it('429 counts a form as it counts a call', async () => {
    const counted = await openWorld({ plain: accountRoutes, unlimited: false })
    const send = () => counted.post('/recuperar', { headers: { 'content-type': FORM }, raw: 'email=ana%40example.cl' })
    for (let i = 0; i < 5; i++) expect((await send()).status).toBe(200)
    const sent = await send()
    expect([sent.status, sent.headers['retry-after']]).toEqual([429, '3600'])
    expect(sent.text).toContain('Demasiados intentos')
    const call = await counted.post('/account/forgot_password', { body: { email: 'ana@example.cl' } })
    expect(call.status).toBe(429)
    await counted.close()
  })
})

describe('a form', () => {
  const post = (path: string, raw: string, type = FORM) => world.post(path, { headers: { 'content-type': type }, raw })

  it('413 beyond 16 KiB, with a page', async () => {
    const sent = await post('/recuperar', `email=${'a'.repeat(17_000)}`)
    expect([sent.status, sent.text.includes('demasiado largo')]).toEqual([413, true])
  })

  it('415 unsupported_media_type on an operation, which takes JSON alone', async () => {
    const sent = await post('/account/login', 'email=ana%40example.cl&password=x')
    expect([sent.status, sent.body.errors]).toEqual([415, ['unsupported_media_type']])
  })

  it('400 for whatever is not what the page sent', async () => {
    expect((await post('/verificar', '')).status).toBe(400)
    expect((await post('/verificar', 'token=%00%ff&token[]=x&__proto__=y')).status).toBe(400)
    expect((await post('/recuperar', '{"email":"ana@example.cl"}', 'application/json')).status).toBe(400)
  })

  it('405 method_not_allowed names what the page takes', async () => {
    const sent = await world.call('PUT', '/verificar')
    expect([sent.status, sent.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

it('leads from signing up to a confirmed address through a real mail server', async () => {
  const { port, received } = await openSmtp()
  const mail = smtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'Timbre <no-responder@timbre.cl>' })
  const posted = await openWorld({ plain: accountRoutes, mail })
  const body = { email: 'ana@example.cl', password: 'una clave larga' }
  await posted.post('/account/register', { body })
  for (let i = 0; i < 6_000 && received.length === 0; i++) await sleep(10)
  expect(received[0]?.envelope.to).toEqual(['ana@example.cl'])
  const { html = '', text = '' } = await PostalMime.parse(received[0]?.raw ?? '')
  const token = linkIn(text).searchParams.get('token') ?? ''
  expect(linkIn(html).searchParams.get('token')).toBe(token)
  const raw = new URLSearchParams({ token }).toString()
  expect((await posted.post('/verificar', { headers: { 'content-type': FORM }, raw })).status).toBe(200)
  const session = (await posted.post('/account/login', { body })).body.data.token
  expect((await posted.get('/account/session', { session })).body.data.account.email_verified).toBe(true)
  await posted.close()
})

it('405 of what only a form is sent to is a page in Spanish for a person, and an error for a program', async () => {
  const page = await world.get('/desconocer', { headers: { accept: 'text/html,application/xhtml+xml' } })
  expect([page.status, page.headers.allow]).toEqual([405, 'POST'])
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.text).toContain('lang="es-CL"')
  const refused = await world.get('/desconocer')
  expect([refused.status, refused.body.error.code]).toEqual([405, 'method_not_allowed'])
})
