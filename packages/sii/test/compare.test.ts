import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeBody, kindOf } from '../src/body.ts'
import { shapeDifferences } from '../src/compare/differences.ts'
import { compareWalks, type SeenDoor, walkDoors } from '../src/compare/index.ts'
import { redactedSample } from '../src/compare/sample.ts'
import { type Shape, shapeOf } from '../src/compare/shape.ts'
import { textKind } from '../src/compare/text-kind.ts'
import { type Identity, simulatedHosts } from '../src/index.ts'
import { IN_FULL } from './support/in-full.ts'
import { describeWithSamples, readSample, samplePath } from './support/shared.ts'
import { type SimulatorProcess, startSimulator } from './support/simulator.ts'

const SCRIPT = fileURLToPath(new URL('../../../scripts/sii-compare.mjs', import.meta.url))
const ARGUMENTS = ['--ambiente', 'certificacion', '--rut', '76543210-3', '--password-env', 'PFX_PASSWORD']

let simulator: SimulatorProcess
let identity: Identity
let folder: string
let pfx: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'compare-'))
  pfx = join(folder, 'persona.pfx')
  simulator = await startSimulator()
  const person = await simulator.person('12345678-5', 'clave')
  identity = person.identity
  writeFileSync(pfx, person.pfx)
})
afterAll(async () => {
  await simulator.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The command, as a person would run it, with nobody at its terminal. */
function run(...args: string[]): Promise<Ended> {
  const env = { ...process.env, PFX_PASSWORD: 'clave' }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [SCRIPT, '--pfx', pfx, ...args], { env }, (failure, stdout, stderr) =>
      resolve({ code: failure ? Number(failure.code) : 0, stdout, stderr }),
    )
    child.stdin?.end()
  })
}

describe('npm run sii:compare', () => {
  it.runIf(IN_FULL)(
    'prints nothing where both ends have the same shapes, and keeps samples without contents',
    async () => {
      const samples = join(folder, 'samples')
      const ended = await run(...ARGUMENTS, '--base', simulator.http, '--against', simulator.http, '--samples', samples)
      expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
      const files = readdirSync(samples)
      expect(files).toEqual(
        expect.arrayContaining([
          'token.getSeed.xml',
          'token.getToken.xml',
          'boleta_envelope_status.boleta.token.xml',
          'claims_events.listarEventosHistDoc.xml',
          'company_page.ee_empresa_rut.html',
          'folio_situation.login_certificate.html',
          'folio_situation.of_solicita_folios_dcto.html',
          'rcv_totals.getResumen.json',
          'f29_periods.getPeriodosF29.json',
          'logout.logout.html',
        ]),
      )
      const kept = files.map((name) => readFileSync(join(samples, name), 'utf8')).join('\n')
      expect(kept).toContain('SEMILLA&gt;[digits]&lt;')
      expect(kept).not.toMatch(/76\.?543\.?210|12\.?345\.?678|Soto|clave/)
    },
  )

  it('asks no host of sii.cl before a person has said yes, and takes no password on the command line', async () => {
    for (const sides of [[], ['--base', simulator.http, '--against', 'https://maullin.sii.cl']]) {
      const unasked = await run(...ARGUMENTS, ...sides)
      expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Go on?')])
    }
    const spoken = await run(...ARGUMENTS, '--password', 'clave')
    expect([spoken.code, spoken.stderr]).toEqual([2, expect.stringContaining('--password')])
  })
})

