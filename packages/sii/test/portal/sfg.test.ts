import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Identity, type SfgDocument, type SfgOrder, SfgUncertain, type SiiFailure } from '../../src/index.ts'
import { newPerson } from '../support/person.ts'
import { alert, bounced, COOKIE, loggedIn, page } from '../support/portal.ts'
import { openScriptedSii, openTestClient, type Reply, type ScriptedSii } from '../support/scripted-sii.ts'

let sii: ScriptedSii
let identity: Identity

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())

const PASSWORD = 'Centralizada+ñ1'
const RUT = '76543210-3'

const document: SfgDocument = {
  tipo_dte: 33,
  issue_date: '2026-10-05',
  emisor: { rut: RUT, legal_name: 'Ñandú Ltda', acteco: [620200] },
  receptor: {
    rut: '77123456-9',
    legal_name: 'B & S Compañía SpA',
    giro: 'Comercio',
    address: { street: 'Los Aromos 12', comuna: 'Ñuñoa', city: 'Santiago' },
  },
  items: [{ description: 'Asesoría', quantity: 2, unit_price: 5000, discount: { percent: 10 }, amount: 9000 }],
  references: [{ tipo_dte: 801, folio: 'OC-7', date: '2026-10-01', reason: 'Orden de compra' }],
  totals: { net: 9000, iva_rate: 19, iva: 1710, total: 10710 },
}
const dte = ({ emisor = RUT, folio = 21, total = 10710 } = {}) =>
  `<DTE xmlns="http://www.sii.cl/SiiDte" version="1.0"><Documento ID="MiPE${folio}"><Encabezado><IdDoc><TipoDTE>33</TipoDTE>` +
  `<Folio>${folio}</Folio></IdDoc><Emisor><RUTEmisor>${emisor}</RUTEmisor></Emisor><Receptor><RUTRecep>77123456-9</RUTRecep>` +
  `<RznSocRecep>B &amp; S Compañía SpA</RznSocRecep></Receptor><Totales><MntTotal>${total}</MntTotal></Totales></Encabezado></Documento></DTE>`
const signed = dte().replace('</DTE>', '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">x</Signature></DTE>')

const CHOOSER = page(
  `<form action=x><select name=RUT_EMP><option value="11111111-1">Otra<option value="${RUT}">Ñandú</select></form>`,
)
const FORM = page(
  `<script>var emisorDir = [["SUCRE 363","ÑUÑOA","","80394077"," "]]; var emisorActEco = [['731001','OTRA'],['620200','ASESORIA']];</script>
   <form name=VIEW_EFXP><input name=PTDC_CODIGO value=33><input name=EFXP_RZN_SOC value="&#209;AND&Uacute; LTDA">
   <input name=EFXP_RUT_RECEP><input name=EFXP_CIUDAD_ORIGEN value=""><select name=EFXP_FMA_PAGO><option value=1 selected>Contado<option value=2>Credito</select></form><script>function valida() { alert('Falta uno'); alert('Falta otro') }</script>`,
)
const signPage = (xml: string) =>
  page(
    `<form name="frmSign" action=mipeSendXML.cgi><input type=hidden name=EFXP_FOLIO value=21><textarea name="txtPlainText">${xml}</textarea></form>`,
  )
const entry = (cells: string[]) =>
  page(`<table><tr><th>Ver<th>Receptor<th>Razon<th>Documento<th>Folio<th>Fecha<th>Monto<th>Estado
    <tr><td><a href="mipeGesDocEmi.cgi?CODIGO=998877">ver</a>${cells.map((cell) => `<td>${cell}`).join('')}</table>`)
const LISTED = entry(['77.123.456-9', 'B & S', 'Factura Electronica', '21', '2026-10-05', '10.710', 'Emitido'])
const NOT_LISTED = page('<table><tr><th>Folio</table>')

