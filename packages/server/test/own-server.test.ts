import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { freePort } from './support/free-port.ts'

interface OwnServer {
  startServer(
    settings: Record<string, string>,
    program: string,
  ): Promise<{ url: string; folder: string; is_own: boolean; stop(): Promise<void> }>
  whereNext(server: { url: string; is_own: boolean }): string
}

const { startServer, whereNext } = (await import(
  new URL('../../../scripts/own-server.mjs', import.meta.url).href
)) as OwnServer

// In the place of the service: it answers where it was told to, and keeps what it was told in its folder.
const STAND_IN = `
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const { PORT, DATA_DIR, ...settings } = process.env
writeFileSync(DATA_DIR + '/settings.json', JSON.stringify(settings))
createServer((_, response) => response.end('ok')).listen(Number(PORT), '127.0.0.1')
`

const folder = mkdtempSync(join(tmpdir(), 'timbre-own-server-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

it('a server of our own runs on a port and in a folder of its own, with these settings, and takes the folder with it', async () => {
  const server = await startServer({ OPERATOR_SECRET: 'operator-secret', SII: 'simulator' }, program('a.mjs', STAND_IN))
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  const settings = JSON.parse(readFileSync(join(server.folder, 'settings.json'), 'utf8'))
  expect(settings).toMatchObject({ OPERATOR_SECRET: 'operator-secret', SII: 'simulator', npm_lifecycle_event: '' })
  await server.stop()
  // It is gone: nobody is sent there.
  expect(whereNext(server)).not.toContain(server.url)
  expect(whereNext({ url: 'http://127.0.0.1:4321', is_own: false })).toContain('http://127.0.0.1:4321/docs')
  expect(existsSync(server.folder)).toBe(false)
  await expect(fetch(server.url)).rejects.toThrow()
})

it('a server that ends instead of answering is not waited for', async () => {
  await expect(startServer({}, program('b.mjs', 'process.exitCode = 1'))).rejects.toThrow('did not start')
})

it('a server of our own listens where PORT says', async () => {
  const PORT = String(await freePort())
  const server = await startServer({ PORT }, program('c.mjs', STAND_IN))
  expect(server.url).toBe(`http://127.0.0.1:${PORT}`)
  await server.stop()
})
