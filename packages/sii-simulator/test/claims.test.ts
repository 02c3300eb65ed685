import { beforeEach, describe, expect, it } from 'vitest'
import { plant } from './support/documents.ts'
import { hasSamples, sample } from './support/samples.ts'
import { inside, makePerson, NOON, shapeOf, useWorld } from './support/world.ts'

const WS = '/ws1.sii.cl/WSREGISTRORECLAMODTE/registroreclamodteservice'
const DAY = 86_400_000

const world = useWorld()
let token: string

beforeEach(async () => {
  await world.control('POST', '/control/reset')
  world.time.now = NOON
  token = await world.token('dte', 'produccion')
})

async function ask(operation: string, more: Record<string, string | number> = {}, cookie = token): Promise<string> {
  const parts = { rutEmisor: '77123456', dvEmisor: '9', tipoDoc: 33, folio: 7, ...more }
  const inner = Object.entries(parts)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
  const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="http://ws.registroreclamodte.diii.sdi.sii.cl"><s:Body><w:${operation}>${inner}</w:${operation}></s:Body></s:Envelope>`
  return (await world.post(WS, body, { Cookie: `TOKEN=${cookie}`, SOAPAction: '' })).text
}

const act = async (accionDoc: string, more = {}) =>
  Number(inside(await ask('ingresarAceptacionReclamoDoc', { accionDoc, ...more }), 'codResp'))
const code = async (operation: string, more = {}) => Number(inside(await ask(operation, more), 'codResp'))

describe('the register of acceptance and claims', () => {
  it('takes acts only on documents that it holds, of the tipos that take part', async () => {
    expect(await act('ACD')).toBe(18)
    plant(world)
    plant(world, { tipo: 61 })
    expect(await act('ACD')).toBe(0)
    expect(await act('ACD', { tipoDoc: 61 })).toBe(3)
    expect(await act('ACD', { dvEmisor: 'K' })).toBe(1)
    expect(await act('ACD', { folio: 'x' })).toBe(2)
    expect(await act('XXX')).toBe(4)
  })

  it('keeps what was said and by whom, and refuses what does not go with it', async () => {
    plant(world)
    expect(await code('listarEventosHistDoc')).toBe(16)
    expect(await act('ERM')).toBe(0)
    expect(await act('ERM')).toBe(7)
    expect(await act('RCD')).toBe(13)
    const list = await ask('listarEventosHistDoc')
    expect([inside(list, 'codResp'), inside(list, 'codEvento'), inside(list, 'rutResponsable')]).toEqual([
      '15',
      'ERM',
      '12345678',
    ])
    expect(inside(list, 'fechaEvento')).toBe('05-10-2026 12:00:00')
  })

  it('counts eight days from its own reception by its own clock', async () => {
    plant(world)
    expect(await ask('consultarFechaRecepcionSii')).toContain('<return>05-10-2026 12:00:00</return>')
    expect(await code('consultarDocDteCedible')).toBe(22)
    await world.control('POST', '/control/clock', { advance_seconds: (8 * DAY) / 1000 + 1 })
    token = await world.token('dte', 'produccion')
    expect(await act('RCD')).toBe(8)
    expect(await code('consultarDocDteCedible')).toBe(25)
  })

  it('lets act only users of the buyer, and look only users of either side', async () => {
    plant(world)
    const stranger = await makePerson(world, '9876543-3')
    for (const rut of ['76543210-3', '77123456-9'])
      await world.control('POST', '/control/taxpayers', { rut, users: [{ rut: '12345678-5' }] })
    const other = await world.token('dte', 'produccion', stranger)
    expect(inside(await ask('ingresarAceptacionReclamoDoc', { accionDoc: 'ACD' }, other), 'codResp')).toBe('17')
    expect(inside(await ask('listarEventosHistDoc', {}, other), 'codResp')).toBe('14')
    expect(await act('ACD')).toBe(0)
  })

  it('knows by itself of the credit note that annuls', async () => {
    plant(world, { notes: [{ tipo: 61, folio: 3, cod_ref: 1 }] })
    plant(world, { tipo: 61, folio: 3, received_at: NOON + DAY })
    expect(inside(await ask('listarEventosHistDoc'), 'codEvento')).toBe('NCA')
    expect(await code('consultarDocDteCedible')).toBe(21)
  })

  it('answers a fault to a token that it does not know, also to one of certificación', async () => {
    plant(world)
    expect(await ask('listarEventosHistDoc', {}, 'nadie')).toContain('Fault')
    expect(await ask('listarEventosHistDoc', {}, await world.token('dte', 'certificacion'))).toContain('Fault')
  })

  it.skipIf(!hasSamples)('has the shape of every sample', async () => {
    plant(world)
    const same = (answer: string, name: string) =>
      expect(shapeOf(answer)).toEqual(shapeOf(sample(`responses/reclamo-${name}.soap.xml`)))
    same(await ask('listarEventosHistDoc'), 'listar-16')
    same(await ask('ingresarAceptacionReclamoDoc', { accionDoc: 'ERM' }), 'ingresar-ok')
    same(await ask('ingresarAceptacionReclamoDoc', { accionDoc: 'ERM' }), 'ingresar-7-ya-registrado')
    same(await ask('listarEventosHistDoc'), 'listar-15')
    same(await ask('consultarFechaRecepcionSii'), 'fecha-recepcion')
    same(await ask('consultarDocDteCedible'), 'cedible-25')
    plant(world, { received_at: NOON - 9 * DAY, folio: 8 })
    same(await ask('ingresarAceptacionReclamoDoc', { accionDoc: 'ERM', folio: 8 }), 'ingresar-8-plazo')
  })
})