beforeEach(() => {
  sii.heard.length = 0
  sii.on('/CAutInicio.cgi', loggedIn())
  sii.on('/autTermino.cgi', page('adiós'))
  sii.on('/mipeSelEmpresa.cgi', CHOOSER, page('<script>location.replace("mipeLaunchPage.cgi")</script>'), CHOOSER)
  sii.on('/mipeGenFacEx.cgi', FORM)
  sii.on(
    '/mipeDisplayPreView.cgi',
    page('<form name=PreViewDTE><input type=hidden name=H1 value="ASESOR&#205;A"></form>'),
  )
  sii.on('/mipeGenXMLFirma.cgi', signPage(dte()))
  sii.on('/getCertDigital.cgi', '[{"nombre":"1"}]')
  sii.on('/postFirmaDigital.cgi', signed)
  sii.on('/mipeSendXML.cgi', page('Documento enviado'))
  sii.on('/mipeAdminDocsEmi.cgi', LISTED)
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (failure: SiiFailure) => failure,
  )
const caller = () => ({ user: { kind: 'certificate' as const, identity }, ambiente: 'produccion' as const, rut: RUT })
const order = (change: Partial<SfgDocument> = {}): SfgOrder => ({
  ...caller(),
  document: { ...document, ...change },
  password: PASSWORD,
})
const heardAt = (program: string) => sii.heard.filter(({ path }) => path.split('?')[0]?.endsWith(`/${program}`))
const sentTo = (program: string) =>
  Object.fromEntries(
    new URLSearchParams(heardAt(program).at(-1)?.body.replace(/%(..)/g, '%C3%$1').replaceAll('%C3', '')),
  )

describe('a document issued in the free system', () => {
  it('is filled in, previewed, signed by the SII, sent and found in the list of what was issued', async () => {
    const { client, waits } = openTestClient(sii, { now: () => new Date('2026-10-05T12:00:00Z') })
    const issued = await client.sfg.issue(order())
    expect(issued).toMatchObject({
      folio: 21,
      xml: signed,
      entry: { code: '998877', amount: 10710, estado: 'Emitido' },
    })
    const steps = sii.heard.filter(({ path }) => path.startsWith('/www1'))
    expect(steps.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      'GET mipeSelEmpresa.cgi?DESDE_DONDE_URL=OPCION%3D33%26TIPO%3D4',
      'POST mipeSelEmpresa.cgi?DESDE_DONDE_URL=OPCION%3D33%26TIPO%3D4',
      'GET mipeGenFacEx.cgi?PTDC_CODIGO=33',
      'POST mipeDisplayPreView.cgi',
      'POST mipeGenXMLFirma.cgi',
      'GET getCertDigital.cgi?rut=12345678&dv=5',
      'POST postFirmaDigital.cgi',
      'POST mipeSendXML.cgi',
      'GET mipeAdminDocsEmi.cgi?RUT_RECP=&FOLIO=21&RZN_SOC=&FEC_DESDE=&FEC_HASTA=&TPO_DOC=33&ESTADO=&ORDEN=&NUM_PAG=1',
    ])
    // One request a second to www1.
    expect(waits).toHaveLength(steps.length - 1)
    await client.close()
  })

  it('says how it is paid where we know, and otherwise leaves what the page holds: it decides when IVA may be used', async () => {
    const { client } = openTestClient(sii)
    const paid = async (change: Partial<SfgDocument>) => {
      await client.sfg.issue(order(change))
      return sentTo('mipeDisplayPreView.cgi').EFXP_FMA_PAGO
    }
    expect(await paid({ payment: { form: 'credit' } })).toBe('2')
    sii.on('/mipeSelEmpresa.cgi', CHOOSER, page('<script>location.replace("mipeLaunchPage.cgi")</script>'), CHOOSER)
    expect(await paid({})).toBe('1')
    await client.close()
  })

  it('has in its form what the page holds, what its script would put in and our amounts, in windows-1252', async () => {
    const { client } = openTestClient(sii)
    await client.sfg.issue(order())
    const body = heardAt('mipeDisplayPreView.cgi')[0]?.body ?? ''
    for (const field of [
      ...['PTDC_CODIGO=33', 'EFXP_RZN_SOC=%D1AND%DA+LTDA', 'EFXP_DIR_ORIGEN=SUCRE+363', 'EFXP_CMNA_ORIGEN=%D1U%D1OA'],
      ...[
        'EFXP_CIUDAD_ORIGEN=%D1U%D1OA',
        'EFXP_CDG_SII_SUCUR=80394077',
        'EFXP_ACTECO=620200',
        'EFXP_FCH_EMIS=2026-10-05',
      ],
      ...['EFXP_RUT_RECEP=77123456', 'EFXP_DV_RECEP=9', 'EFXP_RZN_SOC_RECEP=B+%26+S+Compa%F1%EDa+SpA', 'CANT_DET=1'],
      ...['EFXP_NMB_01=Asesor%EDa', 'EFXP_QTY_01=2', 'EFXP_PRC_01=5000', 'EFXP_PCTD_01=10', 'EFXP_SUBT_01=9000'],
      ...['EFXP_MNT_NETO=9000', 'EFXP_IVA=1710', 'EFXP_MNT_TOTAL=10710', 'EFXP_FMA_PAGO=1'],
      ...['EFXP_TPO_DOC_REF_001=801', 'EFXP_FOLIO_REF_001=OC-7', 'EFXP_RAZON_REF_001=Orden+de+compra'],
    ]) {
      expect(`&${body}&`).toContain(`&${field}&`)
    }
    // The hidden fields of the preview travel on as they are; the signature alone goes in UTF-8.
    expect(heardAt('mipeGenXMLFirma.cgi')[0]?.body).toBe('H1=ASESOR%CDA')
    expect(heardAt('postFirmaDigital.cgi')[0]).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      body: expect.stringMatching(/Compa%C3%B1.*&clave=Centralizada%2B%C3%B11&nodo=dte%3ADTE&nodoId=dte%3ADocumento&/),
    })
    expect(sentTo('mipeSendXML.cgi')).toMatchObject({ EFXP_FOLIO: '21', nombre: '1', nodo: 'dte:DTE' })
    await client.close()
  })

  it('is a credit note on its own template', async () => {
    sii.on('/mipeGenXMLFirma.cgi', signPage(dte().replace('<TipoDTE>33', '<TipoDTE>61')))
    const { client } = openTestClient(sii)
    await client.sfg.issue(order({ tipo_dte: 61 }))
    expect(heardAt('mipeGenFacEx.cgi')[0]?.path).toContain('?TIPO_PLANTILLA=NC_BLANCO&PTDC_CODIGO=61')
    await client.close()
  })

  it.each<[string, Partial<SfgDocument>]>([
    ['eleven lines', { items: Array(11).fill(document.items[0]) }],
    ['an item name of 26 characters', { items: [{ description: 'x'.repeat(26), amount: 9000 }] }],
    ['tipo 46', { tipo_dte: 46 }],
    ['a global discount', { discounts: [{ percent: 5, applied: 450 }] }],
    ['a receptor without address', { receptor: { rut: '77123456-9' } }],
  ])('that the form has no room for is refused before anything is asked: %s', async (_, change) => {
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.sfg.issue(order(change)))
    expect(failure).toMatchObject({ kind: 'refused', reason: 'beyond_the_form', sent: false })
    expect(sii.heard).toHaveLength(0)
    await client.close()
  })
})

