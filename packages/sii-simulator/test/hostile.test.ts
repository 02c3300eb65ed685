import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { settle } from '../src/uploads/settle.ts'
import { AGENT, uploadForm } from './support/paper.ts'
import { inside, useWorld } from './support/world.ts'

/** Nothing that a stranger sends makes the simulator fail, wait or end: each is answered, and the next one is served. */
describe('a stranger who means harm', () => {
  const world = useWorld()
  const SEED = '/maullin.sii.cl/DTEWS/CrSeed.jws'
  const UPLOAD = '/maullin.sii.cl/cgi_dte/UPL/DTEUpload'
  const RCV = '/www4.sii.cl/consdcvinternetui/services/data/facadeService'
  const NAMESPACE = 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService'
  const DEEP = '['.repeat(200_000) + ']'.repeat(200_000)
  let token: string
  let session: string

  const soap = (body: string | Uint8Array, path = SEED) => world.post(path, body, { 'Content-Type': 'text/xml' })
  const inBody = (content: string) =>
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${content}</e:Body></e:Envelope>`
  const upload = (body: string, type = 'multipart/form-data; boundary=B') =>
    world.post(UPLOAD, body, { 'Content-Type': type, 'User-Agent': AGENT, Cookie: `TOKEN=${token}` })
  const sendFile = async (file: string | Uint8Array) =>
    inside(
      (await world.post(UPLOAD, uploadForm(Buffer.from(file)), { 'User-Agent': AGENT, Cookie: `TOKEN=${token}` })).text,
      'STATUS',
    )
  const facade = (method: string, body: string) =>
    world.post(`${RCV}/${method}`, body, {
      Accept: '*/*',
      Cookie: `TOKEN=${session}`,
      'Content-Type': 'application/json',
    })
  const question = (method: string, data: string) =>
    facade(method, `{"metaData":{"namespace":"${NAMESPACE}/${method}","conversationId":"${session}"},"data":${data}}`)
  const raw = (request: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(world.base).port), '127.0.0.1', () => socket.end(request))
      let said = ''
      socket.setEncoding('latin1').on('data', (part: string) => {
        said += part
      })
      socket.on('error', reject).on('close', () => resolve(said.slice(9, 12)))
    })

  beforeAll(async () => {
    token = await world.token()
    await world.control('POST', '/control/taxpayers', { rut: '76543210-3', clave: 'secreta' })
    const login = await fetch(`${world.base}/zeusr.sii.cl/cgi_AUT2000/CAutInicio.cgi?%zz`, {
      method: 'POST',
      body: new URLSearchParams({ rut: '76543210', dv: '3', clave: 'secreta' }),
    })
    expect(login.status).toBe(200)
    session = /TOKEN=(\w+)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? ''
  })

  it('names things by words that every JavaScript object has', async () => {
    const company = '{"rutEmisor":"76543210","dvEmisor":"3"}'
    for (const method of ['constructor', 'hasOwnProperty', '__proto__', 'toString']) {
      expect((await question(method, company)).text).toContain(`Metodo ${method} no simulado`)
      expect(
        (await soap(inBody(`<${method}/>`), '/ws1.sii.cl/WSREGISTRORECLAMODTE/registroreclamodteservice')).text,
      ).toContain('Cannot find dispatch method')
      const f29 = `{"metaData":{"namespace":"cl.sii.sdi.lob.iva.propuestaf29.data.api.interfaces.FacadeService/${method}"},"data":{}}`
      const answer = await world.post(`/www4.sii.cl/propuestaf29ui/services/data/facadeService/${method}`, f29, {
        Cookie: `TOKEN=${session}`,
      })
      expect(answer.text).toContain(`Metodo ${method} no existe`)
    }
    expect(await sendFile(`<EnvioDTE version="1.0">${' '.repeat(50)}&constructor;</EnvioDTE>`)).toBe('7')
  })

  it('sends JSON that is nested without end, or lists of nothing', async () => {
    expect((await facade('getResumen', `{"metaData":{"namespace":${DEEP}},"data":{}}`)).status).toBe(200)
    const claims = (row: string) =>
      question('ingresarAceptacionReclamoDocs', `{"rutAutenticado":"76543210","dvAutenticado":"3","dteAcuRe":[${row}]}`)
    for (const row of ['null', '7', DEEP, `{"detNroDoc":${DEEP}}`])
      expect((await claims(row)).text).toContain('"codResp":18')
  })

  it('sends keys that are longer than any', async () => {
    const long = 'a'.repeat(5_000)
    expect((await world.get(`/control/uploads?prefix=${long}`)).text).toBe('{"data":[]}')
    const removed = await fetch(`${world.base}/control/scripts/${'1'.repeat(3_000)}`, { method: 'DELETE' })
    expect(removed.status).toBe(200)
    const logout = await world.get('/zeusr.sii.cl/cgi_AUT2000/autTermino.cgi', { Cookie: `TOKEN=${long}` })
    expect(logout.status).toBe(200)
  })

  it('calls itself by a name that is none', async () => {
    const page = '/maullin.sii.cl/cvc_cgi/dte/of_solicita_folios'
    expect(await raw(`GET ${page} HTTP/1.1\r\nHost: [x"y\r\nConnection: close\r\n\r\n`)).toBe('400')
    expect(await raw(`GET ${page} HTTP/1.0\r\nCookie: TOKEN=${session}\r\n\r\n`)).toBe('200')
  })

  it('sends forms that are cut short, malformed or endless', async () => {
    const file =
      '--B\r\nContent-Disposition: form-data; name="archivo"; filename="a.xml"\r\nContent-Type: text/xml\r\n\r\n<a>'
    for (const body of [file, file.slice(0, 60), '', '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n'])
      expect((await upload(body)).text).toMatch(/<STATUS>[34]</)
    expect((await upload('x', 'multipart/form-data')).text).toContain('<STATUS>3<')
    expect((await upload(`${`${file}\r\n`.repeat(40)}--B--\r\n`)).status).toBe(200)
    const fields = await world.post('/maullin.sii.cl/cvc_cgi/dte/ee_empresa_rut', 'a=1&'.repeat(400_000), {
      'Content-Type': 'application/x-www-form-urlencoded',
    })
    expect(fields.status).toBe(200)
  })

  it('sends XML that grows, nests or declares without end', async () => {
    const tags = (count: number) => '<a>'.repeat(count) + '</a>'.repeat(count)
    expect((await soap(inBody(tags(100_000)))).text).toContain('Bad envelope')
    const many = Array.from({ length: 20_000 }, (_, at) => `xmlns:n${at}="u"`).join(' ')
    const declared = `<EnvioDTE version="1.0" ${many}>${'<a xmlns:b="c"/>'.repeat(100_000)}</EnvioDTE>`
    expect(await sendFile(declared)).toBe('7')
    expect(await sendFile(`<EnvioDTE version="1.0">${tags(1_000)}</EnvioDTE>`)).toBe('7')
    expect(await sendFile(`${'<!---->'.repeat(100)}x`.padEnd(100))).toMatch(/^[37]$/)
    expect(await sendFile(gzipSync(Buffer.alloc(40_000_000, 'a')))).toBe('7')
    const growing = Array.from({ length: 8 }, (_, at) => `<!ENTITY l${at} "${`&l${at - 1};`.repeat(20)}">`).join('')
    const bomb = `<!DOCTYPE a [<!ENTITY l-1 "ha">${growing}]>${inBody('<getSeed><x>&l7;</x></getSeed>')}`
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bomb, 'utf16le')])
    for (const body of [bomb, utf16]) expect((await soap(body)).text).toContain('Bad envelope')
  })

  it('sends a file over which the verifier fails, and only that file is refused', async () => {
    const { simulator } = world
    const verifier = await simulator.verifier()
    const sound = verifier.verify
    vi.spyOn(console, 'error').mockImplementationOnce(() => undefined)
    verifier.verify = () => {
      throw new RangeError('Invalid time value')
    }
    expect(await sendFile(`<EnvioDTE version="1.0">${' '.repeat(50)}</EnvioDTE>`)).toBe('0')
    world.time.now += 60_000
    await settle(simulator)
    verifier.verify = sound
    const { data } = await world.control<{ data: unknown[] }>('GET', '/control/uploads')
    expect(data[0]).toMatchObject({
      verdict: { estado: 'RSC', findings: [{ detail: expect.stringContaining('Invalid time value') }] },
    })
  })

  it('is followed by others who are served', async () => {
    expect(inside(await world.soap(SEED, 'getSeed'), 'ESTADO')).toBe('00')
  })
})
