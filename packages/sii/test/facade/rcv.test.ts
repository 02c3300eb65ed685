import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Identity, PURCHASE_STATES, type RcvBook, type SiiFailure } from '../../src/index.ts'
import { seed, TOKEN, token } from '../support/answers.ts'
import { newPerson } from '../support/person.ts'
import { bounced, COOKIE, loggedIn, page } from '../support/portal.ts'
import { openScriptedSii, openTestClient, type Reply, type ScriptedSii } from '../support/scripted-sii.ts'
import { describeWithSamples, readSample } from '../support/shared.ts'

const sample = (name: string) => readSample(name).toString('utf8')

let sii: ScriptedSii
let identity: Identity

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())

const answered = (codRespuesta: number, data: unknown = null): Reply =>
  JSON.stringify({ data, metaData: { errors: null }, respEstado: { codRespuesta, msgeRespuesta: 'Palabras del SII' } })
const REGISTRO: RcvBook = { side: 'purchase', estado: 'REGISTRO' }

beforeEach(() => {
  sii.heard.length = 0
  sii.on('/CrSeed.jws', seed())
  sii.on('/GetTokenFromSeed.jws', token(), token('OtroToken99'))
  sii.on('/CAutInicio.cgi', loggedIn())
  sii.on('/autTermino.cgi', page('adiós'))
  sii.on('/getResumen', answered(3, []))
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (failure: SiiFailure) => failure,
  )
const question = () => ({
  user: { kind: 'token' as const, identity },
  ambiente: 'produccion' as const,
  rut: '76543210-3',
  period: '2026-06',
})
const bySession = () => ({ ...question(), user: { kind: 'certificate' as const, identity } })
const asked = (method: string) => sii.heard.filter(({ path }) => path.endsWith(`/${method}`))
const bodyOf = (method: string) => JSON.parse(asked(method).at(-1)?.body ?? 'null')

describe('a question to the RCV', () => {
  it('goes in the envelope of the application, with the token of the DTE channel and the RUT of the person', async () => {
    const { client } = openTestClient(sii)
    expect(await client.rcv.totals(question(), REGISTRO)).toEqual([])
    const [heard] = asked('getResumen')
    expect(heard?.path).toBe('/www4.sii.cl/consdcvinternetui/services/data/facadeService/getResumen')
    expect(heard?.headers).toMatchObject({
      accept: 'application/json, text/plain, */*',
      origin: sii.base,
      referer: `${sii.base}/www4.sii.cl/consdcvinternetui/`,
      cookie: `TOKEN=${TOKEN}; RUT_NS=12345678; DV_NS=5`,
    })
    expect(bodyOf('getResumen')).toEqual({
      metaData: {
        namespace: 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService/getResumen',
        conversationId: TOKEN,
        transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        page: null,
      },
      data: {
        ...{ rutEmisor: '76543210', dvEmisor: '3', ptributario: '202606', estadoContab: 'REGISTRO' },
        ...{ operacion: 'COMPRA', busquedaInicial: true },
      },
    })
    await client.close()
  })

  it('goes in a portal session as well, which several may use at once', async () => {
    const { client } = openTestClient(sii)
    await client.rcv.totals(bySession(), REGISTRO)
    await Promise.all([client.rcv.totals(bySession(), REGISTRO), client.rcv.totals(bySession(), { side: 'sale' })])
    expect(sii.heard.filter(({ path }) => path.includes('CAutInicio'))).toHaveLength(1)
    expect(bodyOf('getResumen').metaData.conversationId).toBe(COOKIE)
    await client.close()
  })

  it('is asked at most once a second, whoever asks', async () => {
    const now = new Date('2026-10-05T12:00:00Z')
    const { client, waits } = openTestClient(sii, { now: () => now })
    await Promise.all([REGISTRO, REGISTRO, REGISTRO].map((book) => client.rcv.totals(question(), book)))
    expect(waits).toEqual([1000, 2000])
    await client.close()
  })

  it.each<[string, Reply, string]>([
    ['a page of the login', bounced, 'refused'],
    [
      'a redirect to it',
      (response) => response.writeHead(302, { location: 'https://zeusr.sii.cl/AUT2000/' }).end(),
      'refused',
    ],
    ['code 98', answered(98), 'refused'],
    ['a text', 'Sin sesion', 'unreachable'],
    ['a page of the weather', page('Sistema en mantención'), 'unreachable'],
  ])('that is answered with %s is asked once more with a new token, and no third time', async (_, reply, kind) => {
    sii.on('/getResumen', reply, answered(3, []))
    const { client } = openTestClient(sii)
    expect(await client.rcv.totals(question(), REGISTRO)).toEqual([])
    expect(bodyOf('getResumen').metaData.conversationId).toBe('OtroToken99')
    sii.on('/getResumen', reply)
    expect(await failureOf(client.rcv.totals(question(), REGISTRO))).toMatchObject({ kind })
    await client.close()
  })

  it.each<[string, Reply, object]>([
    ['code 2', answered(2), { kind: 'unreachable', estado: '2', glosa: 'Palabras del SII', retry: 'later' }],
    ['another code', answered(100), { kind: 'refused', estado: '100', retry: 'never' }],
    ['429', { status: 429, body: '{}' }, { kind: 'unreachable', estado: '429', retry: 'minutes' }],
    ['403', { status: 403, body: '<html>captcha</html>' }, { kind: 'unreachable', retry: 'minutes' }],
    ['500', { status: 500, body: 'Internal Server Error' }, { kind: 'unreachable', estado: '500' }],
    ['500 in JSON', { status: 500, body: '{"error":"x"}' }, { kind: 'unreachable', estado: 'HTTP 500', drift: null }],
    [
      'an amount with decimals',
      answered(0, [{ rsmnTipoDocInteger: 33, rsmnTotDoc: 1, rsmnMntExe: '1.234' }]),
      { kind: 'not_understood', drift: 'rsmnMntExe' },
    ],
    ['no code', '{"data":[]}', { kind: 'not_understood', drift: 'respEstado.codRespuesta' }],
    ['broken JSON', '{"data":[', { kind: 'not_understood', drift: 'JSON' }],
    ['rows without a field', answered(0, [{ rsmnTotDoc: 1 }]), { kind: 'not_understood', drift: 'rsmnTipoDocInteger' }],
  ])('that is answered with %s fails as what it is', async (_, reply, expected) => {
    sii.on('/getResumen', reply)
    const { client } = openTestClient(sii)
    expect(await failureOf(client.rcv.totals(question(), REGISTRO))).toMatchObject(expected)
    await client.close()
  })

  it('leaves neither token nor cookie in what is kept for the operator', async () => {
    const { client, facts } = openTestClient(sii)
    await client.rcv.totals(question(), REGISTRO)
    await client.rcv.totals(bySession(), REGISTRO)
    const told = JSON.stringify(facts)
    expect(told).toContain('getResumen')
    for (const secret of [TOKEN, COOKIE]) expect(told).not.toContain(secret)
    await client.close()
  })
})

describe('an export of the RCV', () => {
  it('that holds nothing has the header of its state', async () => {
    sii.on('/getDetalleCompraExport', answered(3))
    sii.on('/getDetalleVentaExport', answered(0, []))
    const { client } = openTestClient(sii)
    const headers: string[] = []
    for (const estado of PURCHASE_STATES) {
      headers.push(Buffer.from(await client.rcv.export(question(), { side: 'purchase', estado })).toString())
      expect(bodyOf('getDetalleCompraExport').data).toMatchObject({ estadoContab: estado, codTipoDoc: '0' })
    }
    headers.push(Buffer.from(await client.rcv.export(question(), { side: 'sale' })).toString())
    expect(headers.map((header) => header.split(';').length)).toEqual([27, 23, 24, 24, 43])
    await client.close()
  })

  it('that lost a column raises an alarm that names it', async () => {
    sii.on('/getDetalleVentaExport', answered(0, ['Nro;Tipo Doc;Folio']))
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.rcv.export(question(), { side: 'sale' }))
    expect(failure).toMatchObject({ kind: 'not_understood', drift: 'column Tipo Venta' })
    await client.close()
  })
})

