import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMonth, PROPOSALS, SUPPLIER } from '../../../../test/support/f29-month.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type Sent, type World, type WorldOptions } from '../../../../test/support/world.ts'
import { documentRoutes, f29Routes } from '../../../http/page-routes/public-links.ts'
import { systemNow } from '../../../kernel/clock.ts'

const PERIOD = '2025-10'
const LINKS = `${PROPOSALS}/${PERIOD}/public_links`
const plain: WorldOptions['plain'] = (db, parts) => [
  ...f29Routes({ sql: db.sql, ...parts }),
  ...documentRoutes({ sql: db.sql, ...parts }),
]

let world: World
beforeAll(async () => {
  world = await openWorld({ plain })
})
afterAll(() => world.close())

const pathOf = (sent: Sent) => new URL(sent.body.url).pathname
const statusAt = async (path: string) => (await world.get(path)).status
const revoke = (whose: Issuer) => world.delete(LINKS, { key: whose.key, empresa: whose.rut })
const refusal = (sent: Sent) => [sent.status, sent.body.error.code]

describe('POST /tax/f29/proposals/{period}/public_links', () => {
  it('201 hands out an address once; another one takes its place, and it opens no document', async () => {
    const own = await openIssuer(world)
    await own.post(`${PROPOSALS}/${PERIOD}/recompute`, {})
    const first = await own.post(LINKS, {})
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ object: 'public_link', period: PERIOD, expires_at: null })
    expect(first.body.url).toMatch(/^http:\/\/timbre\.test\/f\/[A-Za-z0-9]{43}$/)
    expect(await statusAt(pathOf(first))).toBe(200)
    expect(await statusAt(pathOf(first).replace('/f/', '/d/'))).toBe(404)
    const second = await own.post(LINKS, {})
    expect([await statusAt(pathOf(first)), await statusAt(pathOf(second))]).toEqual([404, 200])
  })

  it('201 leaves exactly one living link when many are minted at once', async () => {
    const own = await openIssuer(world)
    await own.post(`${PROPOSALS}/${PERIOD}/recompute`, {})
    const sent = await Promise.all(Array.from({ length: 5 }, () => own.post(LINKS, {})))
    const alive = await Promise.all(sent.map((one) => statusAt(pathOf(one))))
    expect(alive.filter((status) => status === 200)).toHaveLength(1)
  })

  it('201 takes an end by the clock of the account, and 400 invalid_field for one that has passed', async () => {
    const own = await openIssuer(world)
    await own.post(`${PROPOSALS}/${PERIOD}/recompute`, {})
    const sent = await own.post(LINKS, { expires_at: new Date(systemNow() + 3_600_000).toISOString() })
    expect(await statusAt(pathOf(sent))).toBe(200)
    await world.db.sql`
      insert into test_clock (account_id, empresa_id, offset_ms) values (${own.account}, ${own.empresa_id}, 3600000)`
    expect(await statusAt(pathOf(sent))).toBe(404)
    expect(refusal(await own.post(LINKS, { expires_at: '2020-01-01T00:00:00Z' }))).toEqual([400, 'invalid_field'])
    expect(refusal(await own.post(LINKS, { cedible: true }))).toEqual([400, 'invalid_field'])
  })

  it('404 f29_proposal_not_found where there is none to share', async () => {
    const own = await openIssuer(world)
    expect(refusal(await own.post(LINKS, {}))).toEqual([404, 'f29_proposal_not_found'])
    expect(refusal(await revoke(own))).toEqual([404, 'f29_proposal_not_found'])
  })
})

describe('DELETE /tax/f29/proposals/{period}/public_links', () => {
  it('204 revokes it at once, and again without harm', async () => {
    const own = await openIssuer(world)
    await own.post(`${PROPOSALS}/${PERIOD}/recompute`, {})
    const sent = await own.post(LINKS, {})
    for (let i = 0; i < 2; i++) expect((await revoke(own)).status).toBe(204)
    expect(await statusAt(pathOf(sent))).toBe(404)
    expect(await statusAt(pathOf(await own.post(LINKS, {})))).toBe(200)
  })
})

describe('the page of an accountant', () => {
  it('shows the codes with their documents, the day it is due and what to look at, and nobody may keep it', async () => {
    const own = await openMonth(world, PERIOD)
    const overrides = [{ code: 723, amount: 5, reason: 'SENCE <b>de octubre</b>' }]
    await own.post(`${PROPOSALS}/${PERIOD}/recompute`, { overrides })
    const page = await world.get(pathOf(await own.post(LINKS, {})))
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['x-robots-tag']).toContain('noindex')
    for (const text of [
      'Formulario 29 de octubre de 2025',
      'Comercial Ñandú SpA',
      '20 de noviembre de 2025',
      'Facturas emitidas del giro',
      '$\u00a0285.000',
      'Hay una compra sin acuse de recibo',
      'SENCE &lt;b&gt;de octubre&lt;/b&gt;',
      '76.192.083-9',
      'SIN VALOR TRIBUTARIO',
    ]) {
      expect(page.text).toContain(text)
    }
    expect(page.text).not.toContain('<script')
    expect(page.text).not.toContain(own.empresa_id)
  })

  it('shows the dearest forty documents of a code and says how many more there are', async () => {
    const sales = Array.from({ length: 45 }, (_, i) => ({
      tipo_doc: 33,
      folio: 7000 + i,
      counterparty_rut: SUPPLIER,
      net: 1_000 + i,
      iva: 190,
    }))
    const own = await openMonth(world, PERIOD, { sales })
    const page = await world.get(pathOf(await own.post(LINKS, {})))
    const [, behind = ''] = page.text.split('<span class="code">502</span>')
    const shown = [...(behind.split('</details>')[0] ?? '').matchAll(/33 · (\d+)/g)].map(([, folio]) => Number(folio))
    expect(shown).toEqual(Array.from({ length: 40 }, (_, i) => 7044 - i))
    expect(page.text).toContain('Y 5 documentos más')
  })

  it('escapes what a supplier calls itself', async () => {
    const evil = { counterparty_name: '<img src=x onerror=alert(1)>', counterparty_rut: SUPPLIER, net: 100, iva: 19 }
    const other_taxes = [{ code: 24, rate: 31.5, amount: 31 }]
    const own = await openMonth(world, PERIOD, { purchases: [{ tipo_doc: 33, folio: 1, ...evil, other_taxes }] })
    const page = await world.get(pathOf(await own.post(LINKS, {})))
    // The tax of article 42 has its block and, behind each code, its column.
    expect(page.text).toContain('Impuestos adicionales (arts. 37 y 42)')
    expect(page.text).toContain('Otros impuestos')
    expect(page.text).toContain('&lt;img src=x')
    expect(page.text).not.toContain('<img')
  })

  it('429 after sixty in a minute, by the link', async () => {
    const beside = await openWorld({ beside: world, plain, unlimited: false })
    const own = await openIssuer(world)
    await own.post(`${PROPOSALS}/${PERIOD}/recompute`, {})
    const path = pathOf(await own.post(LINKS, {}))
    const seen: number[] = []
    for (let i = 0; i < 61; i++) seen.push((await beside.get(path)).status)
    expect([seen.slice(0, 60).every((status) => status === 200), seen[60]]).toEqual([true, 429])
    await beside.close()
  })
})
