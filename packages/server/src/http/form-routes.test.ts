import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_EMAIL, OPERATOR_SECRET, openWorld, type World } from '../../test/support/world.ts'
import { OAUTH_PATHS } from '../oauth/metadata.ts'
import { REACTIONS } from '../reactions.ts'
import { bankNoticeRoutes } from './bank-notices.ts'
import { accountRoutes } from './page-routes/account.ts'
import { certificationsRoutes } from './page-routes/certifications.ts'
import { checkoutRoutes } from './page-routes/checkout.ts'
import { connectRoutes } from './page-routes/connect.ts'
import { onboardingRoutes } from './page-routes/onboarding/routes.ts'
import { operatorSessionRoutes } from './page-routes/operator-session.ts'
import { rutClaimRoutes } from './page-routes/rut-claim.ts'
import type { PlainRoute } from './routes.ts'

const addresses = { public_url: 'http://timbre.test', operator_email: OPERATOR_EMAIL } as never

let world: World
let served: readonly PlainRoute[] = []
beforeAll(async () => {
  world = await openWorld({
    runs_jobs: false,
    plain: (db, given) => {
      const parts = { sql: db.sql, ...given, addresses, reactions: REACTIONS }
      served = [
        ...accountRoutes(),
        ...connectRoutes(parts),
        ...checkoutRoutes(parts),
        ...rutClaimRoutes(parts),
        ...onboardingRoutes(parts),
        ...operatorSessionRoutes({ ...parts, operator_secret: OPERATOR_SECRET }),
        ...certificationsRoutes({ ...parts, operator_secret: OPERATOR_SECRET }),
        ...bankNoticeRoutes(parts),
      ]
      return served
    },
  })
})
afterAll(() => world.close())

/** Served by every app, whatever its pages. */
const OF_AGENTS = {
  forms: [`${OAUTH_PATHS.consent}/x`, '/agentes/x', '/agentes', '/agentes/salir', '/agentes/x/quitar'],
  programs: [OAUTH_PATHS.register, '/mcp'],
}
const posts = (programs: boolean) =>
  served
    .filter(({ method, for_programs }) => method === 'POST' && (for_programs === true) === programs)
    .map(({ path }) => path.replace('{slug}', 'x'))

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const send = (path: string, headers: Record<string, string>) =>
  world.post(path, { raw: 'a=b', headers: { ...FORM, ...headers } })

describe('a form of a hosted page', () => {
  it('is known here, whatever page it is of', () => {
    const folder = fileURLToPath(new URL('../', import.meta.url))
    const declared = ['http', 'oauth', 'mcp'].flatMap((room) =>
      readdirSync(`${folder}${room}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .flatMap((name) => [...readFileSync(`${folder}${room}/${name}`, 'utf8').matchAll(/method: 'POST'/g)]),
    )
    const known = [...posts(false), ...posts(true), ...OF_AGENTS.forms, ...OF_AGENTS.programs]
    expect(known).toHaveLength(declared.length)
    expect(posts(true)).toEqual(['/webhooks/fintoc'])
  })

  it('403 from another site, with a page that says so, before anything is looked up', async () => {
    for (const path of [...posts(false), ...OF_AGENTS.forms]) {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
        const sent = await send(path, headers as Record<string, string>)
        expect([path, sent.status, sent.text.includes('no se envió desde nuestra página')]).toEqual([path, 403, true])
        expect(sent.headers['cache-control']).toBe('no-store')
      }
      expect((await send(path, { 'sec-fetch-site': 'same-origin' })).status).not.toBe(403)
      expect((await send(path, { origin: 'http://timbre.test' })).status).not.toBe(403)
    }
  })

  it('413 in Spanish where it is too large, and the sender who is still sending reads it', async () => {
    const sent = await world.post('/verificar', { raw: `token=${'x'.repeat(20_000)}`, headers: FORM })
    expect([sent.status, sent.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8'])
    expect(sent.text).toContain('demasiado largo')
    await world.app.http.listen({ host: '127.0.0.1', port: 0 })
    const { port } = world.app.http.server.address() as AddressInfo
    const photo = Buffer.alloc(6 * 1024 * 1024, 0x41)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (bytes) => {
        text += bytes
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
      socket.write(
        `POST /puesta-en-marcha/x HTTP/1.1\r\nHost: timbre.test\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${photo.length}\r\n\r\n`,
      )
      socket.write(photo)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('El archivo es demasiado grande')
  })

  it('415 is a page too, and no JSON in English', async () => {
    for (const type of ['text/plain', 'multipart/form-data; boundary=b']) {
      const sent = await world.post('/verificar', { raw: 'x', headers: { 'content-type': type } })
      expect([type, sent.status, sent.text.includes('No pudimos recibirlo')]).toEqual([type, 415, true])
    }
  })
})
