import { X509Certificate } from 'node:crypto'
import { buildEnvioRecibos, buildRecepcionEnvio, buildResultadoDte, createSigner } from '@timbre/dte'
import { completeDraft, renderPdf } from '@timbre/dte/print'
import { beforeEach, describe, expect, it } from 'vitest'
import { certificationOf, keepCertification } from '../src/certification/register.ts'
import { openTrust } from '../src/verify/certificate.ts'
import { checkGrammar } from '../src/verify/grammar/check.ts'
import { grammarOf } from '../src/verify/grammar/grammars.ts'
import { checkAlone, checkInPlace } from '../src/verify/signature.ts'
import { child, children } from '../src/verify/xml/node.ts'
import { parseXml } from '../src/verify/xml/parse.ts'
import {
  answerOf,
  COMPANY,
  documentXml,
  EMPRESA,
  enter,
  envelope,
  PE,
  plantDocument,
  plantUpload,
  salesBook,
  sectionOf,
  wordsOf,
} from './support/certification.ts'
import { type Browser, fieldsOf, liveAlert, type Page } from './support/portal.ts'
import { NOON, useWorld } from './support/world.ts'

const world = useWorld()
const TODAY = '05-10-2026'
const BOXES = { ESFAC: 'S', FACT: 'S', CONIVA: 'S', NC: 'S', ND: 'S' }

beforeEach(async () => {
  await world.control('POST', '/control/reset')
  world.time.now = NOON
  await world.control('POST', '/control/taxpayers', { rut: COMPANY, authorised: false, tipos: [] })
})

/** Applied, with a set in hand. */
async function certifying(sets: Record<string, string> = {}): Promise<Browser> {
  const browser = enter(world)
  await browser.post(`${PE}/pe_confirma`, { ...EMPRESA, ...BOXES, ...sets })
  await browser.post(`${PE}/pe_generar2`, { ...EMPRESA, AUTORIZADA: 'S', SET01: 'S', ...sets })
  return browser
}

/** Fills in the row of a set and sends the page that `pe_avance2` showed. */
async function declare(browser: Browser, label: string, track_id: string, date = TODAY): Promise<Page> {
  const page = await browser.post(`${PE}/pe_avance2`, { ...EMPRESA, ACEPTAR: 'Continuar' })
  const row = page.text.split('</tr>').find((text) => text.includes(`>${label}<`)) ?? ''
  const number = /NUM_ENV(\d+)/.exec(row)?.[1]
  const fields = fieldsOf(page, 'pe_avance3') ?? {}
  const filled = number === undefined ? {} : { [`NUM_ENV${number}`]: track_id, [`FEC_ENV${number}`]: date }
  return browser.post(`${PE}/pe_avance3`, { ...fields, ...filled, ACEPTAR: 'Confirmar Revisión' })
}

const wait = (ms = 5_000) => {
  world.time.now += ms
}
const stateOf = async (browser: Browser, label: string) => {
  const page = await browser.post(`${PE}/pe_avance6`, EMPRESA)
  const row = page.text.split('</tr>').find((text) => text.includes(`>${label}<`)) ?? ''
  return /<b>([^<]*)<\/b>/.exec(row)?.[1]
}
const goOn = async (browser: Browser, PASO: string) =>
  wordsOf(await browser.post(`${PE}/pe_avance4`, { ...EMPRESA, TOTREG: 0, PASO, ACEPTAR: 'Avanzar Siguiente Paso' }))
const jump = (step: string) => world.control('POST', '/control/certifications', { rut: COMPANY, step })

