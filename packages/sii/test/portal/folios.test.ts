import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FolioReason, FoliosUncertain, type Identity, type SiiFailure } from '../../src/index.ts'
import { newPerson } from '../support/person.ts'
import { alert, bounced, form, loggedIn, page } from '../support/portal.ts'
import { openScriptedSii, openTestClient, type Reply, type ScriptedSii } from '../support/scripted-sii.ts'

let sii: ScriptedSii
let identity: Identity

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())

/** With a letter that UTF-8 would write in two bytes: the file must come back byte for byte. */
const CAF = Buffer.from(
  '<?xml version="1.0"?>\n<AUTORIZACION>\n<CAF version="1.0"><DA><RE>76543210-3</RE><RS>ÑANDÚ LTDA</RS><TD>33</TD>' +
    '<RNG><D>101</D><H>150</H></RNG></DA></CAF></AUTORIZACION>',
  'latin1',
)
const TIPOS =
  '<select name=COD_DOCTO><option value="">Elija<option value=33 selected>Factura<option value=39>Boleta</select>'
const OFFER = form(
  'of_genera_folio',
  { NOMUSU: 'ANA', RUT_EMP: '76543210', DV_EMP: '3', FOLIO_INI: '101', FOLIO_FIN: '150', COD_DOCTO: '33', HORA: '12' },
  '<input type=submit name=ACEPTAR value="Obtener Folios">',
)
const RANGES = ['1', '101'].map((from) =>
  form('rf_reobtencion3_folios', {
    RUT_EMP: '76543210',
    FOLIO_INI: from,
    FOLIO_FIN: String(Number(from) + 49),
    DIA: '05',
  }),
)

beforeEach(() => {
  sii.heard.length = 0
  sii.on('/CAutInicio.cgi', loggedIn())
  sii.on('/of_solicita_folios', page(form('of_solicita_folios_dcto', { RUT_EMP: '' })))
  sii.on(
    '/of_solicita_folios_dcto',
    page(form('of_confirma_folio', { MAX_AUTOR: '50', FOLIOS_DISP: '1.012', CONTROL: 'S' }, TIPOS)),
  )
  sii.on('/of_confirma_folio', page(OFFER))
  sii.on('/of_genera_folio', page(form('of_genera_archivo', { FOLIO_INI: '101', FOLIO_FIN: '150' })))
  sii.on('/of_genera_archivo', { body: CAF })
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (failure: SiiFailure) => failure,
  )
const question = (tipo = 33) => ({
  user: { kind: 'certificate' as const, identity },
  ambiente: 'certificacion' as const,
  rut: '76543210-3',
  tipo,
})
const heardAt = (program: string) => sii.heard.filter(({ path }) => path.endsWith(`/${program}`))
const sentTo = (program: string) => new URLSearchParams(heardAt(program).at(-1)?.body)

describe('folios asked for', () => {
  it('come as the bytes of the SII, after five steps, each with the page before it as its referer', async () => {
    const { client } = openTestClient(sii)
    const grant = await client.folios.request({ ...question(), quantity: 50 })
    expect(Buffer.from(grant.file)).toEqual(CAF)
    expect(grant).toMatchObject({ from: 101, to: 150, max_authorised: 50, unused: 1012, tipos: [33, 39] })
    const steps = sii.heard.filter(({ path }) => path.startsWith('/maullin'))
    expect(steps.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      'GET of_solicita_folios',
      'POST of_solicita_folios_dcto',
      'POST of_confirma_folio',
      'POST of_genera_folio',
      'POST of_genera_archivo',
    ])
    expect(steps.map(({ headers }) => headers.referer?.split('/').at(-1))).toEqual([
      undefined,
      'of_solicita_folios',
      'of_solicita_folios_dcto',
      'of_confirma_folio',
      'of_genera_folio',
    ])
    await client.close()
  })

  it('are asked for with what each page holds, what we put in and what its script would add', async () => {
    const { client } = openTestClient(sii)
    await client.folios.request({ ...question(), quantity: 20 })
    expect(heardAt('of_solicita_folios_dcto')[0]?.body).toBe(
      'RUT_EMP=76543210&DV_EMP=3&COD_DOCTO=33&FOLIO_INICIAL=&CANT_DOCTOS=',
    )
    expect(Object.fromEntries(sentTo('of_confirma_folio'))).toMatchObject({
      ...{ RUT_EMP: '76543210', DV_EMP: '3', COD_DOCTO: '33', CANT_DOCTOS: '20', CONTROL: 'S', MAX_AUTOR: '50' },
      ...{ AFECTO_IVA: '', ANOTACION: '', CON_CREDITO: '', CON_AJUSTE: '', FACTOR: '' },
    })
    expect(Object.fromEntries(sentTo('of_genera_folio'))).toMatchObject({
      ...{ NOMUSU: 'ANA', FOLIO_INI: '101', HORA: '12', ACEPTAR: 'Obtener Folios', CON_CREDITO: '0', CON_AJUSTE: '0' },
    })
    await client.close()
  })

  it('are never more than the portal gives at once, and a maximum of 0 bounds nothing', async () => {
    const { client } = openTestClient(sii)
    await client.folios.request({ ...question(), quantity: 900 })
    expect(sentTo('of_confirma_folio').get('CANT_DOCTOS')).toBe('50')
    sii.on('/of_solicita_folios_dcto', page(form('of_confirma_folio', { MAX_AUTOR: '0', FOLIOS_DISP: '0' })))
    await client.folios.request({ ...question(), quantity: 5 })
    expect(sentTo('of_confirma_folio').get('CANT_DOCTOS')).toBe('5')
    await client.close()
  })

  it('of boletas are confirmed twice, the second time with the first folio that the portal proposes', async () => {
    const again = page(
      form(
        'of_confirma_folio',
        { FOLIO_INICIAL: '101', COD_DOCTO: '39' },
        '<input type=submit name=ACEPTAR value="Confirmar Folio Inicial">',
      ),
    )
    sii.on('/of_confirma_folio', again, page(OFFER))
    const { client } = openTestClient(sii)
    expect(await client.folios.request({ ...question(39), quantity: 50 })).toMatchObject({ from: 101 })
    expect(Object.fromEntries(sentTo('of_confirma_folio'))).toMatchObject({
      ...{ FOLIO_INICIAL: '101', ACEPTAR: 'Confirmar Folio Inicial' },
    })
    await client.close()
  })
})

