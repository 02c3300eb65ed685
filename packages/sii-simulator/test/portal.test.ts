import { createVerify } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { publicPem } from '../src/authority/authority.ts'
import { documentKey } from '../src/state/state.ts'
import { type Browser, fieldsOf, liveAlert, openBrowser, type Page } from './support/portal.ts'
import { NOON, useWorld } from './support/world.ts'

const HERCULES = '/herculesr.sii.cl/cgi_AUT2000/CAutInicio.cgi'
const ZEUS = '/zeusr.sii.cl/cgi_AUT2000/CAutInicio.cgi'
const DTE = '/maullin.sii.cl/cvc_cgi/dte'
const EMPRESA = { RUT_EMP: '76543210', DV_EMP: '3' }

const world = useWorld()

beforeEach(async () => {
  await world.control('POST', '/control/reset')
  world.time.now = NOON
})

async function enter(): Promise<Browser> {
  const browser = openBrowser(world, true)
  await browser.post(HERCULES, { referencia: 'https://maullin.sii.cl/cvc_cgi/dte/of_solicita_folios' })
  return browser
}

const isIn = ({ cookies }: Browser) => [...cookies.keys()].some((name) => name.startsWith('NETSCAPE_LIVEWIRE'))

describe('the log-in', () => {
  it('lets in whoever shows a certificate in the handshake, and tells it by its cookies', async () => {
    const browser = await enter()
    expect(isIn(browser)).toBe(true)
    expect(browser.cookies.get('RUT_NS')).toBe('12345678')
    expect(browser.cookies.get('DV_NS')).toBe('5')
    expect(browser.cookies.get('TOKEN')).toMatch(/^\w+$/)
  })

  it('lets nobody in without a certificate, whatever headers come', async () => {
    const browser = openBrowser(world, false)
    await browser.post(
      HERCULES,
      { referencia: 'x' },
      { 'X-Client-Certificate': world.person.certificate.replaceAll('\n', '') },
    )
    expect(isIn(browser)).toBe(false)
  })

  it('takes the clave of a taxpayer and no other', async () => {
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', clave: 'secreta' })
    const form = { rut: '76543210', dv: '3', referencia: 'x', 411: '', rutcntr: '76543210-3' }
    const right = openBrowser(world, false)
    await right.post(ZEUS, { ...form, clave: 'secreta' })
    expect(isIn(right)).toBe(true)
    const wrong = openBrowser(world, false)
    await wrong.post(ZEUS, { ...form, clave: 'otra' })
    expect(isIn(wrong)).toBe(false)
  })

  it('refuses one session more than the cap, with the code of the SII, until one is logged out', async () => {
    await world.control('POST', '/control/settings', { session_cap: 2 })
    const [first] = [await enter(), await enter()]
    const third = openBrowser(world, true)
    const refusal = await third.post(HERCULES, { referencia: 'x' })
    expect(refusal.status).toBe(200)
    expect(refusal.text).toContain('máximo de sesiones autenticadas')
    expect(refusal.text).toContain('01.01.215.500.709')
    expect(isIn(third)).toBe(false)
    await first?.get('/herculesr.sii.cl/cgi_AUT2000/autTermino.cgi')
    expect(isIn(await enter())).toBe(true)
    await world.control('POST', '/control/settings', { session_cap: 10 })
  })

  it('forgets a session that nobody used for two hours, and bounces to the login', async () => {
    const browser = await enter()
    world.time.now += 119 * 60_000
    expect((await browser.get(`${DTE}/of_solicita_folios`)).text).toContain('of_solicita_folios_dcto')
    world.time.now += 121 * 60_000
    expect((await browser.get(`${DTE}/of_solicita_folios`)).text).toContain('zeusr.sii.cl')
  })
})

async function ask(browser: Browser, tipo: number, quantity: number): Promise<Page> {
  await browser.get(`${DTE}/of_solicita_folios`)
  const offered = await browser.post(`${DTE}/of_solicita_folios_dcto`, {
    ...EMPRESA,
    COD_DOCTO: tipo,
    FOLIO_INICIAL: '',
    CANT_DOCTOS: '',
  })
  const asked = fieldsOf(offered, 'of_confirma_folio')
  if (asked === null) return offered
  let confirmed = await browser.post(`${DTE}/of_confirma_folio`, { ...asked, COD_DOCTO: tipo, CANT_DOCTOS: quantity })
  const first = fieldsOf(confirmed, 'of_confirma_folio')
  if (first !== null) confirmed = await browser.post(`${DTE}/of_confirma_folio`, first)
  const fields = fieldsOf(confirmed, 'of_genera_folio')
  if (fields === null) return confirmed
  return browser.post(`${DTE}/of_genera_folio`, { ...fields, CON_CREDITO: 0, CON_AJUSTE: 0 })
}

async function obtain(browser: Browser, tipo: number, quantity: number): Promise<Page> {
  const generated = await ask(browser, tipo, quantity)
  const fields = fieldsOf(generated, 'of_genera_archivo')
  if (fields === null) return generated
  return browser.post(`${DTE}/of_genera_archivo`, fields, {
    Referer: 'https://maullin.sii.cl/cvc_cgi/dte/of_genera_folio',
  })
}

