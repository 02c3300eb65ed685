import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate } from '@timbre/dte'
import { afterAll, describe, expect, it } from 'vitest'
import { certificateAuthorities } from './certificate-authorities.ts'
import { readConfig } from './config.ts'

const tls = { TLS_CERT_FILE: '/c', TLS_KEY_FILE: '/k' }
const allows = (env: Record<string, string>) => readConfig(env).webhooks_allow_private

describe('the address of the service', () => {
  const url = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).public_url

  it('is spelt one way, as the audience of tokens must be', () => {
    expect(url('https://API.example.cl:443//')).toBe('https://api.example.cl')
    expect(readConfig({ HOST: '::1', PORT: '3001' }).public_url).toBe('http://[::1]:3001')
  })

  it('is refused with a path, or as another thing than a website', () => {
    for (const bad of ['https://example.cl/timbre', 'https://example.cl/?a', 'https://u:p@example.cl'])
      expect(() => url(bad)).toThrow('PUBLIC_URL must be an address such as https://example.cl, without a path')
    for (const bad of ['example.cl', 'ftp://example.cl', 'https://']) expect(() => url(bad)).toThrow('PUBLIC_URL')
  })
})

describe('webhooks to private addresses', () => {
  it('are allowed where the whole service is on this machine for this machine', () => {
    expect(allows({})).toBe(true)
    expect(allows({ HOST: '::1' })).toBe(true)
  })

  it('are decided alike by all that share a database, whatever address and role each has', () => {
    const shared = { DATABASE_URL: 'postgres://127.0.0.1/timbre', MASTER_KEY: Buffer.alloc(32).toString('base64') }
    const addresses = [{}, { HOST: '::1' }, { PUBLIC_URL: 'https://api.example.cl' }, { TRUST_PROXY: '1' }]
    for (const said of [{}, { WEBHOOKS_ALLOW_PRIVATE: '0' }, { WEBHOOKS_ALLOW_PRIVATE: '1' }]) {
      const decided = ['all', 'api', 'worker'].flatMap((ROLE) =>
        addresses.map((address) => allows({ ...shared, ...said, ...address, ROLE })),
      )
      expect(new Set(decided)).toEqual(
        new Set(['WEBHOOKS_ALLOW_PRIVATE' in said && said.WEBHOOKS_ALLOW_PRIVATE === '1']),
      )
    }
  })

  it('are refused wherever the world may be in front', () => {
    expect(allows({ HOST: '0.0.0.0', ...tls })).toBe(false)
    expect(allows({ TRUST_PROXY: '1' })).toBe(false)
    expect(allows({ PUBLIC_URL: 'https://api.example.cl' })).toBe(false)
    expect(allows({ ROLE: 'worker' })).toBe(false)
  })

  it('are as the operator says', () => {
    expect(allows({ HOST: '0.0.0.0', ...tls, WEBHOOKS_ALLOW_PRIVATE: '1' })).toBe(true)
    expect(allows({ WEBHOOKS_ALLOW_PRIVATE: '0' })).toBe(false)
    expect(() => allows({ WEBHOOKS_ALLOW_PRIVATE: 'yes' })).toThrow('WEBHOOKS_ALLOW_PRIVATE')
  })
})

describe('the CAs that vouch for suppliers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-cas-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const years = { valid_from: new Date('2020-01-01T00:00:00Z'), valid_until: new Date('2040-01-01T00:00:00Z') }
  const der = (authority?: object) =>
    issueCertificate(
      { holder: 'Raíz', issuer: 'Raíz', serial: 1, ...years, ...(authority && { authority }) },
      privateKey,
    )
  const file = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const load = (SII_CA_FILE: string) => certificateAuthorities(readConfig({ SII_CA_FILE }))

  it('are none unless the operator names them', async () => {
    expect(readConfig({}).sii_ca_file).toBeNull()
    expect((await certificateAuthorities(readConfig({}))).certificates).toEqual([])
  })

  it('are read from a PEM file, from one in DER, or from a folder of both', async () => {
    const [pem, plain] = [file('raiz.pem', new X509Certificate(der({})).toString()), file('raiz.cer', der({}))]
    file('leeme.txt', 'no es un certificado')
    expect((await load(pem)).certificates).toHaveLength(1)
    expect((await load(plain)).certificates).toHaveLength(1)
    expect((await load(folder)).certificates).toHaveLength(2)
  })

  it('stop the start when they would vouch for nobody', async () => {
    for (const [name, bytes, why] of [
      ['persona.pem', new X509Certificate(der()).toString(), 'not one of a CA'],
      ['vacio.pem', '', 'SII_CA_FILE'],
      ['roto.cer', 'xx', 'SII_CA_FILE'],
    ] as const) {
      await expect(load(file(name, bytes))).rejects.toThrow(why)
    }
    await expect(load(join(folder, 'ninguno.pem'))).rejects.toThrow('SII_CA_FILE')
  })
})

