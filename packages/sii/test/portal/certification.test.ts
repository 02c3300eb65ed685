import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Identity, type PostulationOrder, SII_HOSTS } from '../../src/index.ts'
import { failureOf } from '../support/failure-of.ts'
import { newPerson } from '../support/person.ts'
import { alert, bounced, form, loggedIn, page } from '../support/portal.ts'
import { openScriptedSii, openTestClient, type ScriptedSii } from '../support/scripted-sii.ts'

let sii: ScriptedSii
let identity: Identity
let client: ReturnType<typeof openTestClient>['client']

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())

const COMPANY = { RUT_EMP: '', DV_EMP: '' }
const BUTTON = '<input type=submit name=ACEPTAR value="Confirmar Empresa">'
const box = (name: string, words: string, value = 'S') =>
  `<tr><td><input type=checkbox name=${name} value=${value}><td>${words}`
const BOXES = `<table>${[
  'ESFAC',
  'FACT',
  'CONIVA',
  'NC',
  'ND',
  'SET03',
  'SET06',
  'SET72',
  'SET84',
  'SET11',
  'ESBOL',
  'BOLELE',
  'BOLEXE',
]
  .map((name) => box(name, name))
  .join('')}</table>`
const STATEMENTS = Array.from({ length: 8 }, (_, index) => box(`CHK${index}`, `Declaro el punto ${index + 1}.`))
const SET = Buffer.from('SET BASICO - NUMERO DE ATENCIÓN: 4352553\r\n\r\nCASO 4352553-1\r\n\tCajón\t10\r\n', 'latin1')

const row = (label: string, state: string, track = '', fields = '') =>
  `<tr><td>${label}</td><td>${state}</td><td>${track}</td><td>${fields}</td></tr>`
const inputs = (number: string) =>
  `<input type=text name=NUM_ENV${number}> <input type=text name=FEC_ENV${number} maxlength=10>`
const table = (...rows: string[]) =>
  page(
    form(
      'pe_avance3',
      { CONTROL: 'x' },
      `<table><tr><th>Set<th>Estado<th>Envío<th>Declarar</tr>${rows.join('')}</table>${BUTTON}`,
    ),
  )
const TO_DO = table(
  row('SET BASICO', 'POR REALIZAR', '', inputs('01')),
  row('SET LIBRO DE VENTAS', 'POR REALIZAR', '', inputs('02')),
)
const IN_REVIEW = table(
  row('SET BASICO', 'EN REVISI&Oacute;N', '0123456789'),
  row('SET LIBRO DE VENTAS', 'POR REALIZAR'),
)

beforeEach(() => {
  sii.heard.length = 0
  client = openTestClient(sii).client
  sii.on('/CAutInicio.cgi', loggedIn())
  sii.on('/pe_ingrut', page(form('pe_condiciones', COMPANY, BUTTON)))
  sii.on('/pe_condiciones', page(`Condiciones de la postulaci&oacute;n${form('pe_datos_empresa', { ACEPTO: 'S' })}`))
  sii.on('/pe_datos_empresa', page(`Documentos${form('pe_confirma', { NOMBRE: 'Ñandú' }, BOXES)}`))
  sii.on('/pe_confirma', page('La postulación de la empresa ha sido registrada.'))
  sii.on('/pe_generar', page(form('pe_generar1', { ...COMPANY, CODIGO: '7' }, BUTTON)))
  sii.on(
    '/pe_generar1',
    page(
      form(
        'pe_generar2',
        { AUTORIZADA: 'S', TOTAL: '2' },
        `<table>${box('SET01', 'SET BASICO', '1')}${box('SET03', 'SET GUIA', '3')}</table>`,
      ),
    ),
  )
  sii.on('/pe_generar2', { body: SET })
  for (const [first, second] of [
    ['1', '2'],
    ['5', '6'],
    ['7', '8'],
  ]) {
    sii.on(`/pe_avance${first}`, page(form(`pe_avance${second}`, COMPANY, BUTTON)))
  }
  sii.on('/pe_avance2', TO_DO)
  sii.on('/pe_avance3', page('Datos ingresados'))
})

