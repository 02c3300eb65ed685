import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readText } from '../../../../dte/test/pdf/extract.ts'
import { issue } from '../../../test/support/insert-document.ts'
import { type Issuer, openIssuer } from '../../../test/support/issuer.ts'
import { openWorld, type Sent, type World, type WorldOptions } from '../../../test/support/world.ts'
import { PrinterBusy } from '../../ports/printer.ts'
import { documentRoutes } from './public-links.ts'

const plain: WorldOptions['plain'] = (db, parts) => documentRoutes({ sql: db.sql, ...parts })

async function linkTo(issuer: Issuer, id: string, body: object = {}): Promise<string> {
  const sent = await issuer.post(`/v1/documents/${id}/public_links`, body)
  return new URL(sent.body.url).pathname
}

/** The text a person reads, without the markup. */
const words = ({ text }: Sent) =>
  text
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

function expectPrivate(sent: Sent): void {
  expect(sent.headers['x-robots-tag']).toContain('noindex')
  expect(sent.headers['cache-control']).toBe('no-store')
  expect(sent.headers['referrer-policy']).toBe('no-referrer')
}

describe('the page of a public link', () => {
  let world: World
  let issuer: Issuer
  beforeAll(async () => {
    world = await openWorld({ plain })
    issuer = await openIssuer(world)
  })
  afterAll(() => world.close())

  it('200 tells who, to whom, what, when and how much, the way it is written in Chile', async () => {
    const { id, folio } = await issue(world, issuer)
    const path = await linkTo(issuer, id)
    const sent = await world.get(path)
    expect([sent.status, sent.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const part of [
      `Factura electrónica N° ${folio}`,
      'Viña y Bodegas Peñalolén SpA',
      'Distribuidora Ñuble &amp; Compañía Limitada',
      'RUT 77.123.456-9',
      '10 de noviembre de 2026',
      'Neto $ 2.372.400',
      'IVA $ 450.756',
      'Total $ 2.823.156',
      'Aceptado por el SII de prueba',
      'SIN VALOR TRIBUTARIO',
    ]) {
      expect(words(sent)).toContain(part)
    }
    for (const target of [`${path}/pdf"`, `${path}/pdf?descargar=1"`, `${path}/xml"`])
      expect(sent.text).toContain(target)
  })

  it('200 is the PDF itself for a program that asks for one, and the page for everybody else', async () => {
    const { id } = await issue(world, issuer)
    const path = await linkTo(issuer, id)
    const typeFor = async (accept: string) => (await world.get(path, { headers: { accept } })).headers['content-type']
    expect(await typeFor('application/pdf')).toBe('application/pdf')
    for (const accept of ['*/*', 'text/html,application/pdf;q=0.9,*/*;q=0.8']) {
      expect(await typeFor(accept)).toBe('text/html; charset=utf-8')
    }
    const asked = await world.get(path, { headers: { accept: 'application/pdf' } })
    expect(asked.bytes).toEqual((await world.get(`${path}/pdf`)).bytes)
  })

  it('200 runs no script, is found by no search, kept by nobody and tells no one where its reader came from', async () => {
    const { id } = await issue(world, issuer)
    const path = await linkTo(issuer, id)
    for (const address of [path, `${path}/pdf`, `${path}/xml`, '/d/nadie', '/d/nadie/pdf']) {
      expectPrivate(await world.get(address))
    }
    const policy = (await world.get(path)).headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/script-src|unsafe/)
  })

  it('200 shows names as text, whatever they look like', async () => {
    const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
    const { id } = await issue(world, issuer, {
      draft: {
        receptor: { rut: '77123456-9', legal_name: evil, giro: 'x', address: { street: 'y', comuna: 'z' } },
        items: [{ description: evil.slice(0, 60), quantity: 2, unit_price: 10 }],
      },
    })
    const { text } = await world.get(await linkTo(issuer, id))
    expect(text).not.toMatch(/<script|<img/)
    expect(text).toContain('&lt;script&gt;alert(1)')
  })

  it('200 says in plain words where it stands, and offers nothing to download before there is anything', async () => {
    for (const [status, says] of [
      ['queued', 'Se está emitiendo'],
      ['sent', 'Falta que el SII de prueba lo confirme'],
      ['reparo', 'con reparos'],
      ['rejected', 'Rechazado por el SII de prueba'],
      ['annulled', 'Anulado con una nota de crédito'],
      ['failed', 'No se pudo emitir'],
    ] as const) {
      const signed = status !== 'queued' && status !== 'failed'
      const { id } = await issue(world, issuer, { status, signed })
      const path = await linkTo(issuer, id)
      const sent = await world.get(path)
      expect(words(sent)).toContain(says)
      expect(sent.text.includes(`${path}/pdf`)).toBe(signed)
      if (signed) continue
      const early = await world.get(`${path}/pdf`)
      expect([early.status, words(early)]).toEqual([409, expect.stringContaining('Todavía no está listo')])
    }
  })

  it('200 shows what each amount is made of, what was taken off, and when it is due', async () => {
    const { id } = await issue(world, issuer, {
      draft: {
        items: [
          { description: 'Pan amasado', quantity: 40, unit: 'kg', unit_price: 2100.5, discount: { amount: 4000 } },
          { description: 'Despacho', quantity: 1, unit_price: 5000, surcharge: { percent: 10 } },
        ],
        discounts: [{ percent: 5, reason: 'Cliente frecuente' }],
        payment: { form: 'credit', due_date: '2026-12-10' },
      },
    })
    const seen = words(await world.get(await linkTo(issuer, id)))
    expect(seen).toContain('Pan amasado 40 kg × $ 2.100,5 c/u, descuento -$ 4.000 $ 80.020')
    expect(seen).toContain('Despacho $ 5.000, recargo $ 500 $ 5.500')
    expect(seen).toMatch(/Descuento 5 %: Cliente frecuente -\$ 4\.276/)
    expect(seen).toContain('Vence 10 de diciembre de 2026')
  })

  it('200 of one that is not valid says first what to do, and invites nobody to its PDF', async () => {
    for (const status of ['rejected', 'annulled'] as const) {
      const { id } = await issue(world, issuer, { status })
      const path = await linkTo(issuer, id)
      const { text } = await world.get(path)
      expect(text).not.toContain('class="button')
      expect(text.indexOf('Qué hacer')).toBeLessThan(text.indexOf('<article'))
      expect(text.indexOf(`${path}/pdf`)).toBeGreaterThan(text.indexOf('</article>'))
      expect(text).not.toContain('¿Cómo lo verifico?')
    }
  })

  it('200 tells how to verify a live document, and that nothing of it is a test', async () => {
    const live = await openIssuer(world, { mode: 'live' })
    const { id } = await issue(world, live)
    const sent = words(await world.get(await linkTo(live, id)))
    expect(sent).toContain('www.sii.cl')
    expect(sent).toContain('Aceptado por el SII.')
    expect(sent).not.toMatch(/prueba|SIN VALOR/)
  })

  it('200 gives the PDF to see or to keep, the copy the link names, and the very XML', async () => {
    const { id, folio, xml } = await issue(world, issuer)
    const [plainPath, cediblePath] = [await linkTo(issuer, id), await linkTo(issuer, id, { cedible: true })]
    const pdf = await world.get(`${plainPath}/pdf`)
    expect([pdf.headers['content-type'], pdf.headers['content-disposition']]).toEqual([
      'application/pdf',
      `inline; filename="${issuer.rut}-T33-F${folio}.pdf"`,
    ])
    expect((await world.get(`${plainPath}/pdf?descargar=1`)).headers['content-disposition']).toMatch(/^attachment; /)
    expect(readText(pdf.bytes)).not.toContain('CEDIBLE')
    expect(readText((await world.get(`${cediblePath}/pdf`)).bytes)).toContain('CEDIBLE')
    const file = await world.get(`${plainPath}/xml`)
    expect(file.headers['content-disposition']).toMatch(/^attachment; /)
    expect(file.bytes.subarray(-xml.length)).toEqual(xml)
  })

  it('404 tells a revoked slug, a wrong one and one that never was the very same thing', async () => {
    const { id } = await issue(world, issuer)
    const revoked = await linkTo(issuer, id)
    await world.delete(`/v1/documents/${id}/public_links`, { key: issuer.key, empresa: issuer.rut })
    const answers = await Promise.all(
      [revoked, '/d/x', `${revoked}x`, `/d/${'a'.repeat(400)}`, '/d/%00'].map((path) => world.get(path)),
    )
    for (const sent of answers) expect([sent.status, sent.text]).toEqual([404, answers[0]?.text])
    expect(words(answers[0] as Sent)).toContain('Este enlace no existe')
  })

  it('404 once the sandbox empresa is gone', async () => {
    const gone = await openIssuer(world, { scopes: ['documents:write', 'empresas:write'] })
    const { id } = await issue(world, gone)
    const path = await linkTo(gone, id)
    await world.delete(`/v1/empresas/${gone.empresa_id}`, { key: gone.key })
    for (const address of [path, `${path}/pdf`]) expect((await world.get(address)).status).toBe(404)
  })
})