describe('folios', () => {
  it('hands over a range signed by the key that anybody may fetch, and then the next one', async () => {
    const browser = await enter()
    const caf = (await obtain(browser, 33, 50)).text
    expect(caf).toContain('<RE>76543210-3</RE>')
    expect(caf).toContain('<D>1</D><H>50</H>')
    const da = /<DA>[\s\S]*<\/DA>/.exec(caf)?.[0].replace(/>\s+</g, '><') ?? ''
    const frma = /<FRMA[^>]*>([^<]*)/.exec(caf)?.[1] ?? ''
    const key = JSON.parse((await world.get('/control/caf-keys')).text)[300]
    expect(key).toBe(publicPem(await world.simulator.authority.cafKey()))
    expect(createVerify('RSA-SHA1').update(Buffer.from(da, 'latin1')).verify(key, frma, 'base64')).toBe(true)
    expect((await obtain(browser, 33, 10)).text).toContain('<D>51</D><H>60</H>')
  })

  it('hands a range over without the pages to whoever asks the control surface', async () => {
    const asked = { rut: '76543210-3', tipo: 33, quantity: 10, ambiente: 'certificacion' }
    const answer = await world.post('/control/cafs', JSON.stringify(asked), { 'Content-Type': 'application/json' })
    expect(answer.text).toContain('<D>1</D><H>10</H>')
    expect((await obtain(await enter(), 33, 5)).text).toContain('<D>11</D><H>15</H>')
  })

  it('asks to confirm the first folio of a boleta apart', async () => {
    const browser = await enter()
    await browser.get(`${DTE}/of_solicita_folios`)
    const page = await browser.post(`${DTE}/of_confirma_folio`, {
      ...EMPRESA,
      COD_DOCTO: 39,
      CANT_DOCTOS: 5,
      FOLIO_INICIAL: '',
    })
    expect(fieldsOf(page, 'of_confirma_folio')).toMatchObject({ FOLIO_INICIAL: '1', CANT_DOCTOS: '5' })
    expect((await obtain(browser, 39, 5)).text).toContain('<TD>39</TD>')
  })

  it('tells what may be asked for and what lies unused', async () => {
    const browser = await enter()
    await obtain(browser, 33, 30)
    const page = await browser.post(`${DTE}/of_solicita_folios_dcto`, { ...EMPRESA, COD_DOCTO: 33 })
    expect(fieldsOf(page, 'of_confirma_folio')).toMatchObject({ MAX_AUTOR: '70', FOLIOS_DISP: '30' })
    expect(page.text).toContain('Máximo autorizado')
    expect(page.headers['content-type']).toBe('text/html')
  })

  it('refuses to stamp more while too many lie unused, and more than its most at once', async () => {
    const browser = await enter()
    expect(liveAlert(await ask(browser, 33, 101))).toContain('menor o igual al máximo')
    await obtain(browser, 33, 100)
    const refusal = await ask(browser, 33, 1)
    expect(refusal.status).toBe(200)
    expect(liveAlert(refusal)).toContain('NO SE AUTORIZA TIMBRAJE')
    expect(refusal.text).not.toContain('<form')
  })

  it.each([
    ['activity', 'no registra Verificación de Actividades'],
    ['visit', 'deberá presentarse en la oficina del SII'],
    ['company', 'no está autorizada para operar'],
    ['option', 'no está autorizado para ingresar a esta opción'],
    ['permission', '106'],
  ])('says so where it is scripted to refuse for %s', async (code, words) => {
    await world.control('POST', '/control/scripts', {
      kind: 'no_folios',
      door: 'folios',
      times: 1,
      finding: { code, glosa: code },
    })
    expect(liveAlert(await ask(await enter(), 33, 1))).toContain(words)
  })

  it('refuses the person who is no user of the company, or may not ask for folios', async () => {
    const users = [{ rut: '12345678-5', permissions: ['firmar'] }]
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', users })
    expect(liveAlert(await ask(await enter(), 33, 1))).toContain('106')
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', users: [] })
    expect(liveAlert(await ask(await enter(), 33, 1))).toContain('no está autorizado para ingresar')
  })

  it('answers 500 to the last step without a Referer', async () => {
    const browser = await enter()
    const fields = fieldsOf(await ask(browser, 33, 5), 'of_genera_archivo') ?? {}
    expect((await browser.post(`${DTE}/of_genera_archivo`, fields)).status).toBe(500)
  })

  it('issues nothing to a form without what browsers add, of another day, or sent twice', async () => {
    const browser = await enter()
    await browser.get(`${DTE}/of_solicita_folios`)
    const confirmed = await browser.post(`${DTE}/of_confirma_folio`, { ...EMPRESA, COD_DOCTO: 33, CANT_DOCTOS: 5 })
    const fields = fieldsOf(confirmed, 'of_genera_folio') ?? {}
    const generate = (more: object) => browser.post(`${DTE}/of_genera_folio`, { ...fields, ...more })
    expect((await generate({})).text).toBe('')
    expect(liveAlert(await generate({ CON_CREDITO: 0, CON_AJUSTE: 0, DIA: '06' }))).toBe('FECHA NO CORRESPONDE')
    expect(fieldsOf(await generate({ CON_CREDITO: 0, CON_AJUSTE: 0 }), 'of_genera_archivo')).not.toBeNull()
    expect(liveAlert(await generate({ CON_CREDITO: 0, CON_AJUSTE: 0 }))).toContain(
      'ya fue autorizado el rango desde 1 hasta 5',
    )
  })

  it('takes a POST that came before the first page for one out of context', async () => {
    const page = await (await enter()).post(`${DTE}/of_solicita_folios_dcto`, { ...EMPRESA, COD_DOCTO: 33 })
    expect(page.text).toContain('zeusr.sii.cl')
  })

  it('gives the same file again to whoever re-obtains it', async () => {
    const browser = await enter()
    const file = await obtain(browser, 33, 5)
    const list = await browser.post(`${DTE}/rf_reobtencion2_folios`, { ...EMPRESA, COD_DOCTO: 33 })
    const third = await browser.post(`${DTE}/rf_reobtencion3_folios`, fieldsOf(list, 'rf_reobtencion3_folios') ?? {})
    expect(third.text).toContain('no registra folios anulados')
    const made = await browser.post(`${DTE}/rf_genera_folio`, fieldsOf(third, 'rf_genera_folio') ?? {})
    const again = await browser.post(`${DTE}/rf_genera_archivo`, fieldsOf(made, 'rf_genera_archivo') ?? {})
    expect(again.bytes.equals(file.bytes)).toBe(true)
  })

  it('annuls folios that no document used, once, and counts it against the taxpayer', async () => {
    const browser = await enter()
    await obtain(browser, 33, 10)
    const list = await browser.post(`${DTE}/af_anular2`, { ...EMPRESA, COD_DOCTO: 33 })
    const asked =
      fieldsOf(await browser.post(`${DTE}/af_anular3`, fieldsOf(list, 'af_anular3') ?? {}), 'af_anular') ?? {}
    const annul = (from: number, to: number) =>
      browser.post(`${DTE}/af_anular`, { ...asked, FOLIO_INI_A: from, FOLIO_FIN_A: to, MOTIVO: 'No se usarán' })
    const key = documentKey('certificacion', '76543210-3', 33, 3)
    world.simulator.state.documents.put(key, { folio: 3, received_at: NOON } as never)
    expect((await annul(1, 5)).text).toContain('recepcionado')
    expect((await annul(6, 10)).text).toContain('ha autorizado la anulación')
    expect((await annul(6, 10)).text).toContain('anulado anteriormente')
    const offer = await browser.post(`${DTE}/of_solicita_folios_dcto`, { ...EMPRESA, COD_DOCTO: 33 })
    // A fifth less than (100 + 1 used), less the four that lie unused.
    expect(fieldsOf(offer, 'of_confirma_folio')).toMatchObject({ MAX_AUTOR: '76', FOLIOS_DISP: '4' })
    const history = await browser.post(`${DTE}/of_consulta2_folio`, { ...EMPRESA, COD_DOCTO: 33 })
    expect(history.text.replace(/<[^>]+>|\s+/g, ' ')).toMatch(/05-10-2026\s+10\s+1\s+10\s+12345678-5/)
  })
})

