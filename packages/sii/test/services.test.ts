import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallFact, Identity, SiiClient } from '../src/index.ts'
import { boletaSeed, boletaToken, respuesta, seed, soap, TOKEN, token } from './support/answers.ts'
import { failureOf } from './support/failure-of.ts'
import { newPerson } from './support/person.ts'
import { openScriptedSii, openTestClient, type Reply, type ScriptedSii } from './support/scripted-sii.ts'

let sii: ScriptedSii
let client: SiiClient
let facts: CallFact[]
let caller: { identity: Identity; ambiente: 'certificacion' }

beforeAll(async () => {
  sii = await openScriptedSii()
  sii.on('/CrSeed.jws', seed())
  sii.on('/GetTokenFromSeed.jws', token())
  sii.on('/boleta.electronica.semilla', boletaSeed())
  sii.on('/boleta.electronica.token', boletaToken())
  ;({ client, facts } = openTestClient(sii))
  caller = { identity: newPerson(), ambiente: 'certificacion' }
})
afterAll(async () => {
  await client.close()
  await sii.close()
})
beforeEach(() => {
  sii.heard.length = 0
})

const company_rut = '76543210-3'
const document = {
  emisor_rut: company_rut,
  receptor_rut: '60803000-K',
  tipo_dte: 33,
  folio: 60,
  issue_date: '2026-10-05',
  total: 119000,
}
const envelope = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\n<EnvioDTE>Ñuñoa</EnvioDTE>', 'latin1')
const file = { company_rut, file_name: 'Envío 1.xml', bytes: envelope }
const reception = (status: string, more = '', root = 'RECEPCIONDTE') =>
  `<?xml version="1.0"?><${root}><STATUS>${status}</STATUS>${more}</${root}>`
const partsOf = (body = '') =>
  Array.from(body.matchAll(/<(\w+) xsi:type="xsd:string">([^<]*)</g), ([, name, value]) => `${name}=${value}`)

