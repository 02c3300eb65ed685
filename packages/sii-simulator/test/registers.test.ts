import { beforeEach, describe, expect, it } from 'vitest'
import { plant } from './support/documents.ts'
import { openBrowser } from './support/portal.ts'
import { hasSamples, sample } from './support/samples.ts'
import { NOON, type Reply, useWorld } from './support/world.ts'

const RCV = '/www4.sii.cl/consdcvinternetui/services/data/facadeService'
const COMPLEMENTS = '/www4.sii.cl/complementoscvui/services/data/facadeServiceCompCompraService/cambiaTipoCompra'
const F29 = '/www4.sii.cl/propuestaf29ui/services/data'
const BROWSER = 'application/json, text/plain, */*'
const EMPRESA = { rutEmisor: '76543210', dvEmisor: '3', ptributario: '202610' }

const world = useWorld()
let token: string

beforeEach(async () => {
  await world.control('POST', '/control/reset')
  world.time.now = NOON
  token = await world.token('dte', 'produccion')
})

async function send(
  path: string,
  namespace: string,
  data: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const metaData = { namespace, conversationId: token, transactionId: '0', page: null }
  return world.post(path, JSON.stringify({ metaData, data }), {
    'Content-Type': 'application/json',
    Accept: BROWSER,
    Cookie: `TOKEN=${token}`,
    ...headers,
  })
}

type RcvAnswer = { data: unknown; respEstado: { codRespuesta: number }; [name: string]: unknown }

async function rcv(method: string, data: object, headers = {}): Promise<RcvAnswer> {
  const namespace = `cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService/${method}`
  return JSON.parse((await send(`${RCV}/${method}`, namespace, data, headers)).text) as RcvAnswer
}

const states = async (ptributario = '202610') => {
  const found: Record<string, number> = {}
  for (const estadoContab of ['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO']) {
    const answer = await rcv('getResumen', {
      ...EMPRESA,
      ptributario,
      estadoContab,
      operacion: 'COMPRA',
      busquedaInicial: true,
    })
    if (answer.respEstado.codRespuesta === 0) found[estadoContab] = answer.totDocRes as number
  }
  return found
}

const change = (tipoCompra: string, periodoTributario = '202610') =>
  send(COMPLEMENTS, 'cl.sii.sdi.lob.diii.dcv.data.api.interfaces.compcompra.FacadeServiceCompCompra/cambiaTipoCompra', {
    rut: '76543210',
    dv: '3',
    operacion: 'COMPRA',
    tipoDocumento: 33,
    numeroDocumento: 7,
    periodoTributario,
    tipoCompra,
    rutContraparte: '77123456',
    dvContraparte: '9',
  })