describe('the postulación', () => {
  it('opens the tipos that were ticked in certificación, with folios, and none in producción', async () => {
    const browser = enter(world)
    const first = await browser.get(`${PE}/pe_ingrut`)
    const conditions = await browser.post(`${PE}/pe_condiciones`, { ...fieldsOf(first, 'pe_condiciones'), ...EMPRESA })
    const data = await browser.post(`${PE}/pe_datos_empresa`, fieldsOf(conditions, 'pe_datos_empresa') ?? {})
    expect(data.text).toContain('<input name="SET03" type="checkbox" value="S">')
    const done = await browser.post(`${PE}/pe_confirma`, { ...EMPRESA, ...BOXES, SET03: 'S', BOLELE: 'S' })
    expect(wordsOf(done)).toContain('Ha pasado al paso SET DE PRUEBAS')
    const known = await browser.post('/maullin.sii.cl/cvc_cgi/dte/ee_empresa_rut', EMPRESA)
    for (const tipo of [33, 39, 52, 56, 61]) expect(known.text).toContain(`>${tipo}<`)
    expect(known.text).not.toContain('>34<')
    // Number 0 and the day of the postulación: the pair that its envelopes must carry.
    expect(wordsOf(known)).toContain('N° Resolución 0 Fecha Resolución 05-10-2026')
    expect((await browser.post('/palena.sii.cl/cvc_cgi/dte/ee_empresa_rut', EMPRESA)).text).toContain(
      'no se encuentra autorizado',
    )
    await browser.get(`${PE}/of_solicita_folios`)
    const folios = await browser.post(`${PE}/of_solicita_folios_dcto`, { ...EMPRESA, COD_DOCTO: '' })
    expect(folios.text).toContain('<option value="52">')
    expect(folios.text).not.toContain('<option value="34">')
  })

  it('warns a user of the free system, and lets nobody in who does not administer the company', async () => {
    await world.control('POST', '/control/taxpayers', { rut: COMPANY, sfg: true })
    const page = await enter(world).post(`${PE}/pe_datos_empresa`, EMPRESA)
    expect(wordsOf(page)).toMatch(/Sistema de Facturación Gratuito.*perderá/)
    await world.control('POST', '/control/taxpayers', {
      rut: COMPANY,
      users: [{ rut: '12345678-5', permissions: ['firmar'] }],
    })
    expect(liveAlert(await enter(world).post(`${PE}/pe_confirma`, { ...EMPRESA, ...BOXES }))).toContain(
      'no está autorizado',
    )
    expect(certificationOf(world.simulator, COMPANY)).toBeNull()
  })
})

describe('the sets of tests', () => {
  it('come as text, and a new one voids the one before with what was declared of it', async () => {
    const browser = await certifying()
    await declare(browser, 'SET BASICO', plantUpload(world, 'EnvioDTE', answerOf(sectionOf(world, 'basico'))))
    expect(await stateOf(browser, 'SET BASICO')).toBe('EN REVISION')
    const page = await browser.post(`${PE}/pe_generar2`, { ...EMPRESA, SET01: 'S' })
    expect(page.headers['content-type']).toBe('text/plain')
    expect(page.text).toContain('SET LIBRO DE COMPRAS')
    expect(page.text).not.toContain('SET GUIA DE DESPACHO')
    expect(await stateOf(browser, 'SET BASICO')).toBe('POR REALIZAR')
  })

  it('are worth nothing after two months', async () => {
    const browser = await certifying()
    const track = plantUpload(world, 'EnvioDTE', answerOf(sectionOf(world, 'basico')))
    await world.control('POST', '/control/certifications', { rut: COMPANY, expire_set: true })
    expect(wordsOf(await declare(browser, 'SET BASICO', track))).toContain('SET DE PRUEBAS VENCIDO')
  })
})