describe('an upload', () => {
  it('has its fields before its file, a length, the agent that the SII asks for and the bytes untouched', async () => {
    sii.on('/DTEUpload', reception('0', '<TRACKID>0000000012</TRACKID>'))
    await client.dte.upload(caller, file)
    const { headers, body, path } = sii.heard.at(-1) ?? expect.unreachable('nothing was sent')
    const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1]
    const field = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    expect(body).toBe(
      field('rutSender', '12345678') +
        field('dvSender', '5') +
        field('rutCompany', '76543210') +
        field('dvCompany', '3') +
        `--${boundary}\r\nContent-Disposition: form-data; name="archivo"; filename="Env_o_1.xml"\r\n` +
        `Content-Type: text/xml\r\n\r\n${envelope.toString('latin1')}\r\n--${boundary}--\r\n`,
    )
    expect(path).toBe('/maullin.sii.cl/cgi_dte/UPL/DTEUpload')
    expect(headers['user-agent']).toContain('PROG 1.0')
    expect(headers.cookie).toBe(`TOKEN=${TOKEN}`)
    expect(headers['content-length']).toBe(String(body.length))
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  it.each([
    ['1', 'refused', 'never', false],
    ['2', 'refused', 'never', false],
    ['3', 'unreachable', 'later', false],
    ['6', 'refused', 'never', false],
    ['7', 'refused', 'never', false],
    ['8', 'refused', 'never', false],
    ['9', 'unreachable', 'minutes', false],
    ['10', 'unreachable', 'later', true],
    ['37', 'unreachable', 'later', true],
  ])('with status %s is %s, to be tried %s', async (status, kind, retry, sent) => {
    sii.on('/DTEUpload', reception(status))
    expect(await failureOf(client.dte.upload(caller, file))).toMatchObject({ kind, retry, sent, estado: status })
  })

  it.each([
    ['1', 'refused', 'never'],
    ['4', 'refused', 'never'],
    ['6', 'refused', 'never'],
    ['9', 'unreachable', 'later'],
    ['10', 'unreachable', 'later'],
  ])('of a cesión with status %s is %s, to be tried %s', async (status, kind, retry) => {
    sii.on('/RTCAnotEnvio.cgi', reception(status, '', 'RECEPCIONAEC'))
    const failure = await failureOf(client.cesion.upload(caller, { ...file, notify_email: 'pagos@empresa.cl' }))
    expect(failure).toMatchObject({ kind, retry, estado: status })
    expect(sii.heard.at(-1)?.body).toMatch(/name="emailNotif"\r\n\r\npagos@empresa.cl\r\n/)
    expect(sii.heard.at(-1)?.body).not.toContain('rutSender')
  })

  it.each<[string, Reply]>([
    ['TRACKID', reception('0')],
    ['TRACKID', reception('0', '<TRACKID>pronto</TRACKID>')],
    ['earlier track id of status 99', reception('99', '<DETAIL><ERROR>Archivo ya fue enviado</ERROR></DETAIL>')],
    ['STATUS', '<RECEPCIONDTE><ESTADO>0</ESTADO></RECEPCIONDTE>'],
    ['RECEPCIONDTE', '<RESPUESTA/>'],
    ['RECEPCIONDTE', 'Recibido conforme'],
    ['well-formed XML (not_well_formed)', '<RECEPCIONDTE><STATUS>0</ESTADO></RECEPCIONDTE>'],
  ])('raises the alarm when its receipt has lost %s', async (drift, reply) => {
    sii.on('/DTEUpload', reply)
    expect(await failureOf(client.dte.upload(caller, file))).toMatchObject({
      kind: 'not_understood',
      drift,
      sent: true,
    })
  })

  it.each<[string, Reply]>([
    ['plain text with status 200', 'Error 500'],
    ['nothing', ''],
    ['a gateway that gave up', { status: 504, body: 'upstream timeout' }],
    ['XML cut on its way', '<RECEPCIONDTE><STATUS>0</STATUS>'],
  ])('answered with %s is bad weather, and may have arrived', async (_name, reply) => {
    sii.on('/DTEUpload', reply)
    expect(await failureOf(client.dte.upload(caller, file))).toMatchObject({ kind: 'unreachable', sent: true })
  })

  it('that comes too fast waits for minutes', async () => {
    sii.on('/DTEUpload', { status: 429, body: 'Too Many Requests' })
    expect(await failureOf(client.dte.upload(caller, file))).toMatchObject({ kind: 'unreachable', retry: 'minutes' })
  })
})

describe('the state of an envelope', () => {
  const up = (header: string, body = '') => soap('getEstUp', respuesta(header, body))
  const ask = () => client.dte.envelopeStatus(caller, { company_rut, track_id: '0260003916' })
  const counters = (tipo: number, informed: number, accepted: number, rejected: number, reparos: number) =>
    `<TIPO_DOCTO>${tipo}</TIPO_DOCTO><INFORMADOS>${informed}</INFORMADOS><ACEPTADOS>${accepted}</ACEPTADOS>` +
    `<RECHAZADOS>${rejected}</RECHAZADOS><REPAROS>${reparos}</REPAROS>`

  it('is asked for by the arguments of the service, in its order', async () => {
    sii.on('/QueryEstUp.jws', up('<ESTADO>REC</ESTADO>'))
    await ask()
    expect(partsOf(sii.heard.at(-1)?.body)).toEqual([
      'RutCompania=76543210',
      'DvCompania=3',
      'TrackId=0260003916',
      `Token=${TOKEN}`,
    ])
    expect(sii.heard.at(-1)?.headers.soapaction).toBe('""')
    expect(sii.heard.at(-1)?.body).toContain('xmlns:ws="https://maullin.sii.cl/DTEWS/QueryEstUp.jws"')
  })

  it.each([
    ...['REC', 'SOK', 'CRT', 'FOK', 'PRD', 'PDR'].map((estado) => [estado, 'pending', false, true] as const),
    ...['RLV', 'RPR'].map((estado) => [estado, 'reparo', true, true] as const),
    ...['RSC', 'RFR', 'RCT', 'RPT', 'RCH', 'RCO'].map((estado) => [estado, 'rejected', true, true] as const),
    ['VOF', 'lost', true, true] as const,
    ['LSO', 'pending', false, true] as const,
    ['LOK', 'accepted', true, true] as const,
    ...['LRH', 'LNC', 'LRS', 'LRF', 'LRC'].map((estado) => [estado, 'rejected', true, true] as const),
    ['XYZ', 'pending', false, false] as const,
  ])('%s is %s', async (estado, outcome, processed, known) => {
    sii.on('/QueryEstUp.jws', up(`<ESTADO>${estado}</ESTADO>`))
    expect(await ask()).toMatchObject({ estado, outcome, processed, known })
    expect(facts.at(-1)).toMatchObject({ operation: 'getEstUp', estado, outcome: known ? 'ok' : 'not_understood' })
  })

  it('of a file without documents is processed without counters, and those that it has are read', async () => {
    const asked = { company_rut, track_id: '0260003916', may_count_nothing: true }
    sii.on('/QueryEstUp.jws', up('<ESTADO>EPR</ESTADO>'))
    expect(await client.dte.envelopeStatus(caller, asked)).toMatchObject({ outcome: 'accepted', by_tipo: [] })
    sii.on('/QueryEstUp.jws', up('<ESTADO>EPR</ESTADO>', counters(33, 1, 0, 1, 0)))
    expect(await client.dte.envelopeStatus(caller, asked)).toMatchObject({ outcome: 'rejected' })
  })

  it.each([
    [[2, 2, 0, 0], 'accepted'],
    [[1, 0, 0, 1], 'reparo'],
    [[3, 0, 3, 0], 'rejected'],
    [[2, 1, 1, 0], 'mixed'],
    // Counters that do not add up say nothing of anybody.
    [[1, 0, 0, 0], 'mixed'],
    [[1, 1, 0, 1], 'mixed'],
  ] as const)('EPR with the counters %j is %s', async ([informed, accepted, rejected, reparos], outcome) => {
    sii.on('/QueryEstUp.jws', up('<ESTADO>EPR</ESTADO>', counters(33, informed, accepted, rejected, reparos)))
    expect(await ask()).toMatchObject({ outcome, processed: true, by_tipo: [{ tipo_dte: 33, outcome }] })
  })

  it('is counted whatever else stands among its counters', async () => {
    const more = '<GLOSA>Se informan</GLOSA>'
    sii.on('/QueryEstUp.jws', up('<ESTADO>EPR</ESTADO>', `${more}${counters(33, 1, 1, 0, 0)}${more}`))
    expect(await ask()).toMatchObject({ outcome: 'accepted', by_tipo: [{ tipo_dte: 33, accepted: 1 }] })
  })

  it.each([
    ['-11', 'refused', 'later'],
    ['-12', 'unreachable', 'later'],
    ['-6', 'refused', 'minutes'],
    ['106', 'refused', 'minutes'],
  ])('is not known when the question itself fails with %s', async (estado, kind, retry) => {
    sii.on('/QueryEstUp.jws', up(`<ESTADO>${estado}</ESTADO><GLOSA>no</GLOSA>`))
    expect(await failureOf(ask())).toMatchObject({ kind, retry, estado, glosa: 'no' })
  })

  it('is not found under a track id: the SII answered, and what it adds in codes is kept where it has no words', async () => {
    sii.on('/QueryEstUp.jws', up('<ESTADO>-11</ESTADO><ERR_CODE>2</ERR_CODE><SRV_CODE>1</SRV_CODE>'))
    const expected = { kind: 'refused', reason: 'envelope_not_found', glosa: 'ERR_CODE 2, SRV_CODE 1' }
    expect(await failureOf(ask())).toMatchObject(expected)
  })

  it.each([
    ['counters of EPR', up('<ESTADO>EPR</ESTADO>')],
    [
      'REPAROS',
      up(
        '<ESTADO>EPR</ESTADO>',
        '<TIPO_DOCTO>33</TIPO_DOCTO><INFORMADOS>1</INFORMADOS><ACEPTADOS>1</ACEPTADOS><RECHAZADOS>0</RECHAZADOS>',
      ),
    ],
    ['ACEPTADOS', up('<ESTADO>EPR</ESTADO>', counters(33, 1, -1, 0, 0))],
    ['ESTADO', up('<GLOSA>x</GLOSA>')],
    ['RESP_HDR', soap('getEstUp', '<RESPUESTA/>')],
    ['RESPUESTA', soap('getEstUp', '<OTRA/>')],
    ['RESPUESTA', soap('getEstUp', 'sin novedad')],
    ['getEstUpReturn', soap('getEstUp', '').replaceAll('getEstUpReturn', 'salida')],
    ['getEstUpResponse', soap('getOther', '')],
    ['SOAP envelope', '<a/>'],
  ])('raises the alarm when the answer has lost %s', async (drift, reply) => {
    sii.on('/QueryEstUp.jws', reply)
    expect(await failureOf(ask())).toMatchObject({ kind: 'not_understood', drift, operation: 'getEstUp' })
  })

  it.each([
    ['soapenv:Server.userException', 'java.lang.NullPointerException', 'unreachable'],
    ['soapenv:Client', 'No such operation', 'refused'],
  ])('is told from a fault: %s', async (code, words, kind) => {
    const fault = `<s:Fault><faultcode>${code}</faultcode><faultstring>${words}</faultstring></s:Fault>`
    const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${fault}</s:Body></s:Envelope>`
    sii.on('/QueryEstUp.jws', { status: 500, body })
    expect(await failureOf(ask())).toMatchObject({ kind, estado: code, glosa: words })
  })
})

describe('the state of a document', () => {
  it('is asked for with the date and the amount as the service has them', async () => {
    sii.on('/QueryEstDte.jws', soap('getEstDte', respuesta('<ESTADO>DOK</ESTADO>')))
    await client.dte.documentStatus(caller, document)
    expect(partsOf(sii.heard.at(-1)?.body)).toEqual([
      'RutConsultante=12345678',
      'DvConsultante=5',
      'RutCompania=76543210',
      'DvCompania=3',
      'RutReceptor=60803000',
      'DvReceptor=K',
      'TipoDte=33',
      'FolioDte=60',
      'FechaEmisionDte=05102026',
      'MontoDte=119000',
      `Token=${TOKEN}`,
    ])
  })

  it.each([
    [
      'in the body',
      respuesta(
        '<ESTADO>0</ESTADO>',
        '<RECIBIDO>SI</RECIBIDO><ESTADO>DOK</ESTADO><GLOSA>Recibido</GLOSA><TRACKID>0253772832</TRACKID>',
      ),
      { state: 'matches', held: true, track_id: '0253772832', glosa: 'Recibido' },
    ],
    [
      'in the body of one that never came and could not have',
      respuesta('<ESTADO>0</ESTADO>', '<RECIBIDO>NO</RECIBIDO><ESTADO>FNA</ESTADO><TRACKID>0</TRACKID>'),
      { state: 'folio_not_authorized', held: false, track_id: null },
    ],
    [
      'in the body of one that never came, whatever its state',
      respuesta('<ESTADO>0</ESTADO>', '<RECIBIDO>NO</RECIBIDO><ESTADO>DNK</ESTADO><TRACKID>0000000000</TRACKID>'),
      { state: 'absent', held: false, track_id: null },
    ],
    [
      'in the body of one that never came',
      respuesta('<ESTADO>0</ESTADO>', '<RECIBIDO>NO</RECIBIDO><ESTADO>FAU</ESTADO><GLOSA>No</GLOSA>'),
      { state: 'absent', held: false, track_id: null },
    ],
    [
      'in the header',
      respuesta('<ESTADO>DNK</ESTADO><GLOSA_ERR>Difiere</GLOSA_ERR>'),
      { state: 'differs', held: true },
    ],
  ])('that was signed is read %s', async (_name, reply, expected) => {
    sii.on('/QueryEstDteAv', soap('getEstDteAv', reply))
    const signature_value = 'AbC+/=\n'
    expect(await client.dte.signedDocumentStatus(caller, { ...document, signature_value })).toMatchObject(expected)
    expect(partsOf(sii.heard.at(-1)?.body)).toContain('FirmaDte=AbC+/=\n')
  })

  it('is not made up for an estado that is in no manual', async () => {
    sii.on('/QueryEstDte.jws', soap('getEstDte', respuesta('<ESTADO>ZZZ</ESTADO><GLOSA>algo</GLOSA>')))
    expect(await client.dte.documentStatus(caller, document)).toMatchObject({ state: 'unknown', held: null })
  })
})

describe('boletas', () => {
  it('leave for the host of uploads, and are asked about at the other', async () => {
    sii.on('/boleta.electronica.envio', '{"estado":"REC","trackid":100000000001014}')
    sii.on('/76543210-3-100000000001014', '{"estado":"REC","estadistica":[],"detalle_rep_rech":null}')
    sii.on('/estado', '{"codigo":"FAU","descripcion":"no"}')
    const { track_id } = await client.boleta.upload(caller, file)
    await client.boleta.envelopeStatus(caller, { company_rut, track_id })
    expect(await client.boleta.documentStatus(caller, { ...document, tipo_dte: 39 })).toMatchObject({ held: false })
    expect(sii.heard.map(({ path }) => path).filter((path) => !/semilla|token/.test(path))).toEqual([
      '/pangal.sii.cl/recursos/v1/boleta.electronica.envio',
      '/apicert.sii.cl/recursos/v1/boleta.electronica.envio/76543210-3-100000000001014',
      '/apicert.sii.cl/recursos/v1/boleta.electronica/76543210-3-39-60/estado?rut_receptor=60803000&dv_receptor=K&monto=119000&fechaEmision=05-10-2026',
    ])
  })

  it('keep a track id of more digits than a number holds', async () => {
    sii.on('/boleta.electronica.envio', '{"estado":"REC","trackid":12345678901234567890}')
    expect((await client.boleta.upload(caller, file)).track_id).toBe('12345678901234567890')
  })

  it.each([
    ['RCH', { kind: 'refused', retry: 'never', sent: false }],
    // They may have been taken: whoever takes that for a refusal sends them again.
    ['SOK', { kind: 'not_understood', drift: 'estado REC', sent: true }],
    ['ZZZ', { kind: 'not_understood', drift: 'estado REC', sent: true }],
  ])('whose receipt says %s', async (estado, expected) => {
    sii.on('/boleta.electronica.envio', JSON.stringify({ estado, trackid: 7 }))
    expect(await failureOf(client.boleta.upload(caller, file))).toMatchObject(expected)
  })

  it.each<[string, Reply, object]>([
    [
      'an envelope that is not known yet',
      { status: 404, body: 'No existe' },
      { kind: 'refused', retry: 'later', estado: 'HTTP 404', reason: 'envelope_not_found', glosa: 'No existe' },
    ],
    ['a question that is wrong', { status: 400, body: 'Rut inválido' }, { kind: 'refused', retry: 'never' }],
    ['no token', { status: 400, body: 'No trae TOKEN' }, { kind: 'refused', token_refused: true }],
    ['an outage', { status: 500, body: 'Acceso Denegado' }, { kind: 'unreachable', retry: 'later' }],
    ['a rate limit', { status: 429, body: 'Rate limit' }, { kind: 'unreachable', retry: 'minutes' }],
    ['an outage in JSON', { status: 503, body: '{"error":"x"}' }, { kind: 'unreachable', retry: 'later' }],
    [
      'a refusal of which it does not say whose it is',
      '{"estado":"EPR","estadistica":[{"tipo":39,"informados":3,"aceptados":1,"rechazados":2,"reparos":0}],"detalle_rep_rech":[{"tipo":39,"folio":1,"estado":"RCH"}]}',
      { kind: 'not_understood', drift: 'detalle_rep_rech of each boleta' },
    ],
    ['half an object', '{"estado":', { kind: 'not_understood', drift: 'well-formed JSON' }],
    ['a list', '[]', { kind: 'not_understood', drift: 'JSON object' }],
    ['no estado', '{"a":1}', { kind: 'not_understood', drift: 'estado' }],
    ['no counters', '{"estado":"EPR","estadistica":null}', { kind: 'not_understood', drift: 'counters of EPR' }],
    [
      'a counter that is none',
      '{"estado":"EPR","estadistica":[{"tipo":39,"informados":"x"}]}',
      { drift: 'informados' },
    ],
    [
      'a verdict that nobody knows',
      '{"estado":"EPR","estadistica":[{"tipo":39,"informados":1,"aceptados":0,"rechazados":1,"reparos":0}],"detalle_rep_rech":[{"tipo":39,"folio":1,"estado":"QQQ"}]}',
      { kind: 'not_understood', drift: 'detalle_rep_rech/estado QQQ' },
    ],
  ])('answered with %s', async (_name, reply, expected) => {
    sii.on('/76543210-3-7', reply)
    expect(await failureOf(client.boleta.envelopeStatus(caller, { company_rut, track_id: '7' }))).toMatchObject(
      expected,
    )
  })
})

describe('claims and cesiones', () => {
  const claim = (operation: string, returned: string) =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><n:${operation}Response xmlns:n="urn:x">` +
    `<return>${returned}</return></n:${operation}Response></s:Body></s:Envelope>`
  const door = '/registroreclamodteservice'

  it('are registered with plain elements, at the address of the environment', async () => {
    sii.on(door, claim('ingresarAceptacionReclamoDoc', '<codResp>27</codResp><descResp>algo nuevo</descResp>'))
    expect(await client.claims.register(caller, document, 'RCD')).toEqual({
      code: 27,
      glosa: 'algo nuevo',
      registered: false,
    })
    expect(sii.heard.at(-1)?.path).toBe('/ws2.sii.cl/WSREGISTRORECLAMODTECERT/registroreclamodteservice')
    expect(sii.heard.at(-1)?.body).toContain(
      '<rutEmisor>76543210</rutEmisor><dvEmisor>3</dvEmisor><tipoDoc>33</tipoDoc><folio>60</folio><accionDoc>RCD</accionDoc>',
    )
  })

  it('are weather when the register says -1, and drift when it says nothing', async () => {
    sii.on(door, claim('consultarDocDteCedible', '<codResp>-1</codResp><descResp>Error</descResp>'))
    expect(await failureOf(client.claims.cedibility(caller, document))).toMatchObject({ kind: 'unreachable' })
    sii.on(door, claim('consultarDocDteCedible', '<descResp>Error</descResp>'))
    expect(await failureOf(client.claims.cedibility(caller, document))).toMatchObject({ drift: 'codResp' })
    sii.on(door, claim('listarEventosHistDoc', '<codResp>15</codResp>'))
    expect(await failureOf(client.claims.events(caller, document))).toMatchObject({ drift: 'listaEventosDoc' })
    sii.on(door, claim('consultarFechaRecepcionSii', 'ayer'))
    expect(await failureOf(client.claims.receivedAt(caller, document))).toMatchObject({ drift: 'fecha de recepción' })
  })

  it.each(['14', '17', '1'])('are not taken for none where the register answers %s to the question', async (code) => {
    sii.on(door, claim('listarEventosHistDoc', `<codResp>${code}</codResp><descResp>No puede</descResp>`))
    expect(await failureOf(client.claims.events(caller, document))).toMatchObject({
      ...{ kind: 'refused', retry: 'minutes', estado: code, glosa: 'No puede' },
    })
  })

  it('are none for a document that the register does not know', async () => {
    sii.on(door, claim('listarEventosHistDoc', '<codResp>18</codResp><descResp>No recibido</descResp>'))
    expect(await client.claims.events(caller, document)).toMatchObject({ known: false, events: [] })
    for (const words of ['', 'Documento no ha sido recibido en el SII']) {
      sii.on(door, claim('consultarFechaRecepcionSii', words))
      expect(await client.claims.receivedAt(caller, document)).toBeNull()
    }
  })

  it.each([
    ['2', { ceded: false, estado: '2' }],
    ['3', { kind: 'refused', token_refused: true }],
    ['7', { kind: 'unreachable' }],
    ['-15', { kind: 'refused', retry: 'minutes' }],
  ])('of a document whose register answers %s', async (estado, expected) => {
    sii.on('/wsRPETCConsulta', soap('getEstCesion', respuesta(`<SII:ESTADO>${estado}</SII:ESTADO>`)))
    const read = await client.cesion.documentStatus(caller, document).catch((failure) => failure)
    expect(read).toMatchObject(expected)
  })

  it('tell a company who holds the credit, in the words of the register', async () => {
    const body = '<RUT_TENEDOR>96543210-5</RUT_TENEDOR><FECHA>2026-10-05</FECHA>'
    sii.on('/wsRPETCConsulta', soap('getEstCesionRelac', respuesta('<SII:ESTADO>0</SII:ESTADO>', body)))
    expect(await client.cesion.documentStatusFor(caller, document, company_rut)).toMatchObject({
      ceded: true,
      details: { RUT_TENEDOR: '96543210-5', FECHA: '2026-10-05' },
    })
    expect(partsOf(sii.heard.at(-1)?.body)).toEqual([
      `Token=${TOKEN}`,
      'RutEmisor=76543210',
      'DVEmisor=3',
      'TipoDoc=33',
      'FolioDoc=60',
      'RutEmpresa=76543210',
      'DVEmpresa=3',
    ])
  })

  it('have their envelope followed, an unknown state as one that goes on', async () => {
    const answer = (estado: string) =>
      soap('getEstEnvio', respuesta('<SII:ESTADO>0</SII:ESTADO>', `<ESTADO_ENVIO>${estado}</ESTADO_ENVIO>`))
    sii.on('/wsRPETCConsulta', ...['VDC', 'RDC', 'QQQ', ''].map(answer))
    const ask = () => client.cesion.envelopeStatus(caller, '36322')
    expect(await ask()).toMatchObject({ outcome: 'pending', known: true })
    expect(await ask()).toMatchObject({ outcome: 'rejected', known: true })
    expect(await ask()).toMatchObject({ outcome: 'pending', known: false })
    expect(await failureOf(ask())).toMatchObject({ drift: 'ESTADO_ENVIO' })
  })

  it('the result e-mail is asked for again', async () => {
    sii.on(
      '/wsDTECorreo',
      soap('reenvioCorreo', respuesta('<ESTADO>0</ESTADO><GLOSA>Ok</GLOSA>')),
      soap('reenvioCorreo', respuesta('<ESTADO>7</ESTADO><GLOSA>No</GLOSA>')),
    )
    const ask = () => client.dte.resendResultMail(caller, { company_rut, track_id: '0260003916' })
    expect(await ask()).toEqual({ estado: '0', glosa: 'Ok' })
    expect(partsOf(sii.heard.at(-1)?.body)).toEqual([
      `Token=${TOKEN}`,
      'RutEmpresa=76543210',
      'DvEmpresa=3',
      'TrackId=0260003916',
    ])
    expect(await failureOf(ask())).toMatchObject({ kind: 'refused', estado: '7', glosa: 'No' })
  })
})