describe('the register of purchases and sales', () => {
  it('follows from what was emitted, received and claimed', async () => {
    plant(world)
    plant(world, { folio: 8 })
    plant(world, { folio: 9, forma_pago: 1 })
    expect(await states()).toEqual({ PENDIENTE: 2, REGISTRO: 1 })
    const acts = [
      { dedCodEvento: 'ERM', detRutDoc: '77123456', detDvDoc: '9', detTipoDoc: 33, detNroDoc: 7 },
      { dedCodEvento: 'RCD', detRutDoc: '77123456', detDvDoc: '9', detTipoDoc: 33, detNroDoc: 8 },
    ]
    const entered = await rcv('ingresarAceptacionReclamoDocs', {
      dteAcuRe: acts,
      rutAutenticado: '12345678',
      dvAutenticado: '5',
    })
    expect(entered.data).toMatchObject([{ codResp: 0 }, { codResp: 0 }])
    expect(await states()).toEqual({ REGISTRO: 2, RECLAMADO: 1 })
    const sales = await rcv('getResumen', {
      rutEmisor: '77123456',
      dvEmisor: '9',
      ptributario: '202610',
      estadoContab: '',
      operacion: 'VENTA',
    })
    expect(sales.data).toMatchObject([{ rsmnTipoDocInteger: 33, rsmnTotDoc: 3, rsmnMntIVA: 570 }])
  })

  it('takes ten acts in a call and no more', async () => {
    const dteAcuRe = Array.from({ length: 11 }, () => ({}))
    const answer = await rcv('ingresarAceptacionReclamoDocs', {
      dteAcuRe,
      rutAutenticado: '12345678',
      dvAutenticado: '5',
    })
    expect(answer.respEstado.codRespuesta).toBe(2)
  })

  it('registers a purchase by lapse in the month in which the eight days ended', async () => {
    plant(world, { received_at: Date.parse('2026-10-28T15:00:00Z') })
    world.time.now = Date.parse('2026-11-06T15:00:00Z')
    token = await world.token('dte', 'produccion')
    expect(await states('202610')).toEqual({})
    expect(await states('202611')).toEqual({ REGISTRO: 1 })
  })

  it('leaves a purchase out by kind 7 and takes it in again, until the month is filed', async () => {
    plant(world, { forma_pago: 1 })
    expect(JSON.parse((await change('7')).text)).toMatchObject({ respEstado: { codRespuesta: 0 } })
    expect(await states()).toEqual({ NO_INCLUIR: 1 })
    await change('4')
    expect(await states()).toEqual({ REGISTRO: 1 })
    await world.control('POST', '/control/f29', { rut: '76543210-3', period: '202610' })
    expect(JSON.parse((await change('7')).text)).toMatchObject({ respEstado: { codRespuesta: 2 } })
    expect(await states()).toEqual({ REGISTRO: 1 })
  })

  it('exports lines with the columns of the state, and names what a document has besides IVA', async () => {
    plant(
      world,
      { forma_pago: 1, monto: 1505 },
      '<ImptoReten><TipoImp>24</TipoImp><TasaImp>31.5</TasaImp><MontoImp>315</MontoImp></ImptoReten>',
    )
    const data = {
      ...EMPRESA,
      estadoContab: 'REGISTRO',
      operacion: 'COMPRA',
      codTipoDoc: 0,
      accionRecaptcha: 'RCV_DDETC',
      tokenRecaptcha: 't-o-k-e-n-web',
    }
    const { data: lines, nombreArchivo } = await rcv('getDetalleCompraExport', data)
    expect(nombreArchivo).toBe('RCV_COMPRA_REGISTRO_76543210-3_202610.csv')
    expect((lines as string[])[1]).toBe(
      '1;33;Del Giro;77123456-9;Proveedor SpA;7;05/10/2026;05/10/2026 12:00:00;;0;1000;190;;;1505;;;;;0;;;;0;24;315;31.5;',
    )
    const without = await rcv('getDetalleCompra', { ...data, tokenRecaptcha: '' })
    expect(without.respEstado.codRespuesta).toBe(2)
  })

  it('answers 500 to another Accept, a bounce without a session, 98 to another conversation and 2 to another person', async () => {
    const namespace = 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService/getResumen'
    const asked = { ...EMPRESA, estadoContab: 'REGISTRO', operacion: 'COMPRA' }
    expect((await send(`${RCV}/getResumen`, namespace, asked, { Accept: 'application/json' })).status).toBe(500)
    expect((await send(`${RCV}/getResumen`, namespace, asked, { Cookie: 'TOKEN=nadie' })).text).toContain(
      'zeusr.sii.cl',
    )
    const mine = token
    token = await world.token('dte', 'produccion')
    expect((await rcv('getResumen', asked, { Cookie: `TOKEN=${mine}` })).respEstado.codRespuesta).toBe(98)
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', users: [] })
    expect((await rcv('getResumen', asked)).respEstado.codRespuesta).toBe(2)
  })

  it('answers 429 where it is scripted to', async () => {
    await world.control('POST', '/control/scripts', { kind: 'too_fast', door: 'rcv', times: 1 })
    const namespace = 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService/getResumen'
    expect((await send(`${RCV}/getResumen`, namespace, EMPRESA)).status).toBe(429)
    expect((await send(`${RCV}/getResumen`, namespace, EMPRESA)).status).toBe(200)
  })

  it.skipIf(!hasSamples)('has the fields of every sample', async () => {
    const fields = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.slice(0, 1).map(fields)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fields(inner)]))
          : typeof value
    const shape = (name: string) => fields(JSON.parse(sample(`responses/${name}.json`)))
    const data = {
      ...EMPRESA,
      estadoContab: 'REGISTRO',
      operacion: 'COMPRA',
      codTipoDoc: 33,
      accionRecaptcha: 'RCV_DETC',
      tokenRecaptcha: 't-o-k-e-n-web',
    }
    expect(fields(await rcv('getResumen', data))).toEqual(shape('rcv-getResumen-sin-movimientos'))
    plant(world, { forma_pago: 1 })
    expect(fields(await rcv('getResumen', data))).toEqual(shape('rcv-getResumen-compra'))
    expect(fields(await rcv('getDetalleCompra', data))).toEqual(shape('rcv-getDetalleCompra'))
    expect(Object.keys(await rcv('getDetalleCompraExport', data))).toEqual(
      Object.keys(JSON.parse(sample('responses/rcv-getDetalleCompraExport.json'))),
    )
  })
})