const question = () => ({ user: { kind: 'certificate' as const, identity }, rut: '76543210-3' })
const order = (change: Partial<PostulationOrder> = {}): PostulationOrder => ({
  ...question(),
  tipos: [33, 52],
  accept_loss_of_sfg: false,
  ...change,
})
const heardAt = (program: string) => sii.heard.filter(({ path }) => path.endsWith(`/${program}`))
const sentTo = (program: string) => new URLSearchParams(heardAt(program).at(-1)?.body)

describe('a postulation', () => {
  it('goes over the conditions and the data to pe_confirma, on maullin, and ticks the boxes of its tipos alone', async () => {
    expect(await client.certification.postulate(order())).toEqual({
      ...{ postulated: true, before: false, warning: null },
      sentence: 'La postulación de la empresa ha sido registrada.',
    })
    const steps = sii.heard.filter(({ path }) => path.startsWith('/maullin.sii.cl/cvc_cgi/dte/'))
    expect(steps.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      ...['GET pe_ingrut', 'POST pe_condiciones', 'POST pe_datos_empresa', 'POST pe_confirma'],
    ])
    expect(steps.at(-1)?.headers.referer).toMatch(/\/pe_datos_empresa$/)
    expect(Object.fromEntries(sentTo('pe_condiciones'))).toMatchObject({ RUT_EMP: '76543210', DV_EMP: '3' })
    expect(
      [...sentTo('pe_confirma').keys()].filter(
        (name) => /^[A-Z]+\d*$/.test(name) && name !== 'ACEPTAR' && name !== 'NOMBRE',
      ),
    ).toEqual([...['ESFAC', 'FACT', 'CONIVA', 'NC', 'ND', 'SET03']])
    // As a browser writes a page without a charset.
    expect(heardAt('pe_confirma')[0]?.body).toContain('NOMBRE=%D1and%FA')
  })

  it('for boletas ticks those of boletas, and for 34 also the basic ones', async () => {
    await client.certification.postulate(order({ tipos: [39] }))
    expect([...sentTo('pe_confirma').keys()]).toEqual(expect.arrayContaining(['ESBOL', 'BOLELE']))
    expect(sentTo('pe_confirma').has('FACT')).toBe(false)
    await client.certification.postulate(order({ tipos: [34] }))
    expect([...sentTo('pe_confirma').keys()]).toEqual(expect.arrayContaining(['FACT', 'NC', 'ND', 'SET06']))
  })

  it('ends before it is confirmed where a page warns that the free system is lost, unless that was accepted', async () => {
    const warning =
      'Si usa el Sistema de Facturaci&oacute;n Gratuito del SII, dejar&aacute; de ser usuario de &eacute;l.'
    sii.on('/pe_datos_empresa', page(`<p>${warning}</p>${form('pe_confirma', {}, BOXES)}`))
    const read = 'Si usa el Sistema de Facturación Gratuito del SII, dejará de ser usuario de él.'
    expect(await client.certification.postulate(order())).toEqual({ postulated: false, warning: read })
    expect(heardAt('pe_confirma')).toEqual([])
    const accepted = await client.certification.postulate(order({ accept_loss_of_sfg: true }))
    expect(accepted).toMatchObject({ postulated: true, warning: read })
    expect(heardAt('pe_confirma')).toHaveLength(1)
  })

  it('that was made before is told, and not made again', async () => {
    sii.on('/pe_datos_empresa', page('La empresa ya se encuentra postulada.'))
    expect(await client.certification.postulate(order())).toMatchObject({ postulated: true, before: true })
    expect(heardAt('pe_confirma')).toEqual([])
  })

  it('is refused in the words of the SII, with our name for those that are known', async () => {
    sii.on('/pe_condiciones', page('La empresa no registra Verificaci&oacute;n de Actividades'), alert('Otra cosa'))
    expect(await failureOf(client.certification.postulate(order()))).toMatchObject({
      ...{ kind: 'refused', reason: 'no_activity_verification', sent: false },
      glosa: 'La empresa no registra Verificación de Actividades',
    })
    const other = await failureOf(client.certification.postulate(order()))
    expect(other).toMatchObject({ kind: 'refused', reason: 'other', glosa: 'Otra cosa' })
  })

  it('names a tipo that the page does not offer, and confirms nothing', async () => {
    sii.on('/pe_datos_empresa', page(form('pe_confirma', {}, `<table>${box('FACT', 'Factura')}</table>`)))
    const failure = await failureOf(client.certification.postulate(order({ tipos: [33, 46] })))
    expect(failure).toMatchObject({ kind: 'refused', glosa: expect.stringContaining('46') })
    expect(heardAt('pe_confirma')).toEqual([])
  })

  it('raises the alarm where the page after it is unknown, and says that it may have been done', async () => {
    sii.on('/pe_confirma', page('Gracias'))
    expect(await failureOf(client.certification.postulate(order()))).toMatchObject({
      ...{ kind: 'not_understood', drift: 'confirmation of pe_confirma', sent: true },
    })
    sii.on('/pe_ingrut', page('Bienvenido'))
    expect(await failureOf(client.certification.postulate(order()))).toMatchObject({ sent: false })
  })

  it('whose session is lost at the act does not begin again', async () => {
    sii.on('/pe_confirma', bounced)
    expect(await failureOf(client.certification.postulate(order()))).toMatchObject({ sent: true, token_refused: false })
    expect(heardAt('pe_confirma')).toHaveLength(1)
  })
})