describe('a document that is not issued', () => {
  it.each<[string, string, Reply, object]>([
    [
      'no such company',
      'mipeSelEmpresa.cgi',
      page('<form><select name=RUT_EMP></select></form>'),
      { reason: 'company_not_authorised' },
    ],
    [
      'a form refused with an alert',
      'mipeDisplayPreView.cgi',
      alert('Debe ingresar el campo : Giro'),
      { reason: 'form_refused', glosa: 'Debe ingresar el campo : Giro' },
    ],
    [
      'a preview nobody knows',
      'mipeDisplayPreView.cgi',
      page('Vista'),
      { kind: 'not_understood', drift: 'form PreViewDTE' },
    ],
    [
      'a form without its fields',
      'mipeGenFacEx.cgi',
      page('<form></form>'),
      { kind: 'not_understood', drift: 'EFXP_RUT_RECEP' },
    ],
    ['no stored certificate', 'getCertDigital.cgi', '[]', { reason: 'no_central_certificate' }],
    [
      'a wrong password',
      'postFirmaDigital.cgi',
      `Clave ${PASSWORD} incorrecta`,
      { reason: 'signature_refused', glosa: 'Clave *** incorrecta' },
    ],
    [
      'a signature that the SII did not make, for a reason of its own',
      'postFirmaDigital.cgi',
      'ERROR: Servicio de firma no disponible',
      { reason: 'not_signed', glosa: 'ERROR: Servicio de firma no disponible' },
    ],
    [
      'another company in the session',
      'mipeGenXMLFirma.cgi',
      signPage(dte({ emisor: '11111111-1' })),
      { reason: 'other_document' },
    ],
    [
      'another total in what the SII would sign',
      'mipeGenXMLFirma.cgi',
      signPage(dte({ total: 1 })),
      { reason: 'other_document' },
    ],
  ])('because of %s is told so, and nothing was sent', async (_, program, reply, expected) => {
    sii.on(`/${program}`, reply)
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.sfg.issue(order()))
    expect(failure).toMatchObject({ sent: false, ...expected })
    expect(heardAt('mipeSendXML.cgi')).toHaveLength(0)
    await client.close()
  })

  it('tells what was signed before it is sent, and sends nothing unless that was kept', async () => {
    const kept: unknown[] = []
    const onSigned = async (what: object) => {
      kept.push(what, heardAt('mipeSendXML.cgi').length)
      throw new Error('not kept')
    }
    const { client } = openTestClient(sii)
    await expect(client.sfg.issue({ ...order(), onSigned })).rejects.toThrow('not kept')
    await client.close()
    expect(kept).toEqual([{ folio: 21, xml: signed }, 0])
    expect(heardAt('mipeSendXML.cgi')).toHaveLength(0)
  })

  it('because the SII refused it when it was sent is told with its words, once the list does not show it', async () => {
    sii.on('/mipeSendXML.cgi', alert('Firma no reconocida'))
    sii.on('/mipeAdminDocsEmi.cgi', NOT_LISTED)
    const { client } = openTestClient(sii)
    expect(await failureOf(client.sfg.issue(order()))).toMatchObject({
      ...{ kind: 'refused', reason: 'send_refused', glosa: 'Firma no reconocida', sent: false },
    })
    await client.close()
  })
})