describeWithSamples('the samples of the RCV', () => {
  it('are read as what they are', async () => {
    sii.on(
      '/getResumen',
      sample('responses/rcv-getResumen-compra.json'),
      sample('responses/rcv-getResumen-sin-movimientos.json'),
    )
    sii.on('/getDetalleCompra', sample('responses/rcv-getDetalleCompra.json'))
    sii.on('/getDetalleCompraExport', sample('responses/rcv-getDetalleCompraExport.json'))
    const { client } = openTestClient(sii)
    expect(await client.rcv.totals(question(), REGISTRO)).toEqual([
      { tipo: 33, documents: 2, exempt: 0, net: 327868, iva: 62295, total: 390163 },
      { tipo: 61, documents: 1, exempt: 0, net: 10000, iva: 1900, total: 11900 },
    ])
    expect(await client.rcv.totals(question(), REGISTRO)).toEqual([])
    expect(await client.rcv.detail(question(), REGISTRO, 33)).toEqual([
      {
        ...{ tipo: 33, rut: '12345678-5', name: 'PROVEEDOR SINTETICO S.A.', folio: 23084, date: '21/06/2026' },
        ...{ received_at: '24/06/2026 09:55:53', acknowledged_at: null, claimed_at: null },
        ...{ exempt: 0, net: 240169, iva: 45632, total: 285801 },
      },
    ])
    expect(bodyOf('getDetalleCompra').data).toMatchObject({
      accionRecaptcha: 'RCV_DETC',
      tokenRecaptcha: 't-o-k-e-n-web',
    })
    const lines: string[] = JSON.parse(sample('responses/rcv-getDetalleCompraExport.json')).data
    expect(Buffer.from(await client.rcv.export(question(), REGISTRO)).toString()).toBe(`${lines.join('\n')}\n`)
    await client.close()
  })

  it.each<[string, RcvBook]>([
    ['compra-registro', REGISTRO],
    ['compra-pendiente', { side: 'purchase', estado: 'PENDIENTE' }],
    ['compra-no_incluir', { side: 'purchase', estado: 'NO_INCLUIR' }],
    ['compra-reclamado', { side: 'purchase', estado: 'RECLAMADO' }],
    ['venta', { side: 'sale' }],
  ])('have in %s the columns that we know, in our order', async (name, book) => {
    const file = sample(`rcv/RCV-${name}-rz_leading_trailing_whitespace.csv`)
    sii.on('/getDetalleCompraExport', answered(3))
    sii.on('/getDetalleVentaExport', answered(3))
    const { client } = openTestClient(sii)
    expect(Buffer.from(await client.rcv.export(question(), book)).toString()).toBe(`${file.split(/\r?\n/)[0]}\n`)
    sii.on('/getDetalleCompraExport', answered(0, file.trim().split(/\r?\n/)))
    sii.on('/getDetalleVentaExport', answered(0, file.trim().split(/\r?\n/)))
    expect(
      Buffer.from(await client.rcv.export(question(), book))
        .toString()
        .trim(),
    ).toBe(file.trim().replaceAll('\r', ''))
    await client.close()
  })
})