describe('a set', () => {
  it('is asked for with every part that the page offers and comes byte for byte', async () => {
    const { file, asked } = await client.certification.requestSet(question())
    expect(Buffer.from(file)).toEqual(SET)
    expect(asked).toEqual([
      { field: 'SET01', label: 'SET BASICO' },
      { field: 'SET03', label: 'SET GUIA' },
    ])
    expect(Object.fromEntries(sentTo('pe_generar1'))).toEqual({
      ...{ RUT_EMP: '76543210', DV_EMP: '3', CODIGO: '7', ACEPTAR: 'Confirmar Empresa' },
    })
    expect(Object.fromEntries(sentTo('pe_generar2'))).toMatchObject({
      ...{ AUTORIZADA: 'S', TOTAL: '2', SET01: '1', SET03: '3' },
    })
  })

  it('is never a page: one is a refusal or an alarm', async () => {
    sii.on('/pe_generar2', alert('La empresa no est&aacute; en el paso'), page('CASO 1'))
    expect(await failureOf(client.certification.requestSet(question()))).toMatchObject({ kind: 'refused' })
    expect(await failureOf(client.certification.requestSet(question()))).toMatchObject({ drift: 'text of the set' })
    sii.on('/pe_generar2', page('La empresa ya se encuentra en el paso SIMULACION'))
    expect(await failureOf(client.certification.requestSet(question()))).toMatchObject({ reason: 'step_passed' })
    sii.on('/pe_generar1', page('Empresa no ha postulado', 'Set'))
    expect(await failureOf(client.certification.requestSet(question()))).toMatchObject({ reason: 'not_postulated' })
  })
})

describe('the advance', () => {
  it('shows each set with its state, its track id and the step, in our words and in those of the SII', async () => {
    sii.on(
      '/pe_avance2',
      page(`<p>La empresa ya se encuentra en el paso SET DE PRUEBAS.</p><table>
        ${row('SET BASICO', 'REVISADO CONFORME', '0123456789')}${row('SET GUIA DE DESPACHO', 'SOK')}
        ${row('SET LIBRO DE GUIAS', 'SRH')}${row('SET LIBRO DE VENTAS', 'EN REVISI&Oacute;N', '0123456790')}
        ${row('SET BASICO CASO GENERAL DE EMISOR DE FACTURA DE COMPRA', 'POR REALIZAR')}
        ${row('SET FACTURA EXENTA', 'POR REALIZAR')}${row('SET BASICO DOCUMENTOS DE EXPORTACION (1)', 'POR REALIZAR')}
        ${row('SET NUEVO', 'POR REALIZAR')}${row('SET DE SIMULACION', 'FECHA NO CORRESPONDE AL ENVIO')}</table>`),
    )
    const advance = await client.certification.advance(question())
    expect(advance.sets.map(({ kind, state, track_id }) => [kind, state, track_id])).toEqual([
      ['basico', 'approved', '0123456789'],
      ['guias', 'approved', null],
      ['libro_guias', 'refused', null],
      ['libro_ventas', 'in_review', '0123456790'],
      ['factura_compra', 'to_do', null],
      ['exenta', 'to_do', null],
      ['exportacion', 'to_do', null],
      [null, 'to_do', null],
      ['simulacion', 'unknown', null],
    ])
    expect(advance).toMatchObject({
      ...{ step: 'set_de_pruebas', sentence: 'La empresa ya se encuentra en el paso SET DE PRUEBAS.' },
    })
    expect(advance.sets[2]).toMatchObject({ words: 'SRH', label: 'SET LIBRO DE GUIAS' })
  })

  it('without a table and without a known sentence is an alarm, not an empty one', async () => {
    sii.on('/pe_avance2', page('Avance'), page('Empresa no se encuentra autorizada'))
    expect(await failureOf(client.certification.advance(question()))).toMatchObject({
      drift: 'table of sets',
      sent: false,
    })
    expect(await failureOf(client.certification.advance(question()))).toMatchObject({
      reason: 'company_not_authorised',
    })
  })

  it('is also shown by pe_avance6, with the step where no table is left', async () => {
    sii.on(
      '/pe_avance6',
      page('<p>Paso actual: INTERCAMBIO DE INFORMACI&Oacute;N</p>'),
      page('Ha finalizado con la certificación'),
    )
    expect(await client.certification.progress(question())).toMatchObject({ sets: [], step: 'intercambio' })
    expect(await client.certification.progress(question())).toMatchObject({ sets: [], step: 'finished' })
  })
})