describe('the provider of bank data', () => {
  const keys = { FINTOC_SECRET_KEY: 'sk_x', FINTOC_PUBLIC_KEY: 'pk_x' }

  it('is none unless it is given a key', () => {
    expect(readConfig({ FINTOC_PUBLIC_KEY: 'pk_x', FINTOC_URL: 'nonsense' }).fintoc).toBeNull()
    expect(readConfig(keys).fintoc).toEqual({
      url: 'https://api.fintoc.com',
      secret_key: 'sk_x',
      public_key: 'pk_x',
      webhook_secret: null,
      version: null,
    })
    const more = { FINTOC_WEBHOOK_SECRET: 'whsec_x', FINTOC_VERSION: '2026-02-01', FINTOC_URL: 'http://127.0.0.1:9' }
    const given = { webhook_secret: 'whsec_x', version: '2026-02-01', url: 'http://127.0.0.1:9' }
    expect(readConfig({ ...keys, ...more }).fintoc).toMatchObject(given)
  })

  it('is refused without the key of its widget, and where its key would travel in the clear', () => {
    expect(() => readConfig({ FINTOC_SECRET_KEY: 'sk_x' })).toThrow('FINTOC_PUBLIC_KEY')
    for (const FINTOC_URL of ['http://api.fintoc.com', 'api.fintoc.com', 'ftp://127.0.0.1'])
      expect(() => readConfig({ ...keys, FINTOC_URL })).toThrow('FINTOC_URL')
  })
})

describe('the mailbox for suppliers', () => {
  it('is closed unless it is given a port, and takes its domain in small letters, as mail does', () => {
    expect(readConfig({})).toMatchObject({ reception_smtp_port: null, reception_domain: 'recepcion.localhost' })
    const given = readConfig({ RECEPTION_SMTP_PORT: '2525', RECEPTION_DOMAIN: 'Recepcion.Example.CL' })
    expect(given).toMatchObject({ reception_smtp_port: 2525, reception_domain: 'recepcion.example.cl' })
    expect(() => readConfig({ RECEPTION_SMTP_PORT: 'smtp' })).toThrow('RECEPTION_SMTP_PORT')
  })
})

describe('the SII of live mode', () => {
  const shared = { DATABASE_URL: 'postgres://127.0.0.1/x', MASTER_KEY: 'x' }

  it('is a simulator of our own on the embedded database, certification with a database of its own, or what is said', () => {
    expect(readConfig({})).toMatchObject({ sii: 'simulator', sii_simulator_url: null })
    expect(readConfig(shared).sii).toBe('certificacion')
    expect(readConfig({ ...shared, SII: 'produccion' }).sii).toBe('produccion')
  })

  it('is one simulator for all processes of a database, and never one on a network', () => {
    expect(() => readConfig({ ...shared, SII: 'simulator' })).toThrow('SII_SIMULATOR_URL')
    const url = 'http://127.0.0.1:7400'
    expect(readConfig({ ...shared, SII: 'simulator', SII_SIMULATOR_URL: `${url}/` }).sii_simulator_url).toBe(url)
    for (const SII_SIMULATOR_URL of ['http://10.0.0.1:7400', 'https://example.cl', '127.0.0.1:7400', 'ftp://127.0.0.1'])
      expect(() => readConfig({ SII_SIMULATOR_URL })).toThrow('SII_SIMULATOR_URL')
  })
})