describe('what is declared', () => {
  it('is reviewed after a while: right is REVISADO CONFORME, wrong names its case, and can be declared again', async () => {
    const browser = await certifying()
    const section = sectionOf(world, 'basico')
    const wrong = answerOf(section).replace('<NmbItem>Relleno AFECTO</NmbItem>', '<NmbItem>Relleno</NmbItem>')
    await declare(browser, 'SET BASICO', plantUpload(world, 'EnvioDTE', wrong))
    expect(await stateOf(browser, 'SET BASICO')).toBe('EN REVISION')
    wait()
    expect(await stateOf(browser, 'SET BASICO')).toBe('RECHAZADO SRH')
    const page = await browser.post(`${PE}/pe_avance6`, EMPRESA)
    expect(wordsOf(page)).toContain(
      `CASO ${section.attention}-1 - Linea 2: Nombre del item [Relleno] &lt;&gt; [Relleno AFECTO]`,
    )
    await declare(browser, 'SET BASICO', plantUpload(world, 'EnvioDTE', answerOf(section)))
    wait()
    expect(await stateOf(browser, 'SET BASICO')).toBe('REVISADO CONFORME')
    const { data } = await world.control<{ data: { subject: string; text: string }[] }>('GET', '/control/mails')
    expect(data.some(({ text }) => text.includes('REVISADO CONFORME (SOK)'))).toBe(true)
  })

  it('waits for its own set: the sales book is refused until the basic one is approved', async () => {
    const browser = await certifying()
    const section = sectionOf(world, 'basico')
    const book = plantUpload(world, 'LibroCompraVenta', salesBook(section))
    expect(wordsOf(await declare(browser, 'LIBRO DE VENTAS', book))).toContain('No Tiene un SET Basico Aprobado')
    await declare(browser, 'SET BASICO', plantUpload(world, 'EnvioDTE', answerOf(section)))
    wait()
    await declare(browser, 'LIBRO DE VENTAS', book)
    wait()
    expect(await stateOf(browser, 'LIBRO DE VENTAS')).toBe('REVISADO CONFORME')
  })

  it.each<[string, (track: string) => readonly [string, string?], string]>([
    ['the day is not that of the envelope', (track) => [track, '06-10-2026'], 'FECHA NO CORRESPONDE AL ENVIO'],
    ['there is no such envelope', () => ['999'], 'El envio 999 no se encuentra'],
    ['it is a book', () => [plantUpload(world, 'LibroGuia', '<x/>')], 'CONTENIDO NO CORRESPONDE'],
    [
      'a document has reparos',
      () => {
        const reparo = {
          tipo: 33,
          folio: 1,
          emisor: COMPANY,
          receptor: '1-9',
          fecha: '',
          monto: 1,
          outcome: 'reparo',
          findings: [],
        } as const
        const verdict = {
          estado: 'EPR',
          glosa: '',
          findings: [],
          documents: [{ ...reparo, findings: [] }],
          counters: [],
        }
        return [plantUpload(world, 'EnvioDTE', '<x/>', { verdict })]
      },
      'ENVIO CON ERRORES O REPAROS',
    ],
    [
      'it is not processed yet',
      () => [plantUpload(world, 'EnvioDTE', '<x/>', { verdict: null })],
      'no ha sido procesado',
    ],
  ])('is not taken where %s', async (_, how, words) => {
    const browser = await certifying()
    const [track, date] = how(plantUpload(world, 'EnvioDTE', answerOf(sectionOf(world, 'basico'))))
    expect(wordsOf(await declare(browser, 'SET BASICO', track, date))).toContain(words)
    // What the envelope itself is blamed for stays as the state of the set.
    const kept = /^[A-Z ]+$/.test(words)
    expect(await stateOf(browser, 'SET BASICO')).toBe(kept ? 'RECHAZADO SRH' : 'POR REALIZAR')
  })

  it('is refused, or takes long, where a script wants it', async () => {
    const browser = await certifying()
    const track = plantUpload(world, 'EnvioDTE', answerOf(sectionOf(world, 'basico')))
    const finding = { code: 'SRH', glosa: 'CASO 1 - No corresponde' }
    await world.control('POST', '/control/scripts', { kind: 'review_refuse', door: 'certification', times: 1, finding })
    await world.control('POST', '/control/scripts', { kind: 'review_delay', times: 1, ms: 60_000 })
    await declare(browser, 'SET BASICO', track)
    wait()
    expect(await stateOf(browser, 'SET BASICO')).toBe('EN REVISION')
    wait(60_000)
    expect(await stateOf(browser, 'SET BASICO')).toBe('RECHAZADO SRH')
    expect(certificationOf(world.simulator, COMPANY)?.declared.basico?.refusals).toEqual(['CASO 1 - No corresponde'])
  })

  it('is refused by a script that names what is reviewed, and nothing else is', async () => {
    const browser = await certifying({ SET03: 'S' })
    await world.control('POST', '/control/scripts', { kind: 'review_refuse', match: 'SET GUIA DE DESPACHO' })
    for (const [label, kind] of [
      ['SET BASICO', 'basico'],
      ['SET GUIA DE DESPACHO', 'guias'],
    ] as const)
      await declare(browser, label, plantUpload(world, 'EnvioDTE', answerOf(sectionOf(world, kind))))
    wait()
    expect(await stateOf(browser, 'SET BASICO')).toBe('REVISADO CONFORME')
    expect(await stateOf(browser, 'SET GUIA DE DESPACHO')).toBe('RECHAZADO SRH')
    const { guias } = certificationOf(world.simulator, COMPANY)?.declared ?? {}
    expect(guias?.refusals).toEqual(['El set no fue aprobado en la revision'])
  })
})