describe('a declaration of sets', () => {
  const sets = [
    { kind: 'basico' as const, track_id: '0123456789', date: '2026-11-05' },
    { kind: 'libro_ventas' as const, track_id: '0123456790', date: '2026-11-06' },
  ]

  it('writes track id and date into the fields of the row of each set', async () => {
    const both = table(row('SET BASICO', 'EN REVISION'), row('SET LIBRO DE VENTAS', 'EN REVISION'))
    sii.on('/pe_avance2', TO_DO, both)
    const declared = await client.certification.declare({ ...question(), sets })
    expect(declared).toMatchObject({ taken: ['basico', 'libro_ventas'], refused: [] })
    expect(Object.fromEntries(sentTo('pe_avance3'))).toEqual({
      ...{ NUM_ENV01: '0123456789', FEC_ENV01: '05-11-2026', NUM_ENV02: '0123456790', FEC_ENV02: '06-11-2026' },
      ...{ RUT_EMP: '76543210', DV_EMP: '3', CONTROL: 'x', ACEPTAR: 'Confirmar Empresa' },
    })
  })

  it('believes the table: what it shows as before was not taken, whatever the page answered', async () => {
    sii.on('/pe_avance2', TO_DO, IN_REVIEW)
    sii.on('/pe_avance3', page('No Tiene un SET B&aacute;sico Aprobado'))
    expect(await client.certification.declare({ ...question(), sets })).toMatchObject({
      taken: ['basico'],
      refused: [
        { kind: 'libro_ventas', reason: 'basic_set_not_approved', sentence: 'No Tiene un SET Básico Aprobado' },
      ],
    })
    sii.on('/pe_avance2', TO_DO)
    const none = await client.certification.declare({ ...question(), sets })
    expect(none).toMatchObject({ taken: [], refused: [{ kind: 'basico' }, { kind: 'libro_ventas' }] })
    sii.on('/pe_avance3', page('Datos ingresados'))
    const silent = await failureOf(client.certification.declare({ ...question(), sets }))
    expect(silent).toMatchObject({ kind: 'not_understood', sent: true })
  })

  it('gives each set the sentence that stands in its row in place of a state', async () => {
    sii.on(
      '/pe_avance3',
      table(
        row('SET BASICO', 'El env&iacute;o 0123456789 no se encuentra'),
        row('SET LIBRO DE VENTAS', 'FECHA NO CORRESPONDE'),
      ),
    )
    expect(await client.certification.declare({ ...question(), sets })).toMatchObject({
      taken: [],
      refused: [
        { kind: 'basico', reason: 'other', sentence: 'El envío 0123456789 no se encuentra' },
        { kind: 'libro_ventas', reason: 'wrong_date', sentence: 'FECHA NO CORRESPONDE' },
      ],
    })
  })

  it('is not taken where the table blames it at once, says something else of it or shows it no longer', async () => {
    const basico = { ...question(), sets: sets.slice(0, 1) }
    sii.on('/pe_avance3', table(row('SET BASICO', 'FECHA NO CORRESPONDE')))
    for (const after of [
      table(row('SET BASICO', 'RECHAZADO SRH')),
      table(row('SET BASICO', 'FECHA NO CORRESPONDE', '', inputs('01'))),
      table(row('SET LIBRO DE VENTAS', 'POR REALIZAR')),
    ]) {
      sii.on('/pe_avance2', TO_DO, after)
      expect(await client.certification.declare(basico)).toMatchObject({
        taken: [],
        refused: [{ kind: 'basico', reason: 'wrong_date' }],
      })
    }
  })

  it('that was made before with the same track id is not made again', async () => {
    sii.on('/pe_avance2', IN_REVIEW)
    const again = await client.certification.declare({ ...question(), sets: sets.slice(0, 1) })
    expect(again).toMatchObject({ taken: ['basico'], refused: [] })
    expect(heardAt('pe_avance3')).toEqual([])
  })

  it('of a refused set counts once the table shows the new track id or leaves the old state', async () => {
    const refused = (track: string) => table(row('SET BASICO', 'SRH', track, track === '' ? inputs('01') : ''))
    const basico = { ...question(), sets: sets.slice(0, 1) }
    sii.on('/pe_avance2', refused(''), refused('123456789'))
    expect(await client.certification.declare(basico)).toMatchObject({ taken: ['basico'] })
    sii.on('/pe_avance2', refused(''))
    expect(await failureOf(client.certification.declare(basico))).toMatchObject({ kind: 'not_understood' })
  })

  it('sends nothing where a row or its fields are not those that we know', async () => {
    for (const rows of [
      [row('SET LIBRO DE VENTAS', 'POR REALIZAR', '', inputs('02'))],
      [row('SET BASICO', 'POR REALIZAR', '', '<input type=text name=A><input type=text name=B>')],
      [row('SET BASICO', 'POR REALIZAR', '', inputs('01')), row('SET BASICO', 'POR REALIZAR', '', inputs('02'))],
    ]) {
      sii.on('/pe_avance2', table(...rows))
      const failure = await failureOf(client.certification.declare({ ...question(), sets: sets.slice(0, 1) }))
      expect(failure).toMatchObject({ kind: 'not_understood', sent: false })
    }
    expect(heardAt('pe_avance3')).toEqual([])
  })
})