describe('a refusal of folios', () => {
  const SENTENCES: readonly (readonly [FolioReason, Reply, string])[] = [
    [
      'not_authorised',
      page('<p>NO SE AUTORIZA TIMBRAJE ELECTR\u00d3NICO. Tiene folios suficientes.'),
      'NO SE AUTORIZA TIMBRAJE',
    ],
    ['not_authorised', page('No autoriza timbraje'), 'No autoriza timbraje'],
    [
      'no_activity_verification',
      alert('El contribuyente no registra Verificaci\u00f3n de Actividades'),
      'no registra Verificación',
    ],
    ['company_not_authorised', page('La empresa no est\u00e1 autorizada para operar'), 'La empresa no está autorizada'],
    [
      'user_not_authorised',
      page('Usted no est&aacute; autorizado para ingresar a esta opci&oacute;n'),
      'no está autorizado para ingresar',
    ],
    ['no_permission', page('Usuario sin permiso. Estado: 106'), 'Estado: 106'],
    [
      'visit_required',
      page('NO SE AUTORIZA TIMBRAJE. Usted deber\u00e1 presentarse en la oficina del SII'),
      'deberá presentarse',
    ],
    ['max_exceeded', alert('La cantidad debe ser menor o igual al m\u00e1ximo autorizado'), 'menor o igual'],
    ['other', alert('FECHA NO CORRESPONDE'), 'FECHA NO CORRESPONDE'],
  ]

  it.each(SENTENCES)('is %s, with the sentence of the SII, and nothing was asked for', async (reason, reply, words) => {
    sii.on('/of_confirma_folio', reply)
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.folios.request({ ...question(), quantity: 50 }))
    expect(failure).toMatchObject({ kind: 'refused', reason, sent: false, glosa: expect.stringContaining(words) })
    expect(heardAt('of_genera_folio')).toHaveLength(0)
    await client.close()
  })

  it('is told when the company may not stamp the tipo at all', async () => {
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.folios.request({ ...question(61), quantity: 50 }))
    expect(failure).toMatchObject({ kind: 'refused', reason: 'tipo_not_enabled', glosa: 'Elija, Factura, Boleta' })
    await client.close()
  })

  it('is never concluded from a page that lacks its form: that is drift, and it names the form', async () => {
    sii.on('/of_confirma_folio', page('Solicitud de Timbraje'))
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.folios.request({ ...question(), quantity: 50 }))
    expect(failure).toMatchObject({ kind: 'not_understood', drift: 'form to of_genera_folio', sent: false })
    await client.close()
  })
})