describe('the F29', () => {
  const ns = (service: string, method: string) =>
    `cl.sii.sdi.lob.iva.propuestaf29.data.api.interfaces.${service}/${method}`
  const month = { mes: '10', anno: '2026' }

  beforeEach(async () => {
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', clave: 'secreta' })
    const browser = openBrowser(world, false)
    await browser.post('/zeusr.sii.cl/cgi_AUT2000/CAutInicio.cgi', {
      rut: '76543210',
      dv: '3',
      rutcntr: '76543210-3',
      clave: 'secreta',
      referencia: 'x',
      411: '',
    })
    token = browser.cookies.get('TOKEN') ?? ''
  })

  const ask = async (method: string, data: object, service = 'facadeAdapterService') => {
    const name = `${service[0]?.toUpperCase()}${service.slice(1)}`
    const text = (await send(`${F29}/${service}/${method}`, ns(name, method), data)).text
    return JSON.parse(text) as { data: never; metaData: { errors: { descripcion: string }[] | null } }
  }

  it('proposes what follows from the registers of the month', async () => {
    plant(world, { forma_pago: 1 })
    plant(world, { emisor: '76543210-3', receptor: '77123456-9', folio: 1, neto: 5000, iva: 950, monto: 5950 })
    plant(world, {
      emisor: '76543210-3',
      tipo: 39,
      receptor: '66666666-6',
      folio: 1,
      neto: 4202,
      iva: 798,
      monto: 5000,
    })
    await world.control('POST', '/control/f29', { rut: '76543210-3', period: '202609', remanente: 100 })
    const { data } = await ask('getDeclaracionConCondicionesYTipoPropuesta', {
      rutContribuyente: '76543210',
      dv: '3',
      formCodigo: '2',
      ...month,
    })
    const { listCodPropuestos } = data as { listCodPropuestos: { codigo: string; valor: string }[] }
    const codes = Object.fromEntries(listCodPropuestos.map(({ codigo, valor }) => [codigo, valor]))
    expect(codes).toMatchObject({ 502: '950', 110: '1', 111: '798', 520: '190', 504: '100', 89: '1458', 563: '9202' })
  })

  it('belongs to the company whose session it is, and says so in errors with HTTP 200', async () => {
    const asked = { rut: '77123456', dv: '9', formId: '2', ...month }
    const { data, metaData } = await ask('getDeclaracionConEstados', asked)
    expect(data).toBeNull()
    expect(metaData.errors?.[0]?.descripcion).toContain('RUT[77123456] no esta autorizado')
  })

  it('tells what was filed', async () => {
    await world.control('POST', '/control/f29', { rut: '76543210-3', period: '202610', monto: 1458, folio: 8123456789 })
    const { data } = await ask('getDeclaracionConEstados', { rut: '76543210', dv: '3', formId: '2', ...month })
    expect(data).toMatchObject([{ estadoDeclaracionId: 1, estado: 'Vigente', folio: 8123456789, monto: 1458 }])
    expect((await ask('getDeclaracionVigente', { periodo: '202610' }, 'facadeService')).data).toEqual({ existe: true })
    expect((await ask('getPeriodosF29', {}, 'facadeService')).data).toMatchObject({ mesHasta: 9, yearHasta: 2026 })
  })

  it('does not pretend that what nobody has seen works', async () => {
    const { data, metaData } = await ask('guardarDeclaracion', {}, 'facadeService')
    expect(data).toBeNull()
    expect(metaData.errors?.[0]?.descripcion).toContain('guardarDeclaracion')
  })

  it.skipIf(!hasSamples)('has the fields of every sample', async () => {
    const proposed = JSON.parse(sample('responses/f29-propuesta.json')) as { data: object }
    const { data } = await ask('getDeclaracionConCondicionesYTipoPropuesta', {
      rutContribuyente: '76543210',
      dv: '3',
      formCodigo: '2',
      ...month,
    })
    expect(Object.keys(data)).toEqual(Object.keys(proposed.data))
    await world.control('POST', '/control/f29', { rut: '76543210-3', period: '202610' })
    const filed = JSON.parse(sample('responses/f29-estado.json')) as { data: object[] }
    const own = (await ask('getDeclaracionConEstados', { rut: '76543210', dv: '3', formId: '2', ...month }))
      .data as object[]
    expect(Object.keys(own[0] ?? {})).toEqual(Object.keys(filed.data[0] ?? {}))
    const refused = JSON.parse(sample('responses/f29-no-autorizado.json')) as { metaData: { errors: object[] } }
    const { metaData } = await ask('getDeclaracionConEstados', { rut: '77123456', dv: '9', formId: '2', ...month })
    expect(Object.keys(metaData.errors?.[0] ?? {})).toEqual(Object.keys(refused.metaData.errors[0] ?? {}))
  })
})
