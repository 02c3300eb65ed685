import { createPublicKey } from 'node:crypto'
import { checkTimbre, childOf, firstRefusal, parseXmlText, verifySignatures, type XmlElement } from '@timbre/dte'
import { beforeEach, describe, expect, it } from 'vitest'
import { plant } from './support/documents.ts'
import { type Browser, fieldsOf, liveAlert, openBrowser, type Page } from './support/portal.ts'
import { NOON, useWorld } from './support/world.ts'

const SFG = '/www1.sii.cl/cgi-bin/Portal001'
const world = useWorld()

/** What a person types: a factura of one line. */
const FACTURA: Record<string, string | number> = {
  EFXP_RUT_RECEP: '77123456',
  EFXP_DV_RECEP: '9',
  EFXP_RZN_SOC_RECEP: 'Compañía Ñandú & Hijos',
  EFXP_GIRO_RECEP: 'Comercio',
  EFXP_DIR_RECEP: 'Avenida 1',
  EFXP_CMNA_RECEP: 'Providencia',
  EFXP_CIUDAD_RECEP: 'Santiago',
  EFXP_CIUDAD_ORIGEN: 'Santiago',
  EFXP_FCH_EMIS: '2026-10-05',
  EFXP_NMB_01: 'Asesoría',
  EFXP_QTY_01: 2,
  EFXP_PRC_01: 500,
  EFXP_SUBT_01: 1000,
  EFXP_FMA_PAGO: 2,
  EFXP_MNT_NETO: 1000,
  EFXP_IVA: 190,
  EFXP_MNT_TOTAL: 1190,
}

async function enter(): Promise<Browser> {
  const browser = openBrowser(world, true)
  await browser.post('/herculesr.sii.cl/cgi_AUT2000/CAutInicio.cgi', { referencia: 'x' })
  return browser
}

beforeEach(async () => {
  await world.control('POST', '/control/reset')
  world.time.now = NOON
  await world.control('POST', '/control/taxpayers', {
    rut: '76543210-3',
    name: 'Empresa Pequeña SpA',
    sfg: true,
    users: [{ rut: '12345678-5' }],
  })
  await world.control('POST', '/control/taxpayers', { rut: '12345678-5', clave_centralizado: 'central' })
  const key = world.person.key.export({ type: 'pkcs8', format: 'pem' })
  world.simulator.state.store('central_certificates').put('12345678-5', { key, certificate: world.person.certificate })
})

async function preview(browser: Browser, tipo = 33, change: Record<string, string | number> = {}): Promise<Page> {
  await browser.get(`${SFG}/mipeSelEmpresa.cgi?DESDE_DONDE_URL=OPCION%3D${tipo}%26TIPO%3D4`)
  const blank = fieldsOf(await browser.get(`${SFG}/mipeGenFacEx.cgi?PTDC_CODIGO=${tipo}`), 'mipeDisplayPreView.cgi')
  return browser.post(`${SFG}/mipeDisplayPreView.cgi`, { ...blank, ...FACTURA, ...change })
}

async function signed(browser: Browser, page: Page, clave = 'central') {
  const asked = await browser.post(`${SFG}/mipeGenXMLFirma.cgi`, fieldsOf(page, 'mipeGenXMLFirma.cgi') ?? {})
  const plain = /<textarea name="txtPlainText"[^>]*>([\s\S]*?)<\/textarea>/.exec(asked.text)?.[1] ?? ''
  const [certificate] = JSON.parse((await browser.get(`${SFG}/getCertDigital.cgi?rut=12345678&dv=5`)).text) as {
    nombre: string
  }[]
  const fields = {
    nombre: certificate?.nombre ?? '',
    dato: plain,
    rut: '12345678',
    dv: '5',
    clave,
    nodo: 'dte:DTE',
    nodoId: 'dte:Documento',
    nameSpace: 'http://www.sii.cl/SiiDte',
  }
  const answer = await browser.post(`${SFG}/postFirmaDigital.cgi`, fields)
  return { plain, text: answer.text, folio: fieldsOf(asked, 'mipeSendXML.cgi')?.EFXP_FOLIO }
}

