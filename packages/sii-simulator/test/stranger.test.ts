import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Client, createClientAsync } from 'soap'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPaper } from './support/paper.ts'
import { hasSamples, sample } from './support/samples.ts'
import { inside, shapeOf, signedSeed, useWorld } from './support/world.ts'

/** Clients that nobody here wrote: the `soap` package fed with the SII's own WSDL files, and curl. */
const WSDL = fileURLToPath(new URL('../../../../shared/sii/samples/wsdl/', import.meta.url))
const run = promisify(execFile)

const world = useWorld()
let folder: string
let envelope: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stranger-'))
  envelope = join(folder, 'envio.xml')
  const paper = await openPaper(world)
  writeFileSync(envelope, await paper.envelope(paper.dte(33, 1)))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function upload(token: string): Promise<string> {
  const fields = [
    'rutSender=12345678',
    'dvSender=5',
    'rutCompany=76543210',
    'dvCompany=3',
    `archivo=@${envelope};type=text/xml`,
  ]
  const { stdout } = await run('curl', [
    '--silent',
    '--show-error',
    ...['--user-agent', 'Mozilla/4.0 (compatible; PROG 1.0; curl)'],
    ...['--cookie', `TOKEN=${token}`],
    ...fields.flatMap((field) => ['--form', field]),
    `${world.base}/maullin.sii.cl/cgi_dte/UPL/DTEUpload`,
  ])
  return stdout
}

describe.skipIf(!hasSamples)('the soap package with the WSDL files of the SII (skipped where they are missing)', () => {
  type Method = (args: object | null) => Promise<[Record<string, { $value?: string } | string>]>
  let token: string

  async function service(name: string, path: string): Promise<Client> {
    const client = await createClientAsync(`${WSDL}${name}.wsdl`)
    client.setEndpoint(`${world.base}/maullin.sii.cl${path}`)
    return client
  }

  /** The text that the operation returns. Where it has no parts, the package wants null. */
  async function ask(client: Client, operation: string, args: object | null = null): Promise<string> {
    const method = (client as unknown as Record<string, Method>)[`${operation}Async`]
    const [answer] = (await method?.(args)) ?? [{}]
    const value = answer?.[`${operation}Return`]
    return typeof value === 'string' ? value : (value?.$value ?? '')
  }

  beforeAll(async () => {
    const seed = inside(await ask(await service('CrSeed', '/DTEWS/CrSeed.jws'), 'getSeed'), 'SEMILLA')
    const signed = signedSeed(seed, world.person)
    token = inside(
      await ask(await service('GetTokenFromSeed', '/DTEWS/GetTokenFromSeed.jws'), 'getToken', { pszXml: signed }),
      'TOKEN',
    )
  })

  it('gets a seed and a token for it', () => {
    expect(token).toMatch(/^\w{8,}$/)
  })

  it('follows an upload by curl to its verdict, the documents in it and the e-mail', async () => {
    const reception = await upload(token)
    expect(shapeOf(reception)).toEqual(shapeOf(sample('responses/DTEUpload-ok.xml')))
    const TrackId = inside(reception, 'TRACKID')
    const company = { RutCompania: '76543210', DvCompania: '3' }
    const status = await service('QueryEstUp', '/DTEWS/QueryEstUp.jws')
    expect(inside(await ask(status, 'getEstUp', { ...company, TrackId, Token: token }), 'ESTADO')).toBe('REC')
    world.time.now += 3_000
    const processed = await ask(status, 'getEstUp', { ...company, TrackId, Token: token })
    expect([inside(processed, 'ESTADO'), inside(processed, 'ACEPTADOS')]).toEqual(['EPR', '1'])

    const document = {
      RutReceptor: '77123456',
      DvReceptor: '9',
      TipoDte: '33',
      FolioDte: '1',
      FechaEmisionDte: '05102026',
      MontoDte: '5950',
      Token: token,
    }
    const plain = await service('QueryEstDte', '/DTEWS/QueryEstDte.jws')
    const consultant = { RutConsultante: '12345678', DvConsultante: '5' }
    expect(inside(await ask(plain, 'getEstDte', { ...consultant, ...company, ...document }), 'ESTADO')).toBe('DOK')
    const advanced = await service('QueryEstDteAv', '/DTEWS/services/QueryEstDteAv')
    const [held] = world.simulator.state.documents.values()
    const { Token, ...question } = document
    const asked = { RutEmpresa: '76543210', DvEmpresa: '3', ...question, FirmaDte: held?.signature_value, Token }
    expect(await ask(advanced, 'getEstDteAv', asked)).toContain('<ESTADO>DOK</ESTADO>')

    const before = world.simulator.state.mails.count()
    const correo = await service('wsDTECorreo', '/DTEWS/services/wsDTECorreo')
    const resent = await ask(correo, 'reenvioCorreo', { Token: token, RutEmpresa: '76543210', DvEmpresa: '3', TrackId })
    expect(inside(resent, 'ESTADO')).toBe('0')
    expect(world.simulator.state.mails.count()).toBe(before + 1)
  })

  it('finds at ?wsdl a description with the same operations and parts as the file of the SII', async () => {
    for (const [name, path] of Object.entries({
      CrSeed: '/DTEWS/CrSeed.jws',
      GetTokenFromSeed: '/DTEWS/GetTokenFromSeed.jws',
      QueryEstUp: '/DTEWS/QueryEstUp.jws',
      QueryEstDte: '/DTEWS/QueryEstDte.jws',
      QueryEstDteAv: '/DTEWS/services/QueryEstDteAv',
      wsDTECorreo: '/DTEWS/services/wsDTECorreo',
    })) {
      const [ours, theirs] = await Promise.all([
        createClientAsync(`${world.base}/maullin.sii.cl${path}?wsdl`),
        createClientAsync(`${WSDL}${name}.wsdl`),
      ])
      expect(inputs(ours), name).toEqual(expect.objectContaining(inputs(theirs)))
    }
  })
})

