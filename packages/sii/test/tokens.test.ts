import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Identity, memoryTokens } from '../src/index.ts'
import { boletaSeed, boletaToken, ERROR_PAGE, respuesta, seed, soap, TOKEN, token } from './support/answers.ts'
import { failureOf } from './support/failure-of.ts'
import { newPerson } from './support/person.ts'
import { openScriptedSii, openTestClient, type Reply, type ScriptedSii } from './support/scripted-sii.ts'

let sii: ScriptedSii
let identity: Identity

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())
beforeEach(() => {
  sii.heard.length = 0
  sii.on('/CrSeed.jws', seed())
  sii.on('/GetTokenFromSeed.jws', token())
})

const caller = () => ({ identity, ambiente: 'certificacion' as const })

describe('a token of the DTE channel', () => {
  it('is asked for with a seed that the person signed, and kept for the next question', async () => {
    const { client } = openTestClient(sii)
    expect(await client.withDteToken(caller(), async (given) => given)).toBe(TOKEN)
    expect(await client.withDteToken(caller(), async (given) => given)).toBe(TOKEN)
    expect(sii.heard.map(({ path }) => path)).toEqual([
      '/maullin.sii.cl/DTEWS/CrSeed.jws',
      '/maullin.sii.cl/DTEWS/GetTokenFromSeed.jws',
    ])
    expect(sii.heard[1]?.body).toContain('&lt;Semilla&gt;168441616904&lt;/Semilla&gt;')
    await client.close()
  })

  it('has its seed asked for six times at most, each wait longer than the one before', async () => {
    sii.on('/CrSeed.jws', ERROR_PAGE)
    const { client, waits } = openTestClient(sii)
    const failure = await failureOf(client.withDteToken(caller(), async (given) => given))
    expect(failure).toMatchObject({ kind: 'unreachable', operation: 'getSeed', service: 'dte', retry: 'later' })
    expect(sii.heard).toHaveLength(6)
    expect(waits).toHaveLength(5)
    expect(waits.every((wait, index) => wait >= 1000 * 2 ** index && wait <= 1500 * 2 ** index)).toBe(true)
    await client.close()
  })

  it('is refused for good where the signature is not understood, whatever the SII calls it', async () => {
    sii.on('/GetTokenFromSeed.jws', soap('getToken', respuesta('<ESTADO>10</ESTADO><GLOSA>Error Interno</GLOSA>')))
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.withDteToken(caller(), async (given) => given))
    expect(failure).toMatchObject({
      kind: 'refused',
      estado: '10',
      glosa: 'Error Interno',
      retry: 'never',
      sent: false,
    })
    await client.close()
  })
})

const seeds = () => sii.heard.filter(({ path }) => path.endsWith('/CrSeed.jws')).length
const question = { company_rut: '76543210-3', track_id: '0260003916' }
const REFUSED = soap('getEstUp', respuesta('<ESTADO>001</ESTADO><GLOSA>TOKEN NO EXISTE</GLOSA>'))
const PENDING = soap('getEstUp', respuesta('<ESTADO>SOK</ESTADO><GLOSA>Esquema Validado</GLOSA>'))

describe('a token that the SII does not take', () => {
  it.each([
    ['001 in a SOAP answer', REFUSED],
    ['an error page', ERROR_PAGE],
    ['a 401', { status: 401, body: 'No autorizado' }],
    [
      'a redirection to the login',
      (response: ServerResponse) => response.writeHead(302, { location: 'https://zeusr.sii.cl/AUT2000/x' }).end(),
    ],
  ])('is renewed once and the question asked again: %s', async (_name, reply) => {
    sii.on('/GetTokenFromSeed.jws', token('first-token'), token('second-token'))
    sii.on('/QueryEstUp.jws', reply as Reply, PENDING)
    const { client } = openTestClient(sii)
    expect(await client.dte.envelopeStatus(caller(), question)).toMatchObject({ estado: 'SOK', outcome: 'pending' })
    const asked = sii.heard.filter(({ path }) => path.endsWith('/QueryEstUp.jws'))
    expect(asked.map(({ body }) => /<Token[^>]*>([^<]*)/.exec(body)?.[1])).toEqual(['first-token', 'second-token'])
    expect(seeds()).toBe(2)
    await client.close()
  })

  it('is not renewed a second time: the refusal is told', async () => {
    sii.on('/GetTokenFromSeed.jws', token('first-token'), token('second-token'))
    sii.on('/QueryEstUp.jws', REFUSED)
    const { client, facts } = openTestClient(sii)
    const failure = await failureOf(client.dte.envelopeStatus(caller(), question))
    expect(failure).toMatchObject({ kind: 'refused', estado: '001', glosa: 'TOKEN NO EXISTE', token_refused: true })
    expect(facts.map(({ operation }) => operation)).toEqual([
      'getSeed',
      'getToken',
      'getEstUp',
      'getSeed',
      'getToken',
      'getEstUp',
    ])
    await client.close()
  })

  it('is not renewed for any other trouble', async () => {
    sii.on('/QueryEstUp.jws', { status: 503, body: 'Service Unavailable' })
    const { client } = openTestClient(sii)
    expect(await failureOf(client.dte.envelopeStatus(caller(), question))).toMatchObject({ kind: 'unreachable' })
    expect(seeds()).toBe(1)
    await client.close()
  })

  it('that could not be renewed does not hide that what was asked before may have been done', async () => {
    sii.on('/DTEUpload', '<html><head><title>Servicio no disponible</title></head></html>')
    sii.on('/CrSeed.jws', seed(), { status: 503, body: 'Service Unavailable' })
    const { client } = openTestClient(sii)
    const file = { company_rut: '76543210-3', file_name: 'a.xml', bytes: Buffer.from('<a/>') }
    expect(await failureOf(client.dte.upload(caller(), file))).toMatchObject({ operation: 'DTEUpload', sent: true })
    await client.close()
  })

  it('does not make boletas or a cesión leave twice because of an error page that may be the weather', async () => {
    sii.on('/boleta.electronica.semilla', boletaSeed())
    sii.on('/boleta.electronica.token', boletaToken())
    const weather = '<html><head><title>Servicio no disponible</title></head></html>'
    sii.on('/boleta.electronica.envio', weather)
    sii.on('/RTCAnotEnvio.cgi', weather)
    const { client } = openTestClient(sii)
    const file = { company_rut: '76543210-3', file_name: 'a.xml', bytes: Buffer.from('<a/>') }
    const boleta = await failureOf(client.boleta.upload(caller(), file))
    const cesion = await failureOf(client.cesion.upload(caller(), { ...file, notify_email: 'a@b.cl' }))
    expect([boleta, cesion]).toMatchObject([
      { kind: 'unreachable', sent: true, glosa: 'Servicio no disponible' },
      { kind: 'unreachable', sent: true },
    ])
    expect(sii.heard.filter(({ path }) => /envio$|RTCAnotEnvio/.test(path))).toHaveLength(2)
    await client.close()
  })
})

