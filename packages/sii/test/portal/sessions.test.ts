import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Identity, memorySessions, type SiiFailure, simulatedHosts } from '../../src/index.ts'
import { newPerson } from '../support/person.ts'
import { alert, bounced, COOKIE, form, loggedIn, page } from '../support/portal.ts'
import { openScriptedSii, openTestClient, type ScriptedSii } from '../support/scripted-sii.ts'
import { openTlsSii } from '../support/tls.ts'

let sii: ScriptedSii
let identity: Identity

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())

const CLAVE = 'Cl4ve-secreta+ñ'
const ENTRANCE = page(form('of_solicita_folios_dcto', { RUT_EMP: '', DV_EMP: '' }))
const OFFER = page(form('of_confirma_folio', { MAX_AUTOR: '5.000', FOLIOS_DISP: '12' }))

beforeEach(() => {
  sii.heard.length = 0
  sii.on('/IngresoCertificado.html', page('Ingrese con su certificado'))
  sii.on('/CAutInicio.cgi', loggedIn())
  sii.on('/autTermino.cgi', page('Sesión cerrada'))
  sii.on('/of_solicita_folios', ENTRANCE)
  sii.on('/of_solicita_folios_dcto', OFFER)
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (failure: SiiFailure) => failure,
  )
const question = () => ({
  user: { kind: 'certificate' as const, identity },
  ambiente: 'certificacion' as const,
  rut: '76543210-3',
  tipo: 33,
})
const byClave = () => ({ ...question(), user: { kind: 'clave' as const, rut: '76543210-3', clave: CLAVE } })
const logins = () => sii.heard.filter(({ path }) => path.includes('CAutInicio')).length

describe('a portal session', () => {
  it('is opened once for a certificate, by the page that asks for it, and serves the flows after it', async () => {
    const { client } = openTestClient(sii)
    expect(await client.folios.situation(question())).toMatchObject({ max_authorised: 5000, unused: 12 })
    await client.folios.situation(question())
    expect(logins()).toBe(1)
    const target = `${sii.base}/maullin.sii.cl/cvc_cgi/dte/of_solicita_folios`
    expect(sii.heard[1]).toMatchObject({
      path: `/herculesr.sii.cl/cgi_AUT2000/CAutInicio.cgi?${target}`,
      body: `referencia=${encodeURIComponent(target)}`,
    })
    expect(sii.heard[2]?.headers.cookie).toContain(`NETSCAPE_LIVEWIRE.sess=${COOKIE}`)
    await client.close()
  })

  it('gives what its flow brought also where its use cannot be noted', async () => {
    const sessions = memorySessions()
    const touch = () => Promise.reject(new Error('the database is away'))
    let now = new Date('2026-10-05T12:00:00Z')
    const { client } = openTestClient(sii, { sessions: { ...sessions, touch }, now: () => now })
    await client.folios.situation(question())
    now = new Date('2026-10-05T12:30:00Z')
    expect(await client.folios.situation(question())).toMatchObject({ unused: 12 })
    await client.close()
  })

  it('is opened with RUT and clave where there is no certificate', async () => {
    const { client } = openTestClient(sii)
    await client.folios.situation(byClave())
    expect(sii.heard[0]?.path).toBe('/zeusr.sii.cl/cgi_AUT2000/CAutInicio.cgi')
    expect(sii.heard[0]?.body).toMatch(
      /^rut=76543210&dv=3&referencia=.*&411=&rutcntr=76543210-3&clave=Cl4ve-secreta%2B%F1$/,
    )
    await client.close()
  })

  it('is opened anew once when the SII has lost it, and the flow begins again', async () => {
    sii.on('/of_solicita_folios', ENTRANCE, bounced, ENTRANCE)
    const { client } = openTestClient(sii)
    await client.folios.situation(question())
    expect(await client.folios.situation(question())).toMatchObject({ unused: 12 })
    expect(logins()).toBe(2)
    // The one that was taken for lost is ended: it may still count.
    expect(sii.heard.filter(({ path }) => path.endsWith('/autTermino.cgi'))).toHaveLength(1)
    await client.close()
  })

  it('is not opened a third time when the new one is lost too', async () => {
    sii.on('/of_solicita_folios', bounced)
    const { client } = openTestClient(sii)
    const failure = await failureOf(client.folios.situation(question()))
    expect(failure).toMatchObject({ kind: 'refused', estado: 'session_lost', sent: false, retry: 'later' })
    expect(logins()).toBe(2)
    await client.close()
  })

  it('is left after ninety minutes without use, and ended before the next one is opened', async () => {
    let now = new Date('2026-10-05T12:00:00Z')
    const { client } = openTestClient(sii, { now: () => now })
    await client.folios.situation(question())
    now = new Date('2026-10-05T13:29:00Z')
    await client.folios.situation(question())
    expect(logins()).toBe(1)
    now = new Date('2026-10-05T15:00:00Z')
    await client.folios.situation(question())
    const [end, login] = ['autTermino', 'CAutInicio'].map((program) =>
      sii.heard.findLastIndex(({ path }) => path.includes(program)),
    )
    expect(logins()).toBe(2)
    expect(end).toBeLessThan(login ?? 0)
    await client.close()
  })

  it('has one user at a time where the portal keeps the flow in it', async () => {
    const { client } = openTestClient(sii)
    await Promise.all([client.folios.situation(question()), client.folios.situation(question())])
    expect(logins()).toBe(1)
    const steps = sii.heard.filter(({ path }) => path.startsWith('/maullin')).map(({ path }) => path.split('/').at(-1))
    const flow = ['of_solicita_folios', 'of_solicita_folios_dcto']
    expect(steps).toEqual([...flow, ...flow])
    await client.close()
  })

  it('is logged out at the SII and forgotten', async () => {
    const sessions = memorySessions()
    const { client } = openTestClient(sii, { sessions })
    await client.folios.situation(question())
    await client.logOut(question().user, 'certificacion')
    expect(sii.heard.at(-1)).toMatchObject({ path: '/herculesr.sii.cl/cgi_AUT2000/autTermino.cgi' })
    expect(sii.heard.at(-1)?.headers.cookie).toContain(COOKIE)
    expect(await sessions.get(`certificate/${identity.fingerprint}`)).toBeNull()
    await client.close()
  })
})

describe('a login that fails', () => {
  const CAP = page('Usted ha superado el M&aacute;ximo de Sesiones autenticadas. Código 01.01.215.500.709')

  it('by the cap of sessions is not tried again by anybody for half an hour', async () => {
    let now = new Date('2026-10-05T12:00:00Z')
    sii.on('/CAutInicio.cgi', CAP, loggedIn())
    const sessions = memorySessions()
    const first = openTestClient(sii, { sessions, now: () => now })
    const other = openTestClient(sii, { sessions, now: () => now })
    const failure = await failureOf(first.client.folios.situation(question()))
    expect(failure).toMatchObject({ kind: 'session_cap', estado: '01.01.215.500.709', retry: 'minutes', sent: false })
    now = new Date('2026-10-05T12:29:00Z')
    const again = await failureOf(other.client.folios.situation(question()))
    expect(again).toMatchObject({ kind: 'session_cap', sent: false, glosa: failure.glosa })
    expect(logins()).toBe(1)
    now = new Date('2026-10-05T12:31:00Z')
    expect(await other.client.folios.situation(question())).toMatchObject({ unused: 12 })
    await first.client.close()
    await other.client.close()
  })

  it('by a refusal is told with the code and the words of the SII', async () => {
    sii.on('/CAutInicio.cgi', page('La Clave ingresada no es correcta. 01.01.204.500.720.27'))
    const { client } = openTestClient(sii)
    expect(await failureOf(client.folios.situation(byClave()))).toMatchObject({
      kind: 'refused',
      estado: '01.01.204.500.720.27',
      glosa: expect.stringContaining('La Clave ingresada no es correcta'),
      retry: 'never',
    })
    await client.close()
  })

  it('without cookies and without a reason raises the alarm, and an error of the server does not', async () => {
    sii.on('/CAutInicio.cgi', page('Bienvenido'), { status: 503, body: 'Service Unavailable' })
    const { client } = openTestClient(sii)
    expect(await failureOf(client.folios.situation(question()))).toMatchObject({
      kind: 'not_understood',
      drift: 'NETSCAPE_LIVEWIRE cookies',
    })
    expect(await failureOf(client.folios.situation(question()))).toMatchObject({ kind: 'unreachable', estado: '503' })
    await client.close()
  })

  it('is tried once more when the handshake broke, and then told as unreachable', async () => {
    // Nobody answers TLS here: the error that OpenSSL gives is the one that the real host gives now and then.
    const hosts = { certificacion: tlsLogin(), produccion: tlsLogin() }
    const { client, facts } = openTestClient(sii, { hosts })
    const failure = await failureOf(client.folios.situation(question()))
    expect(failure).toMatchObject({ kind: 'unreachable', service: 'login_certificate', sent: false })
    expect(facts.filter(({ operation }) => operation === 'login_certificate')).toHaveLength(2)
    await client.close()
  })

  const tlsLogin = () => {
    const host = (name: string) => `${sii.base}/${name}.sii.cl`
    return {
      dte: host('maullin'),
      boleta_api: host('apicert'),
      boleta_upload: host('pangal'),
      claims: host('ws2'),
      login_certificate: `${sii.base.replace('http:', 'https:')}/herculesr.sii.cl`,
      login_clave: host('zeusr'),
      portal: host('www4'),
      mipyme: host('www1'),
    }
  }
})

describe('the certificate of a person', () => {
  it('is shown at the login that asks for it, and to no other host', async () => {
    const tls = await openTlsSii()
    const { client } = openTestClient(sii, { hosts: simulatedHosts(tls.base), ca: tls.ca })
    // Its answers have no cookies: the login ends there.
    expect(await failureOf(client.folios.situation(question()))).toMatchObject({ drift: 'NETSCAPE_LIVEWIRE cookies' })
    await failureOf(client.taxpayers.authorisation({ rut: '76543210-3', ambiente: 'produccion' }))
    expect(tls.shown).toEqual([null, 'Ana Soto Reyes', null])
    await client.close()
    await tls.close()
  })
})

describe('what is kept of a session for the operator', () => {
  it('has neither the clave nor a cookie, in traces and in failures', async () => {
    sii.on('/of_solicita_folios', alert(`La clave ${CLAVE} y la sesion ${COOKIE} no sirven`))
    const { client, facts } = openTestClient(sii)
    const failure = await failureOf(client.folios.situation(byClave()))
    const told = JSON.stringify([facts, { ...failure }, failure.message])
    expect(failure.glosa).toContain('La clave *** y la sesion ***')
    for (const secret of [CLAVE, 'Cl4ve', COOKIE]) expect(told).not.toContain(secret)
    await client.close()
  })
})