/** Each operation of a client with the names of its parts. */
function inputs(client: Client): Record<string, string[]> {
  const ports = Object.values(
    client.describe() as Record<string, Record<string, Record<string, { input: object | null }>>>,
  )
  const operations = ports.flatMap((service) => Object.values(service)).flatMap((port) => Object.entries(port))
  return Object.fromEntries(operations.map(([name, { input }]) => [name, Object.keys(input ?? {})]))
}

describe('curl', () => {
  it('uploads a file with the fields of the manual, and is told the track id of a file that came before', async () => {
    world.simulator.state.digests.clear()
    const token = await world.token()
    const first = await upload(token)
    expect(inside(first, 'STATUS')).toBe('0')
    const again = await upload(token)
    expect(inside(again, 'STATUS')).toBe('99')
    expect(again).toContain(inside(first, 'TRACKID'))
  })

  it('is sent a page with HTTP 200 where it has no session', async () => {
    const { stdout } = await run('curl', [
      '--silent',
      '--form',
      `archivo=@${envelope}`,
      `${world.base}/maullin.sii.cl/cgi_dte/UPL/DTEUpload`,
    ])
    expect(stdout).toContain('Error 501')
  })

  it('reaches a host of the SII by its name alone, where the name was pointed here', async () => {
    const port = new URL(world.base).port
    const { stdout } = await run('curl', [
      '--silent',
      '--resolve',
      `maullin.sii.cl:${port}:127.0.0.1`,
      `http://maullin.sii.cl:${port}/DTEWS/CrSeed.jws?wsdl`,
    ])
    expect(stdout).toContain('getSeedRequest')
  })

  it('trusts the simulator over HTTPS with nothing but its authority', async () => {
    const ca = join(folder, 'ca.pem')
    writeFileSync(ca, (await world.get('/control/ca.pem')).text)
    const { stdout } = await run('curl', [
      '--silent',
      '--show-error',
      '--cacert',
      ca,
      `${world.listening.https}/maullin.sii.cl/DTEWS/CrSeed.jws?wsdl`,
    ])
    expect(stdout).toContain('getSeedRequest')
  })
})