describe('an act in the RCV', () => {
  it('changes the tipo of a purchase in the application that does it', async () => {
    sii.on('/cambiaTipoCompra', answered(0))
    const { client } = openTestClient(sii)
    await client.rcv.changePurchaseType({
      ...question(),
      ...{ tipo: 33, folio: 23084, counterparty_rut: '12345678-5', tipo_compra: 7 },
    })
    expect(asked('cambiaTipoCompra')[0]?.path).toContain(
      '/complementoscvui/services/data/facadeServiceCompCompraService/',
    )
    expect(bodyOf('cambiaTipoCompra')).toMatchObject({
      metaData: {
        namespace: 'cl.sii.sdi.lob.diii.dcv.data.api.interfaces.compcompra.FacadeServiceCompCompra/cambiaTipoCompra',
      },
      data: {
        ...{ rut: '76543210', dv: '3', operacion: 'COMPRA', tipoDocumento: '33', numeroDocumento: '23084' },
        ...{ periodoTributario: '202606', tipoCompra: '7', rutContraparte: '12345678', dvContraparte: '5' },
      },
    })
    await client.close()
  })

  it('answers up to ten documents in one call, and no more', async () => {
    sii.on('/ingresarAceptacionReclamoDocs', answered(0, [{ ok: 1 }]))
    const { client } = openTestClient(sii)
    const claim = { action: 'ERM' as const, emisor_rut: '12345678-5', tipo: 33, folio: 1 }
    expect(await client.rcv.claim(question(), Array(10).fill(claim))).toEqual([{ ok: 1 }])
    expect(bodyOf('ingresarAceptacionReclamoDocs').data).toMatchObject({
      rutAutenticado: '12345678',
      dteAcuRe: Array(10).fill({
        ...{ dedCodEvento: 'ERM', detRutDoc: '12345678', detDvDoc: '5', detTipoDoc: '33', detNroDoc: '1' },
      }),
    })
    expect(() => client.rcv.claim(question(), Array(11).fill(claim))).toThrow(RangeError)
    await client.close()
  })

  it('reads boletas by day, and what the application asks first', async () => {
    sii.on('/obtieneListaBoletasMes', answered(0, [{ dia: 1, total: 11900 }]))
    sii.on('/getDatosInicio', answered(0, { tipos: [] }))
    const { client } = openTestClient(sii)
    expect(await client.rcv.boletasByDay(question(), 39)).toEqual([{ dia: 1, total: 11900 }])
    expect(await client.rcv.start(question())).toEqual({ tipos: [] })
    await client.close()
  })
})