describe('an act of the certification', () => {
  it('is not done where a script refuses it, in its words; what only looks is not touched', async () => {
    const refuse = (door: string, match: string) =>
      world.control('POST', '/control/scripts', {
        ...{ kind: 'step_refuse', door, match, times: 1, finding: { code: '1', glosa: 'No registra' } },
      })
    const browser = enter(world)
    const acts: readonly (readonly [door: string, match: string, path: string, fields: object])[] = [
      ['certification', 'pe_confirma', `${PE}/pe_confirma`, BOXES],
      ['certification', 'pe_generar2', `${PE}/pe_generar2`, { SET01: 'S' }],
      ['certification', 'pe_avance3', `${PE}/pe_avance3`, {}],
      ['certification', 'pe_avance4', `${PE}/pe_avance4`, {}],
      ['certification', 'pe_avance9', `${PE}/pe_avance9`, {}],
      ['certification_exchange', 'confirm', '/www4.sii.cl/pfeInternet/confirm?re=76543210&dve=3', {}],
      ['certification_samples', 'confirm', '/www4.sii.cl/pdfdteInternet/confirm?re=76543210&dve=3', {}],
      ['certification', 'SET=1', '/www4.sii.cl/certBolElectDteInternet/?SET=1&re=76543210&dve=3', { tipo: '39' }],
    ]
    await browser.post(`${PE}/pe_confirma`, { ...EMPRESA, ...BOXES })
    const before = certificationOf(world.simulator, COMPANY)
    for (const [door, match, path, fields] of acts) {
      await refuse(door, match)
      await browser.post(`${PE}/pe_avance6`, EMPRESA)
      expect([path, liveAlert(await browser.post(path, { ...EMPRESA, ...fields }))]).toEqual([path, 'No registra'])
    }
    expect(certificationOf(world.simulator, COMPANY)).toEqual(before)
    expect((await browser.post(`${PE}/pe_generar2`, { ...EMPRESA, SET01: 'S' })).text).toContain('SET BASICO')
  })

  it('of boletas alone is said to be done before, the second time', async () => {
    const browser = enter(world)
    const apply = async () => wordsOf(await browser.post(`${PE}/pe_confirma`, { ...EMPRESA, BOLELE: 'S' }))
    expect(await apply()).toContain('ha quedado inscrita en Postulación')
    expect(await apply()).toContain('ya se encuentra inscrita en Postulación')
    expect(certificationOf(world.simulator, COMPANY)).toBeNull()
  })
})