describe('pages about a taxpayer', () => {
  it('tell anybody the name, the resolution and the tipos of a company', async () => {
    const resolutions = { certificacion: { number: 0, date: '2026-01-15' } }
    await world.control('POST', '/control/taxpayers', {
      rut: '76543210-3',
      name: 'Ñandú SpA',
      tipos: [33, 61],
      resolutions,
    })
    const page = await openBrowser(world, false).post(`${DTE}/ee_empresa_rut`, {
      CNSLT: 'R',
      ...EMPRESA,
      ACEPTAR: 'Consultar',
    })
    expect(page.text).toContain('Ñandú SpA')
    expect(page.text).toContain('15-01-2026')
    expect(page.text.match(/<font face="Arial">(33|34|61)<\/font>/g)).toHaveLength(2)
  })

  it('tell the mailbox only to whoever has a session or a token', async () => {
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', exchange_mailbox: 'dte@example.cl' })
    const stranger = await openBrowser(world, false).get(`${DTE}/ce_empresas_dwnld`)
    expect(stranger.text).toContain('zeusr.sii.cl')
    const csv = await world.get(`${DTE}/ce_empresas_dwnld`, { Cookie: `TOKEN=${await world.token()}` })
    expect(csv.text).toContain('76543210-3;Contribuyente 76543210-3;0;22-08-2014;dte@example.cl;')
    const page = await (await enter()).post(`${DTE}/ce_consulta_e`, EMPRESA)
    expect(page.text).toContain('dte@example.cl')
  })
})
