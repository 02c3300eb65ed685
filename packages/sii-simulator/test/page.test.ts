import { describe, expect, it } from 'vitest'
import { KIND_WORDS } from '../src/control/page-copy.ts'
import { useWorld } from './support/world.ts'

describe('the page of the simulator', () => {
  const world = useWorld()

  it('shows a person what it holds, in Spanish, and offers every kind of script', async () => {
    await world.token()
    const { status, type, text } = await world.get('/')
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
    const words = Buffer.from(text, 'latin1').toString('utf8')
    expect(words).toContain('2026-10-05 12:00:00')
    expect(words).toContain('/DTEWS/GetTokenFromSeed.jws')
    for (const kind of Object.keys(KIND_WORDS)) expect(words).toContain(`<option value="${kind}">`)
  })

  it('shows no clave, and no name as markup', async () => {
    await world.control('POST', '/control/taxpayers', {
      rut: '76543210-3',
      name: '<img src=x>',
      clave: 'secreta-1',
      clave_centralizado: 'secreta-2',
    })
    const { text } = await world.get('/')
    expect(text).toContain('&lt;img src=x&gt;')
    expect(text).not.toMatch(/secreta-\d/)
  })

  it('answers to this machine by its own names only', async () => {
    const { hostname, port } = new URL(world.base)
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const asked = request({ hostname, port, path: '/', headers: { Host: `attacker.example:${port}` } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject).end()
    })
    expect(status).toBe(403)
  })
})
