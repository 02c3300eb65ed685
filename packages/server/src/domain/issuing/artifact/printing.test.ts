import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue } from '../../../../test/support/insert-document.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { type Printer, PrinterBusy, type PrintOrder } from '../../../ports/printer.ts'

const codeOf = (sent: { status: number; body: { error: { code: string } } }) => [sent.status, sent.body.error.code]
const pdfPath = (id: string) => `/v1/documents/${id}/pdf`
const xmlPath = (id: string) => `/v1/documents/${id}/xml`

describe('a printer that is told what to do', () => {
  const orders: PrintOrder[] = []
  let print: (order: PrintOrder) => Promise<Uint8Array>
  const printer: Omit<Printer, 'measureLogo'> = {
    print: (order) => {
      orders.push(order)
      return print(order)
    },
    close: async () => undefined,
  }
  let world: World
  let issuer: Issuer
  beforeAll(async () => {
    world = await openWorld({ printer })
    issuer = await openIssuer(world, { scopes: ['documents:read', 'empresas:write'] })
  })
  afterAll(() => world.close())

  it('is asked once for a page that many ask for at once, and never again', async () => {
    print = async () => Buffer.from('%PDF one')
    const { id } = await issue(world, issuer)
    const before = orders.length
    const sent = await Promise.all(Array.from({ length: 8 }, () => issuer.get(pdfPath(id))))
    expect(new Set(sent.map(({ text }) => text))).toEqual(new Set(['%PDF one']))
    print = async () => Buffer.from('%PDF two')
    expect((await issuer.get(pdfPath(id))).text).toBe('%PDF one')
    expect(orders.length).toBe(before + 1)
  })

  it('503 service_unavailable with Retry-After when too many wait, and nothing wrong is kept', async () => {
    print = async () => {
      throw new PrinterBusy()
    }
    const { id } = await issue(world, issuer)
    const busy = await issuer.get(pdfPath(id))
    expect(codeOf(busy)).toEqual([503, 'service_unavailable'])
    expect(Number(busy.headers['retry-after'])).toBeGreaterThan(0)
    print = async () => Buffer.from('%PDF later')
    expect((await issuer.get(pdfPath(id))).text).toBe('%PDF later')
  })

  it('500 internal_error when a page cannot be printed, and the next one can', async () => {
    print = async () => {
      throw new Error('no timbre')
    }
    const { id } = await issue(world, issuer)
    expect(codeOf(await issuer.get(pdfPath(id)))).toEqual([500, 'internal_error'])
    print = async () => Buffer.from('%PDF good')
    expect((await issuer.get(pdfPath(id))).status).toBe(200)
  })

  it('prints a live document without a watermark', async () => {
    print = async () => Buffer.from('%PDF live')
    const live = await openIssuer(world, { mode: 'live', scopes: ['documents:read'] })
    const { id } = await issue(world, live)
    expect((await live.get(pdfPath(id))).status).toBe(200)
    expect(orders.at(-1)).toMatchObject({ watermark: null })
    await issuer.get(pdfPath((await issue(world, issuer)).id))
    expect(orders.at(-1)).toMatchObject({ watermark: 'SIN VALOR TRIBUTARIO' })
  })

  it('prints for an empresa that is gone no more, and what was kept for it goes too', async () => {
    print = async () => Buffer.from('%PDF kept')
    const gone = await openIssuer(world, { scopes: ['documents:read', 'empresas:write'] })
    const { id } = await issue(world, gone)
    await gone.get(pdfPath(id))
    const kept = async () => (await world.artifacts()).filter((file) => file.includes(gone.empresa_id))
    expect(await kept()).toHaveLength(1)
    const others = (await world.artifacts()).length - 1
    expect((await world.delete(`/v1/empresas/${gone.empresa_id}`, { key: gone.key })).status).toBe(204)
    await world.until(async () => (await kept()).length === 0)
    expect(await world.artifacts()).toHaveLength(others)
  })
})

describe('the bucket of artifacts', () => {
  it('429 rate_limited after 60 a minute, PDF and XML together, and the tightest bucket is reported', async () => {
    const print = async () => Buffer.from('%PDF')
    const world = await openWorld({ unlimited: false, printer: { print, close: async () => undefined } })
    const issuer = await openIssuer(world, { scopes: ['documents:read'] })
    const { id } = await issue(world, issuer)
    const first = await issuer.get(xmlPath(id))
    expect([first.headers['ratelimit-limit'], first.headers['ratelimit-remaining']]).toEqual(['60', '59'])
    for (let i = 1; i < 60; i++) expect((await issuer.get(i % 2 ? pdfPath(id) : xmlPath(id))).status).toBe(200)
    expect(codeOf(await issuer.get(pdfPath(id)))).toEqual([429, 'rate_limited'])
    expect((await issuer.get('/v1/documents')).status).toBe(200)
    await world.close()
  })
})

describe('while pages are printed', () => {
  it('other calls are answered in between', async () => {
    const world = await openWorld()
    const issuer = await openIssuer(world, { scopes: ['documents:read'] })
    const items = Array.from({ length: 500 }, (_, i) => ({ description: `Línea ${i}`, quantity: 1, unit_price: i }))
    const long = { tipo_dte: 39, draft: { items } } as const
    const documents = await Promise.all(Array.from({ length: 20 }, () => issue(world, issuer, long)))
    let printed = 0
    const pages = documents.map(async ({ id }) => {
      expect((await issuer.get(pdfPath(id))).status).toBe(200)
      printed++
    })
    let answered = 0
    while (printed < documents.length) {
      expect((await issuer.get('/v1/documents?limit=1')).status).toBe(200)
      if (printed > 0) answered++
    }
    await Promise.all(pages)
    // Drawn on the event loop, a page would let one call through before the next.
    expect(answered).toBeGreaterThan(3 * documents.length)
    await world.close()
  })
})