const send = (browser: Browser, plain: string, text: string) =>
  browser.post(`${SFG}/mipeSendXML.cgi`, { txtPlainText: plain, txtSignText: text })

describe('the free portal', () => {
  it('writes, stamps, signs and enters a factura with a folio of its own', async () => {
    const browser = await enter()
    const document = await signed(browser, await preview(browser))
    const sent = await send(browser, document.plain, document.text)
    expect(sent.text).toContain('ENVIADO EXITOSAMENTE')
    const list = await browser.get(`${SFG}/mipeAdminDocsEmi.cgi?FOLIO=${document.folio}&NUM_PAG=1`)
    expect(list.text).toContain('Compañía Ñandú &amp; Hijos')

    const parsed = parseXmlText(document.text)
    if (!parsed.ok) throw new Error(parsed.refusal.message)
    expect(firstRefusal(verifySignatures(parsed.value))).toBeNull()
    const key = createPublicKey(await world.simulator.authority.cafKey())
    const documento = childOf(parsed.value.root, 'Documento') as XmlElement
    expect(checkTimbre(parsed.value, documento, { 300: key })).toBeNull()
  })

  it('hands on every field of the preview, and refuses to sign another document', async () => {
    const browser = await enter()
    const fields = fieldsOf(await preview(browser), 'mipeGenXMLFirma.cgi') ?? {}
    expect(Object.keys(fields).length).toBeGreaterThan(200)
    const page = await browser.post(`${SFG}/mipeGenXMLFirma.cgi`, { ...fields, EFXP_MNT_TOTAL: 1 })
    expect(liveAlert(page)).toContain('no corresponden a la vista previa')
  })

  it.each<[string, number, Record<string, string | number>, string]>([
    ['an empty date', 33, { EFXP_FCH_EMIS: '' }, 'Debe ingresar el campo : Fecha emision'],
    ['a date of tomorrow', 33, { EFXP_FCH_EMIS: '2026-10-06' }, 'FECHA NO CORRESPONDE'],
    ['no city of the emitter', 33, { EFXP_CIUDAD_ORIGEN: '' }, 'Ciudad emisor'],
    [
      'an IVA of zero',
      33,
      { EFXP_PRC_01: 1, EFXP_SUBT_01: 2, EFXP_MNT_NETO: 2, EFXP_IVA: 0, EFXP_MNT_TOTAL: 2 },
      'Valor IVA debe ser mayor a 0',
    ],
    ['a long name', 33, { EFXP_NMB_01: 'x'.repeat(26) }, '25 caracteres'],
    [
      'eleven lines',
      33,
      Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`EFXP_NMB_${String(at + 1).padStart(2, '0')}`, 'x'])),
      'mas de 10 lineas',
    ],
    ['totals that do not add up', 33, { EFXP_MNT_TOTAL: 1191 }, 'no cuadran'],
    [
      'a guía of zero',
      52,
      { EFXP_PRC_01: 0, EFXP_SUBT_01: 0, EFXP_MNT_NETO: 0, EFXP_IVA: 0, EFXP_MNT_TOTAL: 0 },
      'Valor Total debe ser mayor a 0',
    ],
    ['a note without a reference', 61, {}, 'Codigo referencia'],
  ])('refuses %s with an alert and HTTP 200', async (_, tipo, change, words) => {
    const page = await preview(await enter(), tipo, change)
    expect(page.status).toBe(200)
    expect(liveAlert(page)).toContain(words)
  })

  it('signs only with the password of the certificate that it keeps', async () => {
    const browser = await enter()
    const { plain, text } = await signed(browser, await preview(browser), 'otra')
    expect(text).not.toContain('<Signature')
    expect(liveAlert(await send(browser, plain, plain))).toBe('Firma no reconocida')
  })

  it('enters nothing until it is sent, and nothing twice', async () => {
    const browser = await enter()
    await signed(browser, await preview(browser))
    expect(world.simulator.state.documents.count()).toBe(0)
    const { plain, text, folio } = await signed(browser, await preview(browser))
    expect(folio).toBe('2')
    await send(browser, plain, text)
    expect(liveAlert(await send(browser, plain, text))).toBe('Firma no reconocida')
    expect(world.simulator.state.documents.count()).toBe(1)
  })

  it('lets a note of credit annul its factura', async () => {
    const browser = await enter()
    const factura = await signed(browser, await preview(browser))
    await send(browser, factura.plain, factura.text)
    const reference = {
      EFXP_TPO_DOC_REF_001: 33,
      EFXP_FOLIO_REF_001: 1,
      EFXP_FCH_REF_001: '2026-10-05',
      EFXP_CODIGO_REF_001: 1,
      EFXP_RAZON_REF_001: 'Anula',
    }
    const note = await signed(browser, await preview(browser, 61, reference))
    expect((await send(browser, note.plain, note.text)).text).toContain('EXITOSAMENTE')
    const [original] = world.simulator.state.documents.values('produccion:76543210-3:033')
    expect(original?.notes).toEqual([{ tipo: 61, folio: 1, cod_ref: 1 }])
  })

  it('shows an empty select to whoever no company has registered', async () => {
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', users: [] })
    const page = await (await enter()).get(`${SFG}/mipeSelEmpresa.cgi?DESDE_DONDE_URL=OPCION%3D33%26TIPO%3D4`)
    expect(page.text).toContain('<select name="RUT_EMP">')
    expect(page.text).not.toContain('<option')
  })

  it('asks which company where there are several, and keeps the answer in the session', async () => {
    await world.control('POST', '/control/taxpayers', { rut: '77123456-9', sfg: true })
    const browser = await enter()
    const page = await browser.get(`${SFG}/mipeSelEmpresa.cgi?DESDE_DONDE_URL=OPCION%3D33%26TIPO%3D4`)
    expect(page.text.match(/<option/g)).toHaveLength(2)
    expect(liveAlert(await browser.get(`${SFG}/mipeGenFacEx.cgi?PTDC_CODIGO=33`))).toContain('seleccionar una empresa')
    await browser.post(`${SFG}/mipeSelEmpresa.cgi`, { RUT_EMP: '76543210-3', DESDE_DONDE_URL: 'OPCION=33&TIPO=4' })
    expect((await browser.get(`${SFG}/mipeGenFacEx.cgi?PTDC_CODIGO=33`)).text).toContain(
      'arrFecha = ["2026","10","05"]',
    )
  })

  it('gives twenty documents of the backup, received ones too, and no more', async () => {
    for (let folio = 1; folio <= 25; folio++) plant(world, { folio }, `<DTE><Folio>${folio}</Folio></DTE>`)
    const browser = await enter()
    await browser.get(`${SFG}/mipeSelEmpresa.cgi?DESDE_DONDE_URL=OPCION%3D1%26TIPO%3D4`)
    const page = await browser.get(
      `${SFG}/mipeDownLoad.cgi?ORIGEN=RCP&FEC_DESDE=2026-10-01&FEC_HASTA=2026-10-31&TPO_DOC=33&DOWNLOAD=XML`,
    )
    expect(page.text.match(/<DTE>/g)).toHaveLength(20)
  })
})

describe('a factura whose form of payment nobody told', () => {
  it('is written without one: nothing says that it is on credit', async () => {
    const browser = await enter()
    const { plain } = await signed(browser, await preview(browser, 33, { EFXP_FMA_PAGO: '' }))
    expect(plain).toContain('MntTotal')
    expect(plain).not.toContain('FmaPago')
  })
})
