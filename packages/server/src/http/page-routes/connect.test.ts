import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectRoutes, openBanked } from '../../../test/support/bank-connection.ts'
import { openWorld, type Sent, type World } from '../../../test/support/world.ts'
import { fintocBank } from '../../adapters/fintoc/bank.ts'
import type { Database } from '../../kernel/db.ts'
import { type Bank, BankFailure, type LinkQuestion } from '../../ports/bank.ts'
import { sandboxBank } from '../../sandbox/bank/bank.ts'

const pathOf = ({ body }: Sent) => new URL(body.link.url).pathname
const post = (world: World, path: string, fields: Record<string, string>) =>
  world.post(path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

function expectPrivate(sent: Sent): void {
  expect(sent.headers['x-robots-tag']).toContain('noindex')
  expect(sent.headers['cache-control']).toBe('no-store')
  expect(sent.headers['referrer-policy']).toBe('no-referrer')
}

describe('the page where a person links a bank, in test mode', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ plain: connectRoutes })
  })
  afterAll(() => world.close())

  it('200 shows the banks of the sandbox without any script, and one press links', async () => {
    const own = await openBanked(world, { empresa: { legal_name: 'Panadería <Ñandú> SpA' } })
    const made = await own.connect({ institution: 'banco_corrector' })
    const page = await world.get(pathOf(made))
    expect(page.status).toBe(200)
    expectPrivate(page)
    expect(page.text).toContain('Panadería &lt;Ñandú&gt; SpA')
    expect(page.text).toMatch(/value="sandbox_banco_corrector" required checked/)
    expect(page.text).not.toContain('<script')
    expect(page.headers['content-security-policy']).not.toContain('script-src')
    const done = await post(world, pathOf(made), { exchange_token: 'sandbox_banco_prueba' })
    expect([done.status, done.text.includes('tu banco quedó conectado')]).toEqual([200, true])
    expectPrivate(done)
    const shown = (await own.show(made.body.id)).body
    expect(shown).toMatchObject({ status: 'active', institution: { id: 'banco_prueba' } })
    const [event] = await own.events('connection.active')
    expect(event.empresa).toEqual({ id: own.empresa_id, rut: own.rut })
    await expect.poll(async () => (await own.show(made.body.id)).body.last_synced_at).toEqual(expect.any(String))
  })

  it('404 once it was used, once it expired on the clock of the account, once it was replaced, and for any other slug', async () => {
    const own = await openBanked(world)
    const used = await own.connect()
    await post(world, pathOf(used), { exchange_token: 'sandbox_banco_prueba' })
    const replaced = await own.connect()
    const again = await own.post(`/v1/connections/${replaced.body.id}/reconnect`)
    const expired = await own.connect()
    expect((await world.get(pathOf(again))).status).toBe(200)
    await own.advance('PT31M')
    const deleted = await own.connect()
    await own.remove(deleted.body.id)
    for (const path of [...[used, replaced, again, expired, deleted].map(pathOf), `/connect/${'a'.repeat(43)}`]) {
      const [shown, sent] = [await world.get(path), await post(world, path, { exchange_token: 'sandbox_banco_prueba' })]
      expect([shown.status, sent.status]).toEqual([404, 404])
      expectPrivate(shown)
    }
    expect((await own.show(expired.body.id)).body.status).toBe('pending_link')
  })

  it('422 for a choice that is none, and the page works on', async () => {
    const own = await openBanked(world)
    const made = await own.connect()
    for (const fields of [
      {},
      { exchange_token: '' },
      { exchange_token: 'sandbox_x' },
      { exchange_token: 'ñ'.repeat(9) },
    ]) {
      const sent = await post(world, pathOf(made), fields as Record<string, string>)
      expect([sent.status, sent.text.includes(pathOf(made))]).toEqual([422, true])
    }
    expect((await world.get(pathOf(made))).status).toBe(200)
  })

  it('429 after sixty looks a minute', async () => {
    const strict = await openWorld({ plain: connectRoutes, unlimited: false })
    const own = await openBanked(strict)
    const made = await own.connect()
    const looks = []
    for (let i = 0; i < 61; i++) looks.push((await strict.get(pathOf(made))).status)
    expect(looks).toEqual([...Array(60).fill(200), 429])
    await strict.close()
  })
})

describe('the page where a person links a bank, with the widget of a provider', () => {
  let world: World
  let away = false
  beforeAll(async () => {
    // The provider's page over the sandbox: what the page shows follows from the port alone.
    let db: Database | null = null
    const own = () => sandboxBank({ sql: (db as Database).sql })
    const bank: Bank = {
      ...sandboxBank({ sql: (async () => []) as never }),
      page: fintocBank({
        url: 'http://127.0.0.1:1',
        secret_key: '',
        public_key: '',
        webhook_secret: null,
        version: null,
      }).page,
      async exchange(question: LinkQuestion & { exchange_token: string }) {
        if (away) throw new BankFailure('unreachable', 'away')
        return own().exchange(question)
      },
    }
    world = await openWorld({
      test_bank: () => bank,
      plain: (opened, parts) => {
        db = opened
        return connectRoutes(opened, parts)
      },
    })
  })
  afterAll(() => world.close())

  it('200 loads the script of the provider and ours, and nothing else may run or be shown', async () => {
    const own = await openBanked(world)
    const made = await own.connect()
    const page = await world.get(pathOf(made))
    expect(page.text).toContain(`data-widget-token="${made.body.link.widget_token}"`)
    expect(page.text).toContain(`data-public-key="${made.body.link.public_key}"`)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("script-src 'self' https://js.fintoc.com;")
    expect(policy).toContain('frame-src https://*.fintoc.com;')
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(page.text).not.toMatch(/<script>|onclick/)
    expect(page.text).toContain('una ventana de Fintoc')
    const script = await world.get('/connect.js')
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(script.text).toContain('Fintoc.create')
    expectPrivate(page)
  })

  it('503 in words for a person while the provider is away, and the link is not spent', async () => {
    const own = await openBanked(world)
    const made = await own.connect()
    away = true
    const sent = await post(world, pathOf(made), { exchange_token: 'sandbox_banco_prueba' })
    away = false
    expect([sent.status, sent.headers['retry-after']]).toEqual([503, '60'])
    expect(sent.text).toContain('Algo falló de nuestro lado')
    expect((await post(world, pathOf(made), { exchange_token: 'sandbox_banco_prueba' })).status).toBe(200)
  })
})