describe('a document that may have been issued', () => {
  it.each<[string, string, Reply]>([
    ['no answer to the sending', 'mipeSendXML.cgi', (response) => response.destroy()],
    ['a session lost at the sending', 'mipeSendXML.cgi', bounced],
    ['a list that does not show it', 'mipeAdminDocsEmi.cgi', NOT_LISTED],
    ['a session lost before the list', 'mipeAdminDocsEmi.cgi', bounced],
    ['a list nobody knows', 'mipeAdminDocsEmi.cgi', page('Otra cosa')],
  ])('after %s is told as uncertain with its folio, and is not sent again', async (_, program, reply) => {
    sii.on('/mipeAdminDocsEmi.cgi', bounced)
    sii.on(`/${program}`, reply)
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.sfg.issue(order()))
    expect(failure).toBeInstanceOf(SfgUncertain)
    expect(failure).toMatchObject({ sent: true, folio: 21 })
    expect(heardAt('mipeSendXML.cgi')).toHaveLength(1)
    await client.close()
  })

  it.each([
    ['El documento ha sido enviado con éxito', true],
    ['Documento emitido', true],
    ['El documento no fue enviado', false],
    ['El documento no ha sido recibido', false],
  ])('and is not listed yet is uncertain where the page of the sending says %j: %s', async (words, uncertain) => {
    sii.on('/mipeSendXML.cgi', alert(words))
    sii.on('/mipeAdminDocsEmi.cgi', NOT_LISTED)
    const { client } = openTestClient(sii)
    expect((await failureOf(client.sfg.issue(order()))) instanceof SfgUncertain).toBe(uncertain)
    await client.close()
  })

  it('is issued when the list shows it, whatever the page of the sending says', async () => {
    sii.on('/mipeSendXML.cgi', alert('Proceso terminado'))
    const { client } = openTestClient(sii)
    expect(await client.sfg.issue(order())).toMatchObject({ folio: 21 })
    await client.close()
  })
})

describe('what is kept of it for the operator', () => {
  it('has neither the password nor a cookie', async () => {
    const { client, facts } = openTestClient(sii)
    await client.sfg.issue(order())
    const told = JSON.stringify(facts)
    expect(told).toContain('postFirmaDigital.cgi')
    for (const secret of ['Centralizada', COOKIE]) expect(told).not.toContain(secret)
    await client.close()
  })
})

