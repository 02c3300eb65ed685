import { describe, expect, it } from 'vitest'
import { hasSamples, sample } from '../../test/support/samples.ts'
import { inside, makePerson, NOON, returned, shapeOf, signedSeed, useWorld } from '../../test/support/world.ts'
import { callerOf } from './tokens.ts'

const SEED = '/maullin.sii.cl/DTEWS/CrSeed.jws'
const TOKEN = '/maullin.sii.cl/DTEWS/GetTokenFromSeed.jws'

describe('seed and token', () => {
  const world = useWorld()
  const seed = async () => inside(await world.soap(SEED, 'getSeed'), 'SEMILLA')
  const ask = (signed: string) => world.soap(TOKEN, 'getToken', [signed])
  const estado = async (signed: string) => inside(await ask(signed), 'ESTADO')

  it('gives a token for a seed signed by a certificate of its authority', async () => {
    const token = await world.token()
    expect(token).not.toBe('')
    expect(callerOf(world.simulator, token, 'dte', 'certificacion')).toEqual({ ok: true, rut: '12345678-5' })
  })

  it('knows a token neither in the other channel nor in the other environment', async () => {
    const token = await world.token('boleta', 'produccion')
    expect(callerOf(world.simulator, token, 'boleta', 'produccion').ok).toBe(true)
    for (const [channel, ambiente] of [
      ['dte', 'produccion'],
      ['boleta', 'certificacion'],
    ] as const) {
      expect(callerOf(world.simulator, token, channel, ambiente)).toMatchObject({ ok: false, estado: '001' })
    }
  })

  it('takes a seed once, within two minutes, in the channel that gave it', async () => {
    const used = await seed()
    expect(await estado(signedSeed(used, world.person))).toBe('00')
    expect(await estado(signedSeed(used, world.person))).toBe('08')
    const late = await seed()
    world.time.now = NOON + 121_000
    expect(await estado(signedSeed(late, world.person))).toBe('08')
    world.time.now = NOON
    const rest = '/apicert.sii.cl/recursos/v1/boleta.electronica.token'
    expect(inside((await world.post(rest, signedSeed(await seed(), world.person))).text, 'ESTADO')).toBe('08')
  })

  it('lets a token live an hour', async () => {
    const token = await world.token()
    world.time.now = NOON + 59 * 60_000
    expect(callerOf(world.simulator, token, 'dte', 'certificacion').ok).toBe(true)
    world.time.now = NOON + 61 * 60_000
    expect(callerOf(world.simulator, token, 'dte', 'certificacion')).toMatchObject({ ok: false, estado: '002' })
    world.time.now = NOON
  })

  it('tells what is wrong with a request by its state', async () => {
    const broken = async (change: (xml: string) => string) => estado(signedSeed(await seed(), world.person, change))
    expect(await broken((xml) => xml.slice(0, 80))).toBe('02')
    expect(await broken((xml) => `<!DOCTYPE getToken>${xml}`)).toBe('02')
    expect(await broken((xml) => xml.replace(/<Signature .*<\/Signature>/, ''))).toBe('04')
    expect(await broken((xml) => xml.replace(/<Semilla>\d/, '<Semilla>0'))).toBe('05')
    expect(await broken((xml) => xml.replace('#sha1', '#sha256'))).toBe('05')
    expect(await broken((xml) => xml.replace(/Semilla/g, 'Seed'))).toBe('06')
    expect(await broken((xml) => xml.replace(/<SignatureValue>..../, '<SignatureValue>AAAA'))).toBe('10')
    expect(await broken((xml) => xml.replace(/<X509Data>.*<\/X509Data>/, ''))).toBe('11')
  })

  it('refuses a certificate that has expired by its own clock', async () => {
    const person = await makePerson(world, '11111111-1', { not_after: '2026-10-05T14:59:00Z' })
    expect(await estado(signedSeed(await seed(), person))).toBe('12')
  })

  it('serves a WSDL that names its operations and its own address', async () => {
    const { text } = await world.get(`${TOKEN}?wsdl`)
    expect(text).toContain('<wsdl:part name="pszXml" type="xsd:string"/>')
    expect(text).toContain(`location="${world.base}${TOKEN}"`)
    expect(text).toContain('targetNamespace="https://maullin.sii.cl/DTEWS/GetTokenFromSeed.jws"')
  })

  it('answers an unknown operation and a body that is no envelope with a fault', async () => {
    expect(await world.soap(SEED, 'getNothing')).toContain('faultcode')
    expect((await world.post(SEED, 'x')).status).toBe(500)
  })

  it.skipIf(!hasSamples)('answers in the shape of the samples', async () => {
    const expected = (name: string) => shapeOf(returned(sample(`responses/${name}`)))
    const answer = await world.soap(SEED, 'getSeed')
    expect(shapeOf(answer)).toEqual(expected('CrSeed-ok.soap.xml'))
    const signed = signedSeed(inside(answer, 'SEMILLA'), world.person)
    expect(shapeOf(await ask(signed))).toEqual(expected('GetTokenFromSeed-ok.soap.xml'))
    expect(shapeOf(await ask(signed))).toEqual(expected('GetTokenFromSeed-error08-seed-timeout.soap.xml'))
    const broken = signedSeed(await seed(), world.person).replace(/<SignatureValue>..../, '<SignatureValue>AAAA')
    expect(shapeOf(await ask(broken))).toEqual(expected('GetTokenFromSeed-error10.soap.xml'))
    const rest = '/apicert.sii.cl/recursos/v1/boleta.electronica'
    const restSeed = (await world.get(`${rest}.semilla`)).text
    expect(shapeOf(restSeed)).toEqual(shapeOf(sample('responses/boleta-semilla.xml')))
    const token = await world.post(`${rest}.token`, signedSeed(inside(restSeed, 'SEMILLA'), world.person))
    expect(shapeOf(token.text)).toEqual(shapeOf(sample('responses/boleta-token.xml')))
  })
})
