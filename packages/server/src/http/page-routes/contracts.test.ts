import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import { OPERATIONS } from '../../operations.ts'
import { contractRoutes } from './docs.ts'

const addresses = { public_url: 'https://timbre.example', base_url: 'https://timbre.example/v1' }

let world: World
beforeAll(async () => {
  world = await openWorld({ plain: () => contractRoutes(OPERATIONS, addresses) })
})
afterAll(() => world.close())

const get = (headers: Record<string, string> = {}, ending = 'yaml') =>
  world.get(`/openapi/bootstrap.${ending}`, { headers })

describe('a published contract', () => {
  it('200 tells the addresses of this installation, in its examples too', async () => {
    const { body, text } = await get({}, 'json')
    expect(body.servers[0].url).toBe('https://timbre.example')
    expect(text).not.toContain('127.0.0.1')
  })

  it('200 goes packed to whoever takes gzip, and as it is to the rest', async () => {
    const plain = await get()
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
    const packed = await get({ 'accept-encoding': 'br, gzip' })
    expect([packed.status, packed.headers['content-encoding'], packed.headers.vary]).toEqual([
      200,
      'gzip',
      'Accept-Encoding',
    ])
    expect(packed.headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
  })

  it('304 with no body for whoever has it', async () => {
    const { etag = '' } = (await get({ 'accept-encoding': 'gzip' })).headers
    const again = await get({ 'if-none-match': etag })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('200 is for pages of any origin', async () => {
    const sent = await get({ origin: 'https://editor.example' })
    expect(sent.headers['access-control-allow-origin']).toBe('*')
    expect(sent.headers['access-control-expose-headers']).toBe('ETag')
  })
})