describe('going on', () => {
  it('reads the sentence: moved, there already, or at the end', async () => {
    sii.on(
      '/pe_avance4',
      page('La empresa ha pasado al paso SIMULACI&Oacute;N.'),
      page('La empresa ya se encuentra en el paso: MUESTRAS IMPRESAS'),
      page('La empresa ha finalizado con la certificación.'),
      page('La empresa ha pasado al paso NUEVO'),
    )
    const said = [1, 2, 3, 4].map(() => client.certification.goOn({ ...question(), from: 'set_de_pruebas' }))
    const [moved, there, finished, unknown] = [await said[0], await said[1], await said[2], await said[3]]
    expect(moved).toMatchObject({ moved: true, step: 'simulacion' })
    expect(there).toMatchObject({ moved: false, step: 'muestras_impresas' })
    expect(finished).toMatchObject({ moved: true, step: 'cumplimiento' })
    expect(unknown).toEqual({ moved: true, step: null, sentence: 'La empresa ha pasado al paso NUEVO' })
  })

  it('is refused or raises the alarm where none of the sentences is there, whatever the status', async () => {
    sii.on(
      '/pe_avance4',
      page('Aun no ha completado el paso SET DE PRUEBAS'),
      page('La empresa no ha finalizado con la certificación'),
      page('Bien'),
    )
    for (const _time of [1, 2]) {
      const refused = await failureOf(client.certification.goOn({ ...question(), from: 'set_de_pruebas' }))
      expect(refused).toMatchObject({ kind: 'refused', reason: 'step_not_finished', retry: 'later' })
    }
    expect(await failureOf(client.certification.goOn({ ...question(), from: 'set_de_pruebas' }))).toMatchObject({
      drift: 'sentence of the step',
      sent: true,
    })
  })
})

