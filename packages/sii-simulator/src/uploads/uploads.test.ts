import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AGENT, EMISOR, openPaper, type Paper, RECEPTOR, uploadForm } from '../../test/support/paper.ts'
import { hasSamples, sample } from '../../test/support/samples.ts'
import { inside, NOON, type Reply, returned, shapeOf, useWorld } from '../../test/support/world.ts'

const UPLOAD = '/maullin.sii.cl/cgi_dte/UPL/DTEUpload'
const STATUS = '/maullin.sii.cl/DTEWS/QueryEstUp.jws'
const DOCUMENT = '/maullin.sii.cl/DTEWS/QueryEstDte.jws'
const ADVANCED = '/maullin.sii.cl/DTEWS/services/QueryEstDteAv'

describe('uploads of the DTE channel', () => {
  const world = useWorld()
  let paper: Paper
  let token: string
  let folio = 0
  /** Two good facturas, written once. */
  let file: Buffer
  let other: Buffer

  const send = (bytes: Uint8Array, changes = {}, headers: Record<string, string> = {}): Promise<Reply> =>
    world.post(UPLOAD, uploadForm(bytes, changes), { Cookie: `TOKEN=${token}`, 'User-Agent': AGENT, ...headers })
  const statusOf = async (bytes: Uint8Array, changes = {}, headers = {}) =>
    inside((await send(bytes, changes, headers)).text, 'STATUS')
  const later = (seconds: number) => {
    world.time.now += seconds * 1_000
  }
  const envelope = (track: string) => world.soap(STATUS, 'getEstUp', ['76543210', '3', track, token])
  const estado = async (track: string) => inside(await envelope(track), 'ESTADO')
  const counters = (xml: string) => Array.from(xml.matchAll(/<([A-Z_]+)>(\d+)<\/\1>/g), ([, name, n]) => `${name} ${n}`)
  const script = (input: object) => world.control('POST', '/control/scripts', input)
  const document = (tipo: string, number: string, monto = '5950', operation = DOCUMENT) =>
    world.soap(operation, 'getEstDte', [
      '12345678',
      '5',
      '76543210',
      '3',
      '77123456',
      '9',
      tipo,
      number,
      '05102026',
      monto,
      token,
    ])
  const uploaded = async (bytes: Uint8Array) => inside((await send(bytes)).text, 'TRACKID')

  beforeAll(async () => {
    paper = await openPaper(world)
    file = await paper.envelope(paper.dte(33, ++folio), paper.dte(33, ++folio))
    other = await paper.envelope(paper.dte(34, 1))
  })
  beforeEach(async () => {
    world.time.now = NOON
    world.simulator.state.reset()
    token = await world.token()
    for (const tipo of [33, 34, 61] as const) paper.cafOf(tipo)
    paper.giveAgain()
  })

  it('refuses folios that it never gave, and the signature of who may only send', async () => {
    world.simulator.state.cafs.clear()
    const verdictOf = async (bytes: Uint8Array) => {
      await send(bytes)
      later(60)
      const { data } = await world.control<{ data: { verdict: unknown }[] }>('GET', '/control/uploads?limit=1')
      return data[0]?.verdict
    }
    const refused = (code: string) => ({ documents: [{ outcome: 'rejected', findings: [{ code }] }] })
    expect(await verdictOf(other)).toMatchObject(refused('CAF-3-903'))
    world.simulator.state.reset()
    paper.giveAgain()
    token = await world.token()
    const users = [{ rut: world.person.rut, permissions: ['enviar'] }]
    await world.control('POST', '/control/taxpayers', { rut: EMISOR, users })
    expect(await verdictOf(other)).toMatchObject(refused('DTE-3-902'))
  })

  it('walks an envelope from received to processed as its clock goes', async () => {
    const answer = await send(file)
    expect(inside(answer.text, 'STATUS')).toBe('0')
    const track = inside(answer.text, 'TRACKID')
    expect(track).toMatch(/^\d{10}$/)
    expect(await estado(track)).toBe('REC')
    later(1)
    expect(['SOK', 'CRT', 'FOK', 'PRD']).toContain(await estado(track))
    later(1)
    const processed = await envelope(track)
    expect(inside(processed, 'ESTADO')).toBe('EPR')
    expect(counters(processed).slice(0, 5)).toEqual([
      'TIPO_DOCTO 33',
      'INFORMADOS 2',
      'ACEPTADOS 2',
      'RECHAZADOS 0',
      'REPAROS 0',
    ])
    expect(await estado(track.replace(/^0+/, ''))).toBe('EPR')
    expect(inside(await document('33', '1'), 'ESTADO')).toBe('DOK')
  })

  it('answers the same bytes with the track id that they have', async () => {
    const track = await uploaded(file)
    const again = (await send(file)).text
    expect(inside(again, 'STATUS')).toBe('99')
    expect(inside(again, 'ERROR')).toBe(`Archivo ya fue enviado 1 veces con Trackid ${track}`)
    expect(inside((await send(file)).text, 'ERROR')).toContain('enviado 2 veces')
    later(5)
    expect(world.simulator.state.uploads.count()).toBe(1)
  })

  it('refuses at the door with the codes of the manual', async () => {
    expect((await send(file, {}, { 'User-Agent': 'curl/8' })).text).toContain('Error 501')
    expect((await send(file, {}, { Cookie: '' })).text).toContain('Error 501')
    expect(await statusOf(file, {}, { Cookie: 'TOKEN=unknown' })).toBe('5')
    expect(await statusOf(file, {}, { Cookie: `TOKEN=${await world.token('boleta')}` })).toBe('5')
    expect(await statusOf(Buffer.from('<a/>'))).toBe('2')
    expect(await statusOf(file.subarray(0, -200))).toBe('3')
    expect(await statusOf(file, { dvCompany: '4' })).toBe('4')
    expect(await statusOf(file, { rutSender: '11111111', dvSender: '1' })).toBe('1')
    expect(await statusOf(Buffer.from(`<Otro version="1.0">${'x'.repeat(60)}</Otro>`))).toBe('7')
    const wrongVersion = Buffer.from(
      file.toString('latin1').replace(/(<EnvioDTE[^>]*version=")1.0/, (_, head: string) => `${head}3.2`),
      'latin1',
    )
    expect((await send(wrongVersion)).text).toContain('LSX-00265: attribute "version" value "3.2" is wrong')
    await world.control('POST', '/control/taxpayers', {
      rut: EMISOR,
      users: [{ rut: '12345678-5', permissions: ['firmar'] }],
    })
    expect(await statusOf(file)).toBe('1')
    await world.control('POST', '/control/taxpayers', { rut: EMISOR, users: null, authorised: false })
    expect(await statusOf(file)).toBe('6')
    expect(world.simulator.state.uploads.count()).toBe(0)
  })

  it('lets a company that nobody registered in only while registration is open', async () => {
    await world.control('POST', '/control/settings', { open_registration: false })
    expect(await statusOf(file)).toBe('6')
    await world.control('POST', '/control/settings', { open_registration: true })
    const track = await uploaded(file)
    later(5)
    expect(await estado(track)).toBe('EPR')
    expect(world.simulator.state.taxpayers.get(EMISOR)).toMatchObject({
      name: 'Comercial Ñandú SpA',
      resolutions: { certificacion: { number: 0, date: '2014-08-22' }, produccion: null },
    })
  })

  it('refuses the whole for a resolution other than the one on record, with the reason in the e-mail', async () => {
    await world.control('POST', '/control/taxpayers', {
      rut: EMISOR,
      sii_mailbox: 'sii@empresa.cl',
      resolutions: { certificacion: { number: 0, date: '2020-01-01' } },
    })
    const track = await uploaded(file)
    later(5)
    expect(await estado(track)).toBe('RCT')
    const [mail] = world.simulator.state.mails.values()
    expect(mail).toMatchObject({ to: 'sii@empresa.cl', attachment: { name: `ResultadoEnvio_${track}.xml` } })
    expect(mail?.attachment?.xml).toContain('CRT-3-19')
    expect(inside(await document('33', '1'), 'ESTADO')).toBe('FAU')
  })

  it('refuses one folio of an envelope, and says which in the e-mail only', async () => {
    await script({
      door: 'dte_upload',
      kind: 'refuse',
      folio: 2,
      times: 1,
      finding: { code: 'DTE-3-505', glosa: 'Firma DTE Incorrecta' },
    })
    const track = await uploaded(file)
    later(5)
    const answer = await envelope(track)
    expect(counters(answer).slice(0, 5)).toEqual([
      'TIPO_DOCTO 33',
      'INFORMADOS 2',
      'ACEPTADOS 1',
      'RECHAZADOS 1',
      'REPAROS 0',
    ])
    const xml = world.simulator.state.mails.values()[0]?.attachment?.xml ?? ''
    expect(xml).toContain('<FOLIO>2</FOLIO><TIPODTE>33</TIPODTE><ESTADO>RCH - DTE Rechazado</ESTADO>')
    expect(xml).toContain('(DTE-3-505) Firma DTE Incorrecta')
    expect(xml).not.toContain('<FOLIO>1</FOLIO>')
    expect(inside(await document('33', '2'), 'ESTADO')).toBe('FAU')
    expect(inside(await document('33', '1'), 'ESTADO')).toBe('DOK')
  })

  it('loses, holds up and observes what a script wants', async () => {
    await script({ door: 'dte_upload', kind: 'vof', times: 1 })
    const lost = await uploaded(file)
    later(5)
    expect(await estado(lost)).toBe('VOF')
    // It may come again: the SII does not have it.
    await script({ door: 'dte_upload', kind: 'answer_then_lose', times: 1 })
    const forgotten = await uploaded(file)
    later(5)
    expect(await estado(forgotten)).toBe('-11')
    await script({ door: 'dte_upload', kind: 'reparo', times: 1 })
    const observed = await uploaded(file)
    later(5)
    expect(counters(await envelope(observed)).slice(3, 5)).toEqual(['RECHAZADOS 0', 'REPAROS 2'])
    await script({ door: 'dte_upload', kind: 'stuck_crt', times: 1 })
    const stuck = await uploaded(other)
    later(3 * 86_400)
    token = await world.token()
    expect(await estado(stuck)).toBe('CRT')
    expect(await world.control('POST', '/control/uploads/release')).toEqual({ released: 1 })
    expect(await estado(stuck)).toBe('EPR')
    await script({ door: 'dte_upload', kind: 'upload_status', status: 9, times: 1 })
    expect(await statusOf(await paper.envelope(paper.dte(34, 2)))).toBe('9')
  })

  it('judges a file as of the hour it came, however late its verdict', async () => {
    // By then the certificate that signed it has expired.
    await script({ door: 'dte_upload', kind: 'verdict_delay', ms: 1_500 * 86_400_000, times: 1 })
    await uploaded(file)
    const verdict = async () => {
      await world.control('GET', '/control')
      return world.simulator.state.uploads.values()[0]?.verdict
    }
    later(1_499 * 86_400)
    expect(await verdict()).toBeNull()
    later(2 * 86_400)
    expect(await verdict()).toMatchObject({ estado: 'EPR', counters: [{ informados: 2, aceptados: 2 }] })
  })

  it('refuses a folio that it has received already, and takes one that it refused', async () => {
    await uploaded(file)
    later(5)
    const again = await paper.envelope(
      paper.dte(33, 1, {
        receptor: { rut: RECEPTOR, legal_name: 'Otra', giro: 'x', address: { street: 'y', comuna: 'Maipú' } },
      }),
    )
    const track = await uploaded(again)
    later(5)
    expect(counters(await envelope(track)).slice(1, 4)).toEqual(['INFORMADOS 1', 'ACEPTADOS 0', 'RECHAZADOS 1'])
    expect(world.simulator.state.mails.values().at(-1)?.attachment?.xml).toContain('DTE-3-101')
    await script({ door: 'dte_upload', kind: 'refuse', times: 1 })
    await uploaded(other)
    const after = await uploaded(await paper.envelope(paper.dte(34, 1, { issue_date: '2026-10-04' })))
    later(5)
    expect(counters(await envelope(after)).slice(0, 3)).toEqual(['TIPO_DOCTO 34', 'INFORMADOS 1', 'ACEPTADOS 1'])
  })

  it('answers about a document what it knows of it', async () => {
    await uploaded(file)
    later(5)
    const of = async (tipo: string, number: string, monto?: string) =>
      inside(await document(tipo, number, monto), 'ESTADO')
    expect(await of('33', '1', '5951')).toBe('DNK')
    expect(await of('33', '3')).toBe('FAU')
    expect(await of('33', '2000')).toBe('FNA')
    world.simulator.state.annulled_folios.put(`certificacion:${EMISOR}:033:0000000004`, { at: NOON, by: '12345678-5' })
    expect(await of('33', '4')).toBe('FAN')
    await world.control('POST', '/control/taxpayers', { rut: EMISOR, tipos: [33] })
    expect(await of('34', '1')).toBe('EMP')
    const note = paper.dte(61, 1, { references: [{ tipo_dte: 33, folio: 1, date: '2026-10-05', code: 1 }] })
    await world.control('POST', '/control/taxpayers', { rut: EMISOR, tipos: null })
    await uploaded(await paper.envelope(note))
    later(5)
    expect(await of('33', '1')).toBe('ANC')
    expect(await of('61', '1')).toBe('DOK')
  })

  it('tells a signed document by its signature', async () => {
    const track = await uploaded(file)
    later(5)
    await estado(track)
    const signature = world.simulator.state.documents.values()[0]?.signature_value ?? ''
    const ask = (firma: string) =>
      world.soap(ADVANCED, 'getEstDteAv', [
        '76543210',
        '3',
        '77123456',
        '9',
        '33',
        '1',
        '05102026',
        '5950',
        firma,
        token,
      ])
    const known = await ask(signature)
    expect([inside(known, 'RECIBIDO'), inside(known, 'ESTADO'), inside(known, 'TRACKID')]).toEqual(['SI', 'DOK', track])
    expect(inside(await ask('AAAA'), 'ESTADO')).toBe('DNK')
  })

  it('takes the report of boletas by the same door, and ends it without counters', async () => {
    const track = await uploaded(await paper.consumo())
    later(5)
    const answer = await envelope(track)
    expect(inside(answer, 'ESTADO')).toBe('EPR')
    expect(answer).not.toContain('RESP_BODY')
  })

  it('refuses as a whole what has no documents, where a script wants it refused', async () => {
    await script({ door: 'dte_upload', kind: 'refuse', times: 1 })
    const track = await uploaded(await paper.consumo())
    later(5)
    expect(await estado(track)).toBe('RCH')
  })

  it('asks for a token, and for a permission in the company', async () => {
    const track = await uploaded(file)
    const ask = (with_: string) => world.soap(STATUS, 'getEstUp', ['76543210', '3', track, with_])
    expect(inside(await ask('nobody'), 'ESTADO')).toBe('001')
    await world.control('POST', '/control/taxpayers', { rut: EMISOR, users: [] })
    expect(inside(await ask(token), 'ESTADO')).toBe('106')
  })

  it.skipIf(!hasSamples)('answers in the shape of the samples', async () => {
    const plain = (name: string) => shapeOf(sample(`responses/${name}`))
    const soap = (name: string) => shapeOf(returned(sample(`responses/${name}`)))
    const first = (await send(file)).text
    expect(shapeOf(first)).toEqual(plain('DTEUpload-ok.xml'))
    expect(shapeOf((await send(file)).text)).toEqual(plain('DTEUpload-status99-duplicate.xml'))
    expect(shapeOf((await send(file, {}, { Cookie: 'TOKEN=x' })).text)).toEqual(plain('DTEUpload-status5.xml'))
    expect(shapeOf((await send(file, {}, { Cookie: '' })).text)).toEqual(plain('DTEUpload-no-session.html'))
    const wrong = await send(Buffer.from(`<Otro>${'x'.repeat(60)}</Otro>`))
    expect(new Set(shapeOf(wrong.text))).toEqual(new Set(plain('DTEUpload-status7-schema.xml')))
    later(5)
    const track = inside(first, 'TRACKID')
    expect(shapeOf(await envelope(track))).toEqual(soap('QueryEstUp-EPR-accepted.soap.xml'))
    expect(shapeOf(await world.soap(STATUS, 'getEstUp', ['76543210', '3', track, 'x']))).toEqual(
      soap('QueryEstUp-token-no-existe.soap.xml'),
    )
    const mixed = await uploaded(await paper.envelope(paper.dte(33, 3), paper.dte(34, 3), paper.dte(52, 3)))
    later(5)
    expect(shapeOf(await envelope(mixed))).toEqual(soap('QueryEstUp-EPR-mixed.soap.xml'))
    const before = await document('33', '1')
    const note = paper.dte(61, 1, { references: [{ tipo_dte: 33, folio: 1, date: '2026-10-05', code: 1 }] })
    await uploaded(await paper.envelope(note))
    later(5)
    const states = [
      ['DOK', before],
      ['FAU', await document('33', '4')],
      ['ANC', await document('33', '1')],
    ] as const
    for (const [name, answer] of states) {
      expect(inside(answer, 'ESTADO')).toBe(name)
      expect(shapeOf(answer)).toEqual(soap(`QueryEstDte-${name}.soap.xml`))
    }
    await script({ kind: 'refuse', door: 'dte_upload', times: null })
    const bad = await uploaded(await paper.envelope(paper.dte(33, 5), paper.dte(34, 5), paper.dte(52, 5)))
    await world.control('DELETE', '/control/scripts')
    later(5)
    expect(counters(await envelope(bad))).toContain('RECHAZADOS 1')
    expect(shapeOf(await envelope(bad))).toEqual(soap('QueryEstUp-EPR-all-rejected.soap.xml'))
    await world.control('POST', '/control/taxpayers', {
      rut: EMISOR,
      resolutions: { certificacion: { number: 1, date: '2020-01-01' } },
    })
    const refused = await uploaded(other)
    later(5)
    expect(shapeOf(await envelope(refused))).toEqual(soap('QueryEstUp-RCT.soap.xml'))
  })
})