describe('folios that may have been granted', () => {
  it.each<[string, string, Reply]>([
    ['no answer', 'of_genera_folio', (response) => response.destroy()],
    ['a lost session', 'of_genera_folio', bounced],
    ['a page nobody knows', 'of_genera_folio', page('Listo')],
    ['a file that did not come', 'of_genera_archivo', { status: 500, body: 'Error 500' }],
    ['a refusal instead of the file', 'of_genera_archivo', page('NO SE AUTORIZA TIMBRAJE')],
  ])(
    'after %s at the act are told as uncertain with their range, and not asked for again',
    async (_, program, reply) => {
      sii.on(`/${program}`, reply)
      const { client } = openTestClient(sii)
      const failure = await failureOf(client.folios.request({ ...question(), quantity: 50 }))
      expect(failure).toBeInstanceOf(FoliosUncertain)
      expect(failure).toMatchObject({ sent: true, range: { from: 101, to: 150 } })
      expect(heardAt('of_genera_folio')).toHaveLength(1)
      await client.close()
    },
  )

  it('are named when the SII says that it granted them before', async () => {
    sii.on('/of_genera_folio', page('Para este contribuyente ya fue autorizado el rango desde 101 hasta 150'))
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.folios.request({ ...question(), quantity: 50 }))
    expect(failure).toMatchObject({ kind: 'refused', reason: 'already_authorised', range: { from: 101, to: 150 } })
    await client.close()
  })

  it('are found in the history of what was stamped, over its pages', async () => {
    const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td><font>${cell}</font>`).join('')}`
    const head = row(['Fecha', 'Cantidad', 'Desde', 'Hasta', 'Mandatario'])
    sii.on(
      '/of_consulta2_folio',
      page(`<table>${head}${row(['05-10-2026', '50', '101', '150', 'ANA SOTO'])}</table>Anterior Siguiente`),
      page(`<table>${head}${row(['01-09-2026', '100', '1', '100', 'ANA SOTO'])}</table>Anterior`),
      page(`<table>${head}</table>`),
      page('Otra cosa'),
    )
    const { client } = openTestClient(sii)
    expect(await client.folios.history(question())).toEqual([
      { date: '2026-09-01', quantity: 100, from: 1, to: 100, person: 'ANA SOTO' },
      { date: '2026-10-05', quantity: 50, from: 101, to: 150, person: 'ANA SOTO' },
    ])
    expect(await client.folios.history(question())).toEqual([])
    expect(await failureOf(client.folios.history(question()))).toMatchObject({ drift: 'table of stamped ranges' })
    await client.close()
  })
})

