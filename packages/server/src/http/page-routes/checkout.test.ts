import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restOfPost } from '../../../test/support/mailbox.ts'
import { OPERATOR_EMAIL, OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../test/support/world.ts'
import { checkoutRoutes } from './checkout.ts'

let world: World
let key: string
let account: string
beforeAll(async () => {
  const addresses = { public_url: 'http://timbre.test', operator_email: OPERATOR_EMAIL }
  world = await openWorld({
    plain: (db, parts) => checkoutRoutes({ sql: db.sql, ...parts, addresses: addresses as never }),
  })
  account = await world.account()
  key = await world.key(account, { mode: 'live' })
})
afterAll(() => world.close())

interface Made {
  readonly id: string
  readonly rut: string
  readonly path: string
}

async function make(as = key): Promise<Made> {
  const body = { rut: randomRut(), legal_name: 'Panadería <Ñandú> SpA', origen: 'mercado' }
  const { id, rut } = (await world.post('/v1/empresas', { key: as, body })).body
  const { checkout_url } = (await world.get(`/v1/empresas/${id}/subscription`, { key: as })).body
  return { id, rut, path: new URL(checkout_url).pathname }
}

const ask = (path: string) =>
  world.post(path, { raw: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
const letters = async ({ rut }: Made) => {
  await restOfPost(world)
  return world.letters.filter(({ to, text }) => to === OPERATOR_EMAIL && text.includes(rut))
}

describe('the page where an empresa is subscribed', () => {
  it('200 tells the price, the empresa without its whole RUT and whom to reach, privately and without script', async () => {
    const one = await make()
    const page = await world.get(one.path)
    expect(page.status).toBe(200)
    for (const said of [
      '$ 19.990',
      '$ 3.798',
      '$ 23.788',
      'Panadería &lt;Ñandú&gt; SpA',
      OPERATOR_EMAIL,
      'Pedir la suscripción',
    ])
      expect(page.text).toContain(said)
    expect(page.text).not.toContain(one.rut)
    expect(page.text).not.toContain('<script')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect([page.headers['cache-control'], page.headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
    expect(await letters(one)).toEqual([])
  })

  it('writes to the operator once, however often it is pressed at once, and says since when they know', async () => {
    const one = await make()
    const pages = await Promise.all([ask(one.path), ask(one.path), ask(one.path)])
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { text } of [...pages, await world.get(one.path)]) {
      expect(text).toMatch(/Ya lo pedimos el \d+ de \w+ de \d{4} a las \d\d:\d\d/)
      expect(text).not.toContain('<form')
    }
    const [letter, ...more] = await letters(one)
    expect(more).toEqual([])
    expect(letter?.text).toContain(account)
    expect(letter?.text).toContain(one.id)
    expect(letter?.reply_to).toMatch(/@example\.cl$/)
  })

  it('may be asked again a day later', async () => {
    const one = await make()
    await ask(one.path)
    await world.db.sql`
      update subscription_request set requested_at = requested_at - interval '1 day' where empresa_id = ${one.id}`
    expect((await world.get(one.path)).text).toMatch(/Ya lo pedimos el[\s\S]*Pedirla otra vez/)
    await ask(one.path)
    expect(await letters(one)).toHaveLength(2)
  })

  it('asks for nothing where it is paid, of the house or a sandbox, though somebody presses', async () => {
    const paid = await make()
    const headers = { 'svc-operator-secret': OPERATOR_SECRET }
    await world.post(`/v1/empresas/${paid.id}/subscription`, { headers, body: { status: 'active' } })
    const house = await make(await world.key(await world.account({ plan: 'house' }), { mode: 'live' }))
    const sandbox = await make(await world.key(account))
    for (const [one, said] of [
      [paid, 'Al día hasta el'],
      [house, 'no paga por emitir'],
      [sandbox, 'empresa de prueba'],
    ] as const) {
      const page = await ask(one.path)
      expect(page.text).toContain(said)
      expect(page.text).not.toContain('<form')
      expect(await letters(one)).toEqual([])
    }
  })

  it('404 for an address that was changed, that has ended, or whose empresa is over', async () => {
    const one = await make()
    const other = await make()
    const at = (path: string) => path.lastIndexOf('/') + 1
    const moved = other.path.slice(0, at(other.path) + 26) + one.path.slice(at(one.path) + 26)
    const longer = `${one.path.slice(0, at(one.path) + 26)}zzzz${one.path.slice(at(one.path) + 30)}`
    for (const path of [moved, longer, '/suscripcion/x', `${one.path}x`])
      expect([path, (await world.get(path)).status]).toEqual([path, 404])
    await world.patch(`/v1/empresas/${one.id}`, { key, body: { status: 'archived' } })
    expect([(await world.get(one.path)).status, (await ask(one.path)).status]).toEqual([404, 404])
  })
})