describe('two ends', () => {
  let proxy: Server
  let lossy: string
  let walk: readonly SeenDoor[]

  /** The simulator's DTE host behind a server that drops a field. */
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const { method = 'GET', url = '/', headers } = request
        const body = method === 'GET' ? null : Buffer.concat(chunks)
        const kept = Object.entries(headers).filter(([name]) =>
          /^(cookie|content-type|soapaction|user-agent|referer)$/.test(name),
        )
        const answer = await fetch(`${simulator.http}${url}`, {
          method,
          body,
          headers: kept as [string, string][],
          redirect: 'manual',
        })
        const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
        const lost = text.replace(/&lt;GLOSA_ERR&gt;.*?&lt;\/GLOSA_ERR&gt;/, '')
        response.writeHead(answer.status).end(Buffer.from(lost, 'latin1'))
      })
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    lossy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/maullin.sii.cl`
    walk = await walkDoors(sideOf())
  })
  afterAll(() => {
    proxy.closeAllConnections()
    proxy.close()
  })

  function sideOf(dte?: string) {
    const hosts = simulatedHosts(simulator.https)
    const certificacion = dte ? { ...hosts.certificacion, dte } : hosts.certificacion
    return {
      identity,
      ambiente: 'certificacion',
      company_rut: '76543210-3',
      period: '2026-10',
      hosts: { ...hosts, certificacion },
      ca: simulator.ca,
      sleep: async () => undefined,
    } as const
  }

  it('differ by the field that one of them lost and by nothing else', async () => {
    const differences = compareWalks(walk, await walkDoors(sideOf(lossy)))
    expect(differences).toEqual([
      {
        door: 'document_status',
        operation: 'getEstDte',
        path: expect.stringMatching(/getEstDteReturn\/SII:RESPUESTA\/SII:RESP_HDR\/GLOSA_ERR$/),
        left: 'words',
        right: 'absent',
      },
    ])
  })

  it('differ where one of them does not answer at all', async () => {
    const nobody = await walkDoors({ ...sideOf('http://127.0.0.1:9/maullin.sii.cl'), limits: { connect_ms: 2_000 } })
    const differences = compareWalks(walk, nobody)
    expect(differences).toContainEqual({
      door: 'token',
      operation: null,
      path: 'our reader',
      left: 'understood',
      right: 'unreachable',
    })
    expect(differences).toContainEqual(
      expect.objectContaining({ door: 'company_page', operation: 'ee_empresa_rut', right: 'no answer' }),
    )
  })
})

describe('two shapes', () => {
  const differences = (left: string, right: string) => {
    const [a, b] = [left, right].map((text) => shapeOf({ text, kind: kindOf(text) })) as [Shape, Shape]
    return shapeDifferences(a, b).map((one) => [one.path, one.left, one.right])
  }

  it('differ by order, by cardinality and by the kind of a text, and not by what the text says', () => {
    expect(differences('<a><b>1</b><c>EPR</c></a>', '<a><b>72</b><c>RCT</c></a>')).toEqual([])
    expect(differences('<a><b>1</b><c>2</c></a>', '<a><c>2</c><b>1</b></a>')).toEqual([['a', 'b, c', 'c, b']])
    expect(differences('<a><b>1</b></a>', '<a><b>1</b><b>2</b></a>')).toEqual([['a/b', 'once', 'repeated']])
    expect(differences('<a><b>1</b></a>', '<a><b>uno</b></a>')).toEqual([['a/b', 'digits', 'words']])
    expect(differences('{"a":[{"b":1}]}', '{"a":[{"b":1,"c":null},{"b":2}]}')).toEqual([
      ['json/a/[]/c', 'absent', 'null'],
    ])
    expect(differences('{"a":[]}', '{"a":[{"b":1}]}')).toEqual([])
    expect(differences('<html><form action="/x"><input name=A value=1></form></html>', '<html></html>')).toEqual([
      ['page/form to x', 'form', 'absent'],
    ])
  })
})

describe('the kind of a text', () => {
  it.each([
    ['', 'empty'],
    ['0260003916', 'digits'],
    ['-11', 'negative'],
    ['76543210-3', 'rut'],
    ['12.345.678-5', 'rut'],
    ['EPR', 'code'],
    ['DTE-3-505', 'code'],
    ['XAuSbYXiNh9Ik', 'token'],
    ['2026-10-05', 'AAAA-MM-DD'],
    ['05/10/2026 12:06:44', 'DD/MM/AAAA hh:mm:ss'],
    ['532 ( 2004/06/14 16:44:20)', '9 ( AAAA/MM/DD hh:mm:ss)'],
    ['Documento Recibido', 'words'],
    ['[digits]', 'digits'],
    ['[Juana Soto]', 'words'],
  ])('of %j is %s', (text, kind) => {
    expect(textKind(text)).toBe(kind)
  })
})

describeWithSamples('a redacted sample', () => {
  it('has the shape of the answer that it was made from, and none of its numbers', () => {
    for (const name of readdirSync(samplePath('responses'))) {
      const text = decodeBody(readSample(`responses/${name}`))
      const answer = { text, kind: kindOf(text) }
      const sample = redactedSample(answer)
      expect(shapeOf({ text: sample.text, kind: kindOf(sample.text) }), name).toEqual(shapeOf(answer))
      expect(sample.text.replace(/http:\/\/[^"&]+/g, ''), name).not.toMatch(/\d{5}/)
    }
  })
})