describe('compliance', () => {
  const approved_by = { rut: '12345678-5', name: 'Ana Soto' }
  const asks = page(`Mensaje${form('pe_avance8', { OK_MSG: '' })}`)
  const BUTTONS =
    '<input type=submit name=CONFIRMAR value=Confirmar><input type=button name=Salir value="No Confirmar">'
  const declaration = page(form('pe_avance9', { PASO: '9' }, `<table>${STATEMENTS.join('')}</table>${BUTTONS}`))
  beforeEach(() => {
    sii.on('/pe_avance8', asks, declaration)
    sii.on('/pe_avance9', page('La empresa ha finalizado con la certificaci&oacute;n'))
  })

  it('is declared with all eight statements, after pe_avance8 was confirmed, and keeps who approved it', async () => {
    const done = await client.certification.declareCompliance({ ...question(), approved_by })
    expect(done).toMatchObject({ moved: true, step: 'finished', approved_by })
    expect(done.statements).toHaveLength(8)
    expect(done.statements[7]).toBe('Declaro el punto 8.')
    expect(heardAt('pe_avance8').map(({ body }) => new URLSearchParams(body).get('OK_MSG'))).toEqual([null, 'S'])
    // A browser sends the button that was pressed, and only that one.
    expect([...sentTo('pe_avance9').keys()].toSorted()).toEqual(
      [...Array.from({ length: 8 }, (_, index) => `CHK${index}`), 'CONFIRMAR', 'DV_EMP', 'PASO', 'RUT_EMP'].toSorted(),
    )
  })

  it('is shown without declaring it', async () => {
    expect(await client.certification.complianceStatements(question())).toHaveLength(8)
    expect(heardAt('pe_avance9')).toEqual([])
  })

  it('is never declared without a name, nor with other statements than eight', async () => {
    const nobody = { ...question(), approved_by: { rut: '', name: ' ' } }
    await expect(client.certification.declareCompliance(nobody)).rejects.toThrow(TypeError)
    sii.on('/pe_avance8', page(form('pe_avance9', {}, STATEMENTS.slice(1).join(''))))
    const failure = await failureOf(client.certification.declareCompliance({ ...question(), approved_by }))
    expect(failure).toMatchObject({ drift: 'eight statements of pe_avance8', sent: false })
    expect(heardAt('pe_avance9')).toEqual([])
  })

  it('that was declared before is told, and only the representante legal may', async () => {
    sii.on(
      '/pe_avance8',
      page('La empresa ya ha finalizado con la certificación'),
      page('La empresa ya efectuó la Declaración de Cumplimiento'),
      page('Solo el representante legal puede efectuar la Declaración de Cumplimiento'),
    )
    for (const _time of [1, 2]) {
      expect(await client.certification.declareCompliance({ ...question(), approved_by })).toMatchObject({
        ...{ moved: false, step: 'finished', statements: [] },
      })
    }
    const failure = await failureOf(client.certification.declareCompliance({ ...question(), approved_by }))
    expect(failure).toMatchObject({ kind: 'refused', reason: 'representative_needed', sent: false })
  })
})

describe('the exchange', () => {
  it('begins with the envelope of the SII, byte for byte, from www4', async () => {
    const envelope = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><EnvioDTE>ñ</EnvioDTE>', 'latin1')
    sii.on('/pfeInternet/downloadFile', { body: envelope }, page('Sin set'))
    expect(Buffer.from(await client.certification.exchangeEnvelope(question()))).toEqual(envelope)
    expect(sii.heard.at(-1)?.path).toBe('/www4.sii.cl/pfeInternet/downloadFile?re=76543210&dve=3')
    expect(await failureOf(client.certification.exchangeEnvelope(question()))).toMatchObject({ kind: 'not_understood' })
  })
})

describe('an application of the SII whose calls nobody has published', () => {
  it('is never asked at the SII itself: the step is for a person, and nothing leaves', async () => {
    const { client: real, facts } = openTestClient(sii, { hosts: SII_HOSTS })
    const { certification } = real
    const bytes = new Uint8Array()
    const approved_by = { rut: '12345678-5', name: 'Ana Soto' }
    for (const act of [
      certification.answerExchange({ ...question(), reception: bytes, receipts: bytes, results: bytes }),
      certification.submitSamples({ ...question(), samples: [] }),
      certification.samplesReview(question()),
      certification.boletas.requestSet({ ...question(), exempt: false, provider_email: 'dte@nandu.cl' }),
      certification.boletas.requestReview({ ...question(), track_id: '0123456789' }),
      certification.boletas.review({ ...question(), exempt: false }),
      certification.boletas.declareCompliance({ ...question(), approved_by }),
    ]) {
      expect(await failureOf(act)).toMatchObject({ kind: 'refused', reason: 'no_wire', retry: 'never', sent: false })
    }
    expect(facts).toEqual([])
    await real.close()
  })
})
