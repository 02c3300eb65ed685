import { X509Certificate } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:tls'
import { openCertificate } from '@timbre/dte'
import { describe, expect, it } from 'vitest'
import { NOON, useWorld } from '../../test/support/world.ts'
import type { Mail } from '../state/types.ts'

describe('the control surface', () => {
  const world = useWorld()

  it('moves the clock, and lists what is held', async () => {
    await world.control('POST', '/control/clock', { now: '2027-01-01T02:59:00Z' })
    expect(await world.control('GET', '/control/clock')).toMatchObject({ santiago: '2026-12-31 23:59:00' })
    await world.control('POST', '/control/clock', { advance_seconds: 60 })
    expect(await world.control('GET', '/control')).toMatchObject({ santiago: '2027-01-01 00:00:00', uploads: 0 })
    await world.control('POST', '/control/clock', { frozen: true })
    world.time.now += 5_000
    expect(await world.control('GET', '/control/clock')).toMatchObject({
      santiago: '2027-01-01 00:00:00',
      frozen: true,
    })
    await world.control('POST', '/control/clock', { advance_seconds: 1 })
    world.time.now += 5_000
    expect(await world.control('GET', '/control/clock')).toMatchObject({
      santiago: '2027-01-01 00:00:01',
      frozen: true,
    })
    await world.control('POST', '/control/clock', { frozen: false })
    world.time.now += 5_000
    expect(await world.control('GET', '/control/clock')).toMatchObject({
      santiago: '2027-01-01 00:00:06',
      frozen: false,
    })
    world.time.now = NOON
    await world.control('POST', '/control/reset', {})
    expect(world.simulator.clock.now()).toBe(NOON)
    expect(await world.control('POST', '/control/clock', {})).toMatchObject({ error: 'invalid' })
  })

  it('lists more than an answer holds page by page, and says where more follows', async () => {
    const mail = { to: 'casilla@quillay.cl', at: NOON } as unknown as Mail
    for (let nth = 1; nth <= 5; nth++)
      world.simulator.state.mails.put(`produccion:${nth}`, { ...mail, subject: `${nth}` })
    type Page = { data: { subject: string }[]; next?: string }
    const read = (query: string) => world.control<Page>('GET', `/control/mails?${query}`)
    const seen: string[][] = []
    for (let page = await read('limit=2'); ; page = await read(`limit=2&after=${page.next}`)) {
      seen.push(page.data.map(({ subject }) => subject))
      if (page.next === undefined) break
    }
    expect(seen).toEqual([['5', '4'], ['3', '2'], ['1']])
    for (const whole of ['limit=5', 'limit=0', 'limit=x', '']) expect((await read(whole)).next).toBeUndefined()
    await world.control('POST', '/control/reset', {})
  })

  it('issues certificates that a Chilean program takes for those of a person', async () => {
    const opened = openCertificate(world.person.pfx, 'clave', new Date(NOON))
    expect(opened).toMatchObject({ ok: true, value: { rut: '12345678-5' } })
    expect(openCertificate(world.person.pfx, 'other', new Date(NOON))).toMatchObject({ ok: false })
    const authority = new X509Certificate((await world.get('/control/ca.pem')).text)
    const certificate = new X509Certificate(world.person.certificate)
    expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true)
    expect(await world.control('POST', '/control/certificates', { rut: '1-1', password: 'x' })).toMatchObject({
      error: 'invalid',
    })
  })

  it('tells the public half of the key of CAFs, and never a secret', async () => {
    const { text } = await world.get('/control/caf-keys')
    expect(text).toContain('BEGIN PUBLIC KEY')
    await world.control('POST', '/control/taxpayers', {
      rut: '76543210-3',
      clave: 'secreta',
      clave_centralizado: 'otra',
    })
    const everything = await Promise.all(
      ['', '/taxpayers', '/uploads', '/documents', '/mails', '/calls', '/certificates', '/scripts', '/settings'].map(
        async (path) => (await world.get(`/control${path}`)).text,
      ),
    )
    const token = await world.token()
    const calls = (await world.get('/control/calls')).text
    for (const secret of ['secreta', 'otra"', 'PRIVATE KEY', token])
      expect(everything.join(calls)).not.toContain(secret)
  })

  it('changes only what was sent of a taxpayer', async () => {
    const input = { rut: '77123456-9', name: 'Pérez', resolutions: { produccion: { number: 80, date: '2014-08-22' } } }
    await world.control('POST', '/control/taxpayers', input)
    const after = await world.control('POST', '/control/taxpayers', { rut: '77.123.456-9', tipos: [33] })
    expect(after).toMatchObject({ name: 'Pérez', tipos: [33], resolutions: { produccion: { number: 80 } } })
    const wrong = { rut: '77123456-9', users: [{ rut: '12345678-5', permissions: ['todo'] }] }
    expect(await world.control('POST', '/control/taxpayers', wrong)).toMatchObject({ error: 'invalid' })
  })

  it('answers no page of another site, nor a name that is not of this machine', async () => {
    const form = await world.post('/control/reset', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect(form.status).toBe(415)
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect((await world.post('/control/reset', '', headers as unknown as Record<string, string>)).status).toBe(403)
    expect((await world.post('/control/scripts', 'x', { 'Content-Type': 'application/json' })).status).toBe(400)
    const status = await new Promise((resolve) => {
      const { port } = new URL(world.base)
      request({ host: '127.0.0.1', port, path: '/control', headers: { Host: 'evil.example' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end()
    })
    expect(status).toBe(403)
  })

  it('serves the SII by its host name alone, over TLS of its own authority', async () => {
    const { port } = new URL(world.listening.https ?? '')
    const answer = await new Promise<string>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: Number(port),
        servername: 'maullin.sii.cl',
        ca: world.simulator.authority.ca.pem,
      }
      const socket = connect(options, () => {
        socket.write('GET /DTEWS/CrSeed.jws?wsdl HTTP/1.1\r\nHost: maullin.sii.cl\r\nConnection: close\r\n\r\n')
      })
      let text = ''
      socket.on('data', (part) => {
        text += part
      })
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer).toContain('location="https://maullin.sii.cl/DTEWS/CrSeed.jws"')
  })
})