describe('tokens that are shared', () => {
  it('are made once for two who ask at the same time, for each channel and environment apart', async () => {
    sii.on('/boleta.electronica.semilla', boletaSeed())
    sii.on('/boleta.electronica.token', boletaToken())
    sii.on('/QueryEstUp.jws', PENDING)
    sii.on('/estado', '{"codigo":"DOK","descripcion":"x"}')
    const { client } = openTestClient(sii)
    const document = {
      ...question,
      emisor_rut: '76543210-3',
      receptor_rut: '66666666-6',
      tipo_dte: 39,
      folio: 1,
      issue_date: '2026-10-05',
      total: 10,
    }
    const ask = (ambiente: 'certificacion' | 'produccion') =>
      client.dte.envelopeStatus({ identity, ambiente }, question)
    const both = [
      ask('certificacion'),
      ask('certificacion'),
      ask('produccion'),
      client.boleta.documentStatus(caller(), document),
      client.boleta.documentStatus(caller(), document),
    ]
    await Promise.all(both)
    expect(
      sii.heard
        .map(({ path }) => path)
        .filter((path) => /Seed.jws|semilla|token/.test(path))
        .sort(),
    ).toEqual([
      '/apicert.sii.cl/recursos/v1/boleta.electronica.semilla',
      '/apicert.sii.cl/recursos/v1/boleta.electronica.token',
      '/maullin.sii.cl/DTEWS/CrSeed.jws',
      '/maullin.sii.cl/DTEWS/GetTokenFromSeed.jws',
      '/palena.sii.cl/DTEWS/CrSeed.jws',
      '/palena.sii.cl/DTEWS/GetTokenFromSeed.jws',
    ])
    await client.close()
  })

  it('are not made again by whoever comes with one that another process has renewed meanwhile', async () => {
    const tokens = memoryTokens()
    sii.on('/GetTokenFromSeed.jws', token('first-token'), token('second-token'))
    sii.on('/QueryEstUp.jws', (response, { body }) => response.end(body.includes('second-token') ? PENDING : REFUSED))
    const [one, other] = [openTestClient(sii, { tokens }), openTestClient(sii, { tokens })]
    await Promise.all([
      one.client.dte.envelopeStatus(caller(), question),
      other.client.dte.envelopeStatus(caller(), question),
      other.client.dte.envelopeStatus(caller(), question),
    ])
    expect(seeds()).toBe(2)
    await one.client.close()
    await other.client.close()
  })

  it('are given, not made, to whoever comes late with the one that was refused', async () => {
    const tokens = memoryTokens()
    const key = { fingerprint: 'f', channel: 'dte', ambiente: 'certificacion' } as const
    const made = (name: string) => async () => ({ token: name, expires_at: new Date(0) })
    expect((await tokens.renew(key, null, made('first'))).token).toBe('first')
    expect((await tokens.renew(key, 'first', made('second'))).token).toBe('second')
    expect((await tokens.renew(key, 'first', made('third'))).token).toBe('second')
    expect((await tokens.renew(key, null, made('fourth'))).token).toBe('second')
    expect((await tokens.renew(key, 'second', made('fifth'))).token).toBe('fifth')
  })

  it('live fifty minutes', async () => {
    let now = new Date('2026-10-05T12:00:00Z')
    sii.on('/GetTokenFromSeed.jws', token('first-token'), token('second-token'))
    const { client } = openTestClient(sii, { now: () => now })
    const given = () => client.withDteToken(caller(), async (value) => value)
    expect(await given()).toBe('first-token')
    now = new Date('2026-10-05T12:49:59Z')
    expect(await given()).toBe('first-token')
    now = new Date('2026-10-05T12:50:00Z')
    expect(await given()).toBe('second-token')
    await client.close()
  })

  it('are not kept when making one failed: the next question asks again', async () => {
    sii.on(
      '/GetTokenFromSeed.jws',
      soap('getToken', respuesta('<ESTADO>08</ESTADO><GLOSA>TIME-OUT DEL SEED</GLOSA>')),
      token(),
    )
    const { client } = openTestClient(sii)
    expect(await failureOf(client.withDteToken(caller(), async (value) => value))).toMatchObject({
      estado: '08',
      retry: 'later',
    })
    expect(await client.withDteToken(caller(), async (value) => value)).toBe(TOKEN)
    await client.close()
  })
})