describe('the steps', () => {
  it('move only when all is approved, once for each press, with the sentences of the SII', async () => {
    const browser = await certifying()
    expect(liveAlert(await browser.post(`${PE}/pe_avance4`, { ...EMPRESA, PASO: 'P01' }))).toContain('no puede avanzar')
    await jump('SIMULACION')
    expect(await goOn(browser, 'P01')).toContain('ya se encuentra en el paso SIMULACION')
    const documents = Array.from({ length: 10 }, (_, at) =>
      documentXml(33, at + 1, '77123456-9', '', '<MntTotal>1</MntTotal>'),
    )
    await declare(browser, 'SET DE SIMULACION', plantUpload(world, 'EnvioDTE', envelope(documents)))
    wait()
    expect(await goOn(browser, 'P02')).toContain('ha pasado al paso INTERCAMBIO DE INFORMACION')
    expect(await goOn(browser, 'P02')).toContain('ya se encuentra en el paso INTERCAMBIO DE INFORMACION')
  })

  it('end with the declaration of the representante, and the resolution makes the company an emitter', async () => {
    await world.control('POST', '/control/taxpayers', { rut: COMPANY, representatives: ['12345678-5'] })
    const browser = await certifying({ SET03: 'S' })
    const early = await browser.post(`${PE}/pe_avance8`, EMPRESA)
    expect(liveAlert(early)).toContain('no ha finalizado su certificación')
    await jump('DECLARACION DE CUMPLIMIENTO')
    const notice = await browser.post(`${PE}/pe_avance8`, EMPRESA)
    const page = await browser.post(`${PE}/pe_avance8`, fieldsOf(notice, 'pe_avance8') ?? {})
    const boxes = Object.fromEntries(Array.from(page.text.matchAll(/name="(OPC\d)"/g), ([, name = '']) => [name, 'S']))
    expect(Object.keys(boxes)).toHaveLength(8)
    const unticked = await browser.post(`${PE}/pe_avance9`, { ...EMPRESA, ...boxes, OPC8: '', CONFIRMAR: 'x' })
    expect(unticked.text).toContain('OPC1')
    const stranger = enter(world, '11111111-1')
    const refused = await stranger.post(`${PE}/pe_avance9`, { ...EMPRESA, ...boxes, CONFIRMAR: 'x' })
    expect(liveAlert(refused)).toContain('representante legal')
    const done = await browser.post(`${PE}/pe_avance9`, { ...EMPRESA, ...boxes, CONFIRMAR: 'Confirmar Declaración' })
    expect(wordsOf(done)).toContain('fue efectuada')
    const asked = () => browser.post('/palena.sii.cl/cvc_cgi/dte/ee_empresa_rut', EMPRESA)
    expect((await asked()).text).toContain('no se encuentra autorizado')
    wait(10_000)
    const known = await asked()
    for (const tipo of [33, 52, 56, 61]) expect(known.text).toContain(`>${tipo}<`)
    expect(known.text).toMatch(/N° Resolución<\/font><\/td><td><font face="Arial">101</)
  })
})

describe('the exchange', () => {
  const ASKED = '?re=76543210&dve=3'
  const PFE = '/www4.sii.cl/pfeInternet'

  it('hands out two signed documents and wants three signed answers, the stranger’s document refused', async () => {
    const browser = await certifying()
    await jump('INTERCAMBIO DE INFORMACION')
    const given = await browser.get(`${PFE}/downloadFile${ASKED}`)
    expect((await browser.get(`${PFE}/downloadFile${ASKED}`)).text).toBe(given.text)
    const { root } = parseXml(given.bytes)
    expect(checkGrammar(root, grammarOf('EnvioDTE'))).toEqual([])
    const read = openTrust(world.simulator.trusted)
    expect(checkInPlace(child(root, 'Signature'), root.elements[0], read)).toMatchObject({ ok: true })
    for (const dte of children(root.elements[0], 'DTE'))
      expect(checkAlone(dte, child(dte, 'Signature'), dte.elements[0], read)).toMatchObject({ ok: true })
    const exchange = certificationOf(world.simulator, COMPANY)?.exchange
    if (exchange == null) throw new Error('an exchange was begun')
    expect(given.text).toContain(`<DigestValue>${exchange.digest}</DigestValue>`)

    const signer = createSigner(world.person.key, new X509Certificate(world.person.certificate))
    const tmst_firma = '2026-10-05T12:00:00'
    const answer = { responde_rut: COMPANY, recibe_rut: exchange.emisor, tmst_firma }
    const about = ({ tipo, folio, fecha, receptor, monto }: typeof exchange.own) => ({
      tipo_dte: tipo,
      folio,
      issue_date: fecha,
      emisor_rut: exchange.emisor,
      receptor_rut: receptor,
      total: monto,
    })
    const received = (state: 0 | 3) => ({
      file_name: 'ENVIO.xml',
      received_at: tmst_firma,
      code: 1,
      set_id: exchange.set_id,
      digest: exchange.digest,
      emisor_rut: exchange.emisor,
      receptor_rut: COMPANY,
      state: 0 as const,
      documents: [
        { ...about(exchange.own), state: 0 as const },
        { ...about(exchange.other), state },
      ],
    })
    const taken = async (outcome: Promise<{ ok: true; value: string } | { ok: false }>) => {
      const written = await outcome
      if (!written.ok) throw new Error('the answer was not written')
      return written.value
    }
    const put = async (number: number, xml: string) => {
      const form = new FormData()
      form.append('archivo', new Blob([Buffer.from(xml, 'latin1')], { type: 'text/xml' }), 'r.xml')
      const cookie = { Cookie: `TOKEN=${browser.cookies.get('TOKEN')}` }
      await world.post(`${PFE}/uploadFile${number}${ASKED}`, form, cookie)
    }
    await put(1, await taken(buildRecepcionEnvio({ ...answer, number: 1 }, [received(0)], signer)))
    const recibo = { ...about(exchange.own), place: 'Casa Matriz', firma_rut: '12345678-5', tmst_firma }
    await put(2, await taken(buildEnvioRecibos(answer, [recibo], signer)))
    const result = { ...about(exchange.own), envelope_code: 1, state: 0 as const }
    const results = await taken(buildResultadoDte({ ...answer, number: 2 }, [result], signer))
    await put(3, results.replace('<EstadoDTE>0<', '<EstadoDTE>1<'))
    const refused = liveAlert(await browser.post(`${PFE}/confirm${ASKED}`, {}))
    expect(refused).toContain(`RecepcionEnvio - EstadoRecepDTE del folio ${exchange.other.folio} [0] <> [3]`)
    expect(refused).toContain('ResultadoDTE - Firma incorrecta (digest)')
    expect(await goOn(browser, 'P03')).not.toContain('ha pasado al paso')

    await put(1, await taken(buildRecepcionEnvio({ ...answer, number: 1 }, [received(3)], signer)))
    await put(3, results)
    expect(wordsOf(await browser.post(`${PFE}/confirm${ASKED}`, {}))).toContain('REVISADO CONFORME')
    expect(await goOn(browser, 'P03')).toContain('ha pasado al paso DOCUMENTOS IMPRESOS')
  })
})