describe('the documents of the free system', () => {
  it('are listed by side, ten on a page', async () => {
    sii.on('/mipeAdminDocsRcp.cgi', LISTED)
    const { client } = openTestClient(sii)
    const listed = await client.sfg.list(caller(), 'received', { from: '2026-10-01', to: '2026-10-05', page: 2 })
    expect(listed).toMatchObject({
      more: false,
      entries: [{ rut: '77123456-9', folio: 21, document: 'Factura Electronica' }],
    })
    expect(sii.heard.at(-1)?.path).toContain('mipeAdminDocsRcp.cgi?RUT_EMI=&FOLIO=&RZN_SOC=&FEC_DESDE=2026-10-01')
    await client.close()
  })

  it('are of the only company that a person has, where the SII asks nothing: what comes tells whose they are', async () => {
    sii.on('/mipeSelEmpresa.cgi', {
      body: '<html><body onLoad="location.replace(\'mipeGenFacEx.cgi\')"></body></html>',
    })
    const { client } = openTestClient(sii)
    expect(await client.sfg.list(caller(), 'issued', {})).toMatchObject({ company_known: false })
    expect(await client.sfg.issue(order())).toMatchObject({ folio: 21 })
    sii.on('/mipeDownLoad.cgi', '<SetDTE><DTE><RUTRecep>11111111-1</RUTRecep></DTE></SetDTE>')
    expect(
      await failureOf(client.sfg.download(caller(), 'received', { from: '2026-10-01', to: '2026-10-01' })),
    ).toMatchObject({ reason: 'company_not_authorised' })
    await client.close()
  })

  it('name the companies that a person may work for', async () => {
    const { client } = openTestClient(sii)
    expect(await client.sfg.companies(caller())).toEqual(['11111111-1', RUT])
    await client.close()
  })

  it('are downloaded in parts below the cap: by date, and a day by tipo', async () => {
    const set = (count: number) =>
      `<?xml version="1.0" encoding="ISO-8859-1"?><SetDTE>${'<DTE version="1.0"></DTE>'.repeat(count)}</SetDTE>`
    // 30 documents on the 2nd (25 of them facturas in two halves would not fit: 12 and 18 by tipo), 3 on the 3rd.
    sii.on('/mipeDownLoad.cgi', (response, { path }) => {
      const query = new URLSearchParams(path.split('?')[1])
      const [from = '', to = '', tipo = ''] = ['FEC_DESDE', 'FEC_HASTA', 'TPO_DOC'].map((name) => query.get(name) ?? '')
      const second = from <= '2026-10-02' && '2026-10-02' <= to ? ({ '': 30, 33: 12, 61: 18 }[tipo] ?? 0) : 0
      const third = from <= '2026-10-03' && '2026-10-03' <= to && tipo === '' ? 3 : 0
      const count = second + third
      response.end(count > 20 ? '<html><title>Error al contribuyente</title></html>' : set(count))
    })
    const { client } = openTestClient(sii)
    const files = await client.sfg.download(caller(), 'received', { from: '2026-10-01', to: '2026-10-04' })
    expect(files.map(({ from, to, tipo, documents }) => ({ from, to, tipo, documents }))).toEqual([
      { from: '2026-10-02', to: '2026-10-02', tipo: 33, documents: 12 },
      { from: '2026-10-02', to: '2026-10-02', tipo: 61, documents: 18 },
      { from: '2026-10-03', to: '2026-10-04', tipo: null, documents: 3 },
    ])
    expect(sii.heard.at(-1)?.path).toContain('ORIGEN=RCP')
    await client.close()
  })

  it('are never cut in silence: a day and tipo that fill a download are refused', async () => {
    sii.on('/mipeDownLoad.cgi', `<SetDTE>${'<DTE></DTE>'.repeat(20)}</SetDTE>`)
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.sfg.download(caller(), 'issued', { from: '2026-10-01', to: '2026-10-01' }))
    expect(failure).toMatchObject({ kind: 'refused', reason: 'download_cap' })
    await client.close()
  })
})
