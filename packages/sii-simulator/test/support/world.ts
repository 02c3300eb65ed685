import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { type Authority, openAuthority } from '../../src/authority/authority.ts'
import { type Listening, listen } from '../../src/server.ts'
import { openSimulator, type Simulator } from '../../src/simulator.ts'

/** Midday in Santiago of a day in spring. */
export const NOON = Date.parse('2026-10-05T15:00:00Z')

export type World = {
  simulator: Simulator
  listening: Listening
  base: string
  /** The machine's clock, as the simulator is told. */
  time: { now: number }
  person: Person
  control<T = Record<string, unknown>>(method: string, path: string, input?: unknown): Promise<T>
  post(path: string, body: string | Uint8Array | FormData, headers?: Record<string, string>): Promise<Reply>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  soap(path: string, operation: string, args?: readonly string[]): Promise<string>
  token(channel?: 'dte' | 'boleta', ambiente?: 'certificacion' | 'produccion', person?: Person): Promise<string>
}

export type Reply = { status: number; type: string; text: string }
export type Person = { rut: string; key: KeyObject; certificate: string; pfx: Buffer }

let authority: Authority | undefined
let key: KeyObject | undefined

/** One simulator for a file of tests, and one key for the people of all of them, which a handshake of Node 24 takes. */
export function useWorld(): World {
  const world = {} as World
  beforeAll(async () => {
    authority ??= openAuthority(null)
    key ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const time = { now: NOON }
    const simulator = openSimulator({ data: null, authority, now: () => time.now })
    const listening = await listen(simulator, { port: 0, https_port: 0 })
    Object.assign(world, callsOf(listening.http), { simulator, listening, base: listening.http, time })
    world.person = await makePerson(world, '12345678-5')
  })
  afterAll(async () => {
    await world.listening?.close()
    await world.simulator?.close()
  })
  return world
}

export async function makePerson(world: Pick<World, 'control'>, rut: string, more: object = {}): Promise<Person> {
  if (!key) throw new Error('The key is made with the world.')
  const private_key = key.export({ type: 'pkcs8', format: 'pem' })
  const made = await world.control<{ certificate_pem: string; pfx: string }>('POST', '/control/certificates', {
    rut,
    name: 'María Soto',
    password: 'clave',
    private_key,
    ...more,
  })
  return { rut, key, certificate: made.certificate_pem, pfx: Buffer.from(made.pfx, 'base64') }
}

export function callsOf(base: string): Pick<World, 'control' | 'post' | 'get' | 'soap' | 'token'> {
  const reply = async (response: Response): Promise<Reply> => ({
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  })
  const post: World['post'] = async (path, body, headers = {}) =>
    reply(await fetch(`${base}${path}`, { method: 'POST', body, headers }))
  const get: World['get'] = async (path, headers = {}) => reply(await fetch(`${base}${path}`, { headers }))
  const soap: World['soap'] = async (path, operation, args = []) => {
    const parts = args.map((arg, at) => `<a${at}>${escaped(arg)}</a${at}>`).join('')
    const { text } = await post(
      path,
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><m:${operation} xmlns:m="urn:any">${parts}</m:${operation}></s:Body></s:Envelope>`,
      { SOAPAction: '""', 'Content-Type': 'text/xml; charset=utf-8' },
    )
    return returned(text)
  }
  return {
    post,
    get,
    soap,
    async control<T>(method: string, path: string, input?: unknown) {
      const body = input === undefined ? {} : { body: JSON.stringify(input) }
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...body,
      })
      return (await response.json()) as T
    },
    async token(this: World, channel = 'dte', ambiente = 'certificacion', person = this.person) {
      const live = ambiente === 'produccion'
      if (channel === 'boleta') {
        const rest = `/${live ? 'api' : 'apicert'}.sii.cl/recursos/v1/boleta.electronica`
        const seed = inside((await get(`${rest}.semilla`)).text, 'SEMILLA')
        return inside((await post(`${rest}.token`, signedSeed(seed, person))).text, 'TOKEN')
      }
      const host = live ? 'palena.sii.cl' : 'maullin.sii.cl'
      const seed = inside(await soap(`/${host}/DTEWS/CrSeed.jws`, 'getSeed'), 'SEMILLA')
      return inside(await soap(`/${host}/DTEWS/GetTokenFromSeed.jws`, 'getToken', [signedSeed(seed, person)]), 'TOKEN')
    },
  }
}

/** The request of a token, signed by hand: no code of ours that signs is asked to agree with code of ours that verifies. */
export function signedSeed(seed: string, person: Person, change = (xml: string) => xml): string {
  const item = `<item><Semilla>${seed}</Semilla></item>`
  const digest = createHash('sha1').update(`<getToken>${item}</getToken>`).digest('base64')
  const dsig = 'http://www.w3.org/2000/09/xmldsig#'
  const parts =
    '<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></CanonicalizationMethod>' +
    `<SignatureMethod Algorithm="${dsig}rsa-sha1"></SignatureMethod><Reference URI=""><Transforms>` +
    `<Transform Algorithm="${dsig}enveloped-signature"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${dsig}sha1"></DigestMethod><DigestValue>${digest}</DigestValue></Reference>`
  const value = sign('sha1', Buffer.from(`<SignedInfo xmlns="${dsig}">${parts}</SignedInfo>`), person.key)
  const { n = '', e = '' } = person.key.export({ format: 'jwk' })
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64')
  const certificate = person.certificate.replace(/-----.*-----|\s/g, '')
  return change(
    `<getToken>${item}<Signature xmlns="${dsig}"><SignedInfo>${parts}</SignedInfo><SignatureValue>${value.toString('base64')}</SignatureValue>` +
      `<KeyInfo><KeyValue><RSAKeyValue><Modulus>${base64(n)}</Modulus><Exponent>${base64(e)}</Exponent></RSAKeyValue></KeyValue>` +
      `<X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></Signature></getToken>`,
  )
}

export function inside(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
}

/** The text that a SOAP answer returns, unescaped. */
export function returned(text: string): string {
  const value = /Return[^>]*>([\s\S]*)<\/\w+Return>/.exec(text)?.[1] ?? text
  return value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** The names of the elements of a document in the order in which they open: its shape. */
export function shapeOf(xml: string): string[] {
  return Array.from(xml.matchAll(/<([A-Za-z][\w:.-]*)/g), ([, name = '']) => name)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