describe('printed samples', () => {
  const ASKED = '?re=76543210&dve=3'
  const PDF = '/www4.sii.cl/pdfdteInternet'
  const TED =
    `<TED version="1.0"><DD><RE>${COMPANY}</RE><TD>33</TD><F>7</F><FE>2026-10-05</FE><RR>77123456-9</RR><RSR>Perez</RSR><MNT>1190</MNT>` +
    '<IT1>Papel</IT1><TSTED>2026-10-05T11:50:00</TSTED></DD><FRMT algoritmo="SHA1withRSA">x</FRMT></TED>'

  async function print(ted: string, cedible: boolean): Promise<Uint8Array> {
    const dte = completeDraft(
      {
        tipo_dte: 33,
        issue_date: '2026-10-05',
        emisor: {
          rut: COMPANY,
          legal_name: 'Empresa SpA',
          giro: 'Comercio',
          acteco: [476101],
          address: { street: 'Calle 1', comuna: 'Maipú' },
        },
        receptor: {
          rut: '77123456-9',
          legal_name: 'Perez',
          giro: 'Comercio',
          address: { street: 'Calle 2', comuna: 'Maipú' },
        },
        items: [{ description: 'Papel', quantity: 1, unit_price: 1000 }],
      },
      7,
    )
    const resolucion = { numero: 0, fecha: '2014-08-22' }
    return renderPdf(dte, { format: 'letter', ted, resolucion, cedible, created_at: '2026-10-05T15:00:00Z' })
  }

  it('are read by their stamp, compared with the document, asked for with the copy to cede, and reviewed', async () => {
    const browser = await certifying()
    const file = envelope([documentXml(33, 7, '77123456-9', '', '<MntTotal>1190</MntTotal>')])
    const track_id = plantUpload(world, 'EnvioDTE', file)
    plantDocument(world, 33, 7, `<DTE><Documento>${TED.replace('><DD>', '>\n<DD>')}</Documento></DTE>`)
    await jump('DOCUMENTOS IMPRESOS')
    const certification = certificationOf(world.simulator, COMPANY)
    if (certification === null) throw new Error('the company certifies')
    const approved = {
      track_id,
      declared_at: NOON,
      review_at: NOON,
      code: 'SOK',
      refusals: [],
      scripted: null,
    } as const
    keepCertification(world.simulator, { ...certification, declared: { basico: approved } })
    const put = async (pdf: Uint8Array) => {
      const form = new FormData()
      form.append('archivo', new Blob([pdf], { type: 'application/pdf' }), 'muestra.pdf')
      return world.post(`${PDF}/upload${ASKED}`, form, { Cookie: `TOKEN=${browser.cookies.get('TOKEN')}` })
    }
    const plain = await print(TED, false)
    expect((await put(Buffer.concat([plain, Buffer.alloc(520_000)]))).text).toContain('500 KB')
    expect((await put(Buffer.from('%PDF-1.4 nada'))).text).toContain('debe tener el documento')
    expect((await put(await print(TED.replace('1190', '1191'), false))).text).toContain(
      'no corresponde al del documento',
    )
    expect((await put(plain)).text).toContain('Recibido: Tipo 33 Folio 7')
    expect(liveAlert(await browser.post(`${PDF}/confirm${ASKED}`, {}))).toContain(
      'Faltan muestras impresas: Tipo 33 Folio 7 CEDIBLE',
    )
    expect((await put(await print(TED, true))).text).toContain('Tipo 33 Folio 7 CEDIBLE')
    expect(wordsOf(await browser.post(`${PDF}/confirm${ASKED}`, {}))).toContain('EN REVISION')
    wait()
    expect(wordsOf(await browser.get(`${PDF}/status${ASKED}`))).toContain('REVISADO CONFORME')
    expect(await goOn(browser, 'P04')).toContain('ha finalizado con la certificación')
  })
})