describe('when it cannot be shown', () => {
  it('429 after 60 a minute by link, page and files together, in a page that says how long to wait', async () => {
    const world = await openWorld({ plain, unlimited: false })
    const issuer = await openIssuer(world)
    const { id } = await issue(world, issuer)
    const [path, other] = [await linkTo(issuer, id), await linkTo(issuer, id, { cedible: true })]
    for (let i = 0; i < 60; i++) expect((await world.get(i % 2 ? path : `${path}/xml`)).status).toBe(200)
    const refused = await world.get(path)
    expect([refused.status, words(refused)]).toEqual([429, expect.stringContaining('Espera un momento')])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['ratelimit-limit']).toBeUndefined()
    expect((await world.get(other)).status).toBe(200)
    expect((await world.get(await linkTo(issuer, id))).status).toBe(200)
    await world.close()
  })

  it('503 and 500 are pages too, and say nothing of what failed', async () => {
    let failure: Error = new PrinterBusy()
    const print = async () => {
      throw failure
    }
    const world = await openWorld({ plain, printer: { print, close: async () => undefined } })
    const issuer = await openIssuer(world)
    const { id } = await issue(world, issuer)
    const path = `${await linkTo(issuer, id)}/pdf`
    const busy = await world.get(path)
    failure = new Error('secreto de la casa')
    const broken = await world.get(path)
    expect([busy.status, broken.status]).toEqual([503, 500])
    for (const sent of [busy, broken]) {
      expectPrivate(sent)
      expect(sent.headers['retry-after']).toMatch(/^\d+$/)
      expect(words(sent)).toContain('Vuelve a intentarlo')
      expect(sent.text).not.toContain('secreto')
    }
    await world.close()
  })
})