describe('folios obtained again', () => {
  beforeEach(() => {
    sii.on('/rf_reobtencion1_folios', page(form('rf_reobtencion2_folios', { RUT_EMP: '' })))
    sii.on('/rf_reobtencion2_folios', page(RANGES.join('')))
    sii.on('/rf_reobtencion3_folios', page(form('rf_genera_folio', { FOLIO_INI: '101', FOLIO_FIN: '150' })))
    sii.on('/rf_genera_folio', page(form('rf_genera_archivo', { FOLIO_INI: '101', FOLIO_FIN: '150' })))
    sii.on('/rf_genera_archivo', { body: CAF })
  })

  it('come as the same bytes, from the range that was named', async () => {
    const { client } = openTestClient(sii)
    expect(await client.folios.reobtainable(question())).toEqual([
      { from: 1, to: 50 },
      { from: 101, to: 150 },
    ])
    const caf = await client.folios.reobtain({ ...question(), from: 101, to: 150 })
    expect(Buffer.from(caf.file)).toEqual(CAF)
    expect(sentTo('rf_reobtencion3_folios').get('FOLIO_INI')).toBe('101')
    await client.close()
  })

  it('are looked for on further pages', async () => {
    const pages = RANGES.map((range, index) => page(`${range}${index === 0 ? 'Siguiente' : 'Anterior'}`))
    sii.on('/rf_reobtencion2_folios', ...pages)
    const { client } = openTestClient(sii)
    expect(await client.folios.reobtainable(question())).toHaveLength(2)
    sii.on('/rf_reobtencion2_folios', ...pages)
    const caf = await client.folios.reobtain({ ...question(), from: 101, to: 150 })
    expect(caf).toMatchObject({ from: 101, to: 150 })
    expect(sentTo('rf_reobtencion2_folios').get('PAGINA')).toBe('2')
    await client.close()
  })

  it('are refused when the range is not on the list, and when it was annulled though a form is there', async () => {
    const { client } = openTestClient(sii)
    expect(await failureOf(client.folios.reobtain({ ...question(), from: 7, to: 8 }))).toMatchObject({
      reason: 'range_not_offered',
    })
    sii.on('/rf_reobtencion3_folios', page(`El rango ha sido anulado completamente${form('rf_genera_folio', {})}`))
    expect(await failureOf(client.folios.reobtain({ ...question(), from: 101, to: 150 }))).toMatchObject({
      kind: 'refused',
      reason: 'range_annulled',
    })
    await client.close()
  })
})

describe('folios annulled', () => {
  const order = () => ({ ...question(), from: 110, to: 112, reason: 'No se usarán' })
  const parent = form('af_anular3', { DIA: '05', MES: '10', ANO: '2026', FOLIO_INI: '101', FOLIO_FIN: '150' })

  beforeEach(() => {
    sii.on('/af_anular2', page(parent))
    sii.on('/af_anular3', page(form('af_anular', { CLAVE_INTERNA: 'x' })))
    sii.on('/af_anular', page('El SII ha autorizado la anulaci\u00f3n de los folios'))
  })

  it('are named with the range that holds them, and the reason in the alphabet of the portal', async () => {
    const { client } = openTestClient(sii)
    expect(await client.folios.annul(order())).toEqual({ before: false })
    expect(heardAt('af_anular')[0]?.body).toContain('FOLIO_INI_A=110&FOLIO_FIN_A=112&MOTIVO=No+se+usar%E1n')
    expect(sentTo('af_anular').get('FOLIO_INI')).toBe('101')
    await client.close()
  })

  it('are looked for on further pages, and refused when no range holds them', async () => {
    const other = form('af_anular3', { FOLIO_INI: '1', FOLIO_FIN: '50' })
    sii.on('/af_anular2', page(`${other} Siguiente`), page(parent), page(other))
    const { client } = openTestClient(sii)
    expect(await client.folios.annul(order())).toEqual({ before: false })
    expect(await failureOf(client.folios.annul(order()))).toMatchObject({ reason: 'range_not_offered' })
    await client.close()
  })

  it('are not asked for again when the session was lost at the act: it may have been done', async () => {
    sii.on('/af_anular', bounced)
    const { client } = openTestClient(sii)
    expect(await failureOf(client.folios.annul(order()))).toMatchObject({ estado: 'session_lost', sent: true })
    expect(heardAt('af_anular')).toHaveLength(1)
    await client.close()
  })

  it('twice are annulled; one that the SII received is not', async () => {
    sii.on('/af_anular', page('El rango fue anulado anteriormente'), page('Al menos un folio fue recepcionado'))
    const { client } = openTestClient(sii)
    expect(await client.folios.annul(order())).toEqual({ before: true })
    expect(await failureOf(client.folios.annul(order()))).toMatchObject({ kind: 'refused', reason: 'folio_received' })
    await client.close()
  })
})