describe('boletas', () => {
  const BOL = '/www4.sii.cl/certBolElectDteInternet/'
  const ASKED = 're=76543210&dve=3'

  it('are certified apart: set, review by track id with the RVD, declaration, and then folios in producción', async () => {
    const browser = enter(world)
    const handOut = () => browser.post(`${BOL}?SET=1&${ASKED}`, { tipo: 41, mail: 'dte@ejemplo.cl' })
    let set = await handOut()
    // The next set of a company has other numbers: one that asks for no notes comes soon.
    for (let asked = 1; asked < 20 && /;(1;|;\d+)\r/.test(set.text); asked++) set = await handOut()
    expect(set.text).toMatch(/^Folio;IndExe;NmbItem/)
    const { boletas } = await world.control<{ boletas: { set: { sections: Parameters<typeof answerOf>[0][] } }[] }>(
      'GET',
      '/control/certifications',
    )
    const [section] = boletas[0]?.set.sections ?? []
    if (section === undefined) throw new Error('a set of boletas was handed out')
    const totals = [...answerOf(section).matchAll(/<MntTotal>(\d+)/g)]
    const total = totals.reduce((sum, [, one]) => sum + Number(one), 0)
    const track = plantUpload(world, 'EnvioBOLETA', answerOf(section).replaceAll('EnvioDTE', 'EnvioBOLETA'))
    await browser.post(`${BOL}?SET=2&${ASKED}`, { trackid: track })
    wait()
    expect(wordsOf(await browser.get(`${BOL}?SET=2&${ASKED}`))).toMatch(/SRH.*RVD - No hay reporte/)
    plantUpload(
      world,
      'ConsumoFolios',
      `<ConsumoFolios><D><Caratula><FchInicio>2026-10-05</FchInicio><FchFinal>2026-10-05</FchFinal></Caratula><Resumen><TipoDocumento>41</TipoDocumento><MntTotal>${total}</MntTotal><FoliosEmitidos>3</FoliosEmitidos></Resumen></D></ConsumoFolios>`,
    )
    await browser.post(`${BOL}?SET=2&${ASKED}`, { trackid: track })
    wait()
    expect(wordsOf(await browser.get(`${BOL}?SET=2&${ASKED}`))).toMatch(/REVISADO CONFORME SOK.*P90/)
    expect(liveAlert(await handOut())).toContain('ya está REVISADO CONFORME')
    expect(wordsOf(await browser.post(`${BOL}declare?${ASKED}`, {}))).toContain('P91')
    wait(10_000)
    expect((await browser.post('/palena.sii.cl/cvc_cgi/dte/ee_empresa_rut', EMPRESA)).text).toContain('>41<')
  })
})
