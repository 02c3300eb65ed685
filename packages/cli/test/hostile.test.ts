import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { boundedFetch } from '../src/api/bounded-fetch.ts'
import type { Command, Context } from '../src/command.ts'
import { writePrivately } from '../src/config/private-file.ts'
import { Output, type Stream } from '../src/output.ts'
import { ask, askSecret } from '../src/prompt.ts'
import { readNamedFile } from '../src/read-file.ts'
import { preload } from './support/preload.ts'
import { openHome } from './support/timbre.ts'

const home = openHome()
afterAll(() => home.close())

/** Names the window, clears the screen in two ways, turns the line around, and begins one of its own. */
const EVIL = '\u001b]0;mine\u0007\u001b[2J\u009b2J\u202eevil\r\nError: FORGED'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/
const steers = (text: string) => STEERING.test(text) || /^Error: FORGED/m.test(text)

async function openStranger(answer: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const key = { TIMBRE_KEY: 'sk_test_stranger', TIMBRE_EMPRESA: '76192083-9' }

describe('a server that answers with what steers a terminal', () => {
  const event = { id: EVIL, type: EVIL, created_at: EVIL, empresa: { rut: EVIL }, data: { object: { id: EVIL } } }
  const delivery = { id: 'whd_1', event_id: EVIL, event_type: EVIL, trigger: EVIL, status: EVIL, error: EVIL }
  const answers: Readonly<Record<string, unknown>> = {
    '/v1/documents/doc_1': { id: EVIL, status: EVIL, totals: { total: 1 }, receptor: { legal_name: EVIL } },
    '/v1/events': { data: [event], has_more: false },
    '/v1/webhook_endpoints': { data: [{ id: 'we_1', url: EVIL }], has_more: false },
    '/v1/webhook_endpoints/we_1/deliveries': { data: [{ ...delivery, created_at: EVIL }], has_more: false },
    '/v1/test_helpers/clock': { now: EVIL, frozen: true, status: 'ready' },
  }
  const refusal = { error: { type: 'not_found_error', code: EVIL, message: EVIL, hint: EVIL, param: EVIL } }
  let stranger: Awaited<ReturnType<typeof openStranger>>
  beforeAll(async () => {
    stranger = await openStranger(({ url = '' }, response) => {
      const known = answers[url.split('?')[0] ?? '']
      const headers = { 'Content-Type': 'application/json', 'Svc-Request-Id': 'req_1' }
      response.writeHead(known ? 200 : 404, headers).end(JSON.stringify(known ?? refusal))
    })
  })
  afterAll(() => stranger.close())

  it.each([
    ['documents get doc_1', 0],
    ['events tail --once', 0],
    ['logs', 0],
    ['clock advance P1D', 0],
    ['api GET /events', 0],
    ['api GET /nothing', 4],
  ])('%s prints its words and obeys none of them', async (line, code) => {
    const ended = await home.run(line.split(' '), { env: { ...key, TIMBRE_URL: stranger.url } })
    expect(ended.code).toBe(code)
    expect(ended.stdout + ended.stderr).toContain('evil')
    expect([steers(ended.stdout), steers(ended.stderr)]).toEqual([false, false])
  })

  it('gives a program every character all the same', async () => {
    const ended = await home.run(['documents', 'get', 'doc_1', '--json'], { env: { ...key, TIMBRE_URL: stranger.url } })
    expect(steers(ended.stdout)).toBe(false)
    expect(JSON.parse(ended.stdout)).toEqual(answers['/v1/documents/doc_1'])
  })
})

describe('output on a terminal', () => {
  it('keeps its own colours and no other sequence', () => {
    const written: string[] = []
    const stdout = { write: (text: string) => written.push(text) } as unknown as Stream
    const out = new Output({ stdout, stderr: stdout, json: false, colour: true })
    out.result(null, `${out.paint('green', 'Done.')}${EVIL}`)
    out.note(`${out.paint('red', 'Error:')} ${EVIL}`)
    expect(written.map((text) => text.split('\n').length - 1)).toEqual([2, 1])
    const rest = written.join('').replaceAll('\u001b[32mDone.\u001b[0m', '').replaceAll('\u001b[31mError:\u001b[0m', '')
    expect(STEERING.test(rest)).toBe(false)
  })
})

describe('a server that is none of ours', () => {
  it.each([
    ['a refusal without a word', 400, { error: { type: 'invalid_request_error' } }, 3, 'not an answer of Timbre'],
    ['an object of another shape', 200, { object: 'x' }, 1, 'timbre --version'],
  ])('%s ends in a sentence', async (_what, status, body, code, said) => {
    const stranger = await openStranger((_request, response) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    )
    const ended = await home.run(['documents', 'get', 'doc_1'], { env: { ...key, TIMBRE_URL: stranger.url } })
    stranger.close()
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) })
  })

  it('does not name the file that its PDF is written to, nor write what is none', async () => {
    writeFileSync(join(home.folder, 'package.json'), 'precious')
    let type = 'application/pdf'
    const stranger = await openStranger((_request, response) =>
      response
        .writeHead(200, { 'Content-Type': type, 'Content-Disposition': 'attachment; filename="package.json"' })
        .end('%PDF-1.4'),
    )
    const download = () => home.run(['documents', 'pdf', 'doc_7'], { env: { ...key, TIMBRE_URL: stranger.url } })
    expect(await download()).toMatchObject({ code: 0, stdout: 'doc_7.pdf: 8 bytes.\n' })
    type = 'application/octet-stream'
    expect(await download()).toMatchObject({ code: 6, stderr: expect.stringContaining('in place of a PDF') })
    stranger.close()
    expect(readFileSync(join(home.folder, 'package.json'), 'utf8')).toBe('precious')
  })

  it('does not fill the memory with an answer that never ends', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, ' ')
    let sent = 0
    const stranger = await openStranger((_request, response) => {
      const more = () => {
        sent++
        response.write(mebibyte, (error) => error ?? more())
      }
      response.writeHead(200, { 'Content-Type': 'application/json' })
      more()
    })
    await expect(boundedFetch(stranger.url).then((response) => response.text())).rejects.toThrow('more than 32 MiB')
    stranger.close()
    expect(sent).toBeLessThan(200)
  })
})

describe('files', () => {
  const never = { signal: new AbortController().signal, command: {} as Command }
  const file = (name: string) => join(home.folder, name)

  it('a pipe is read as a file is, and Ctrl-C ends the wait for one that nobody writes to', async () => {
    expect(spawnSync('mkfifo', [file('pipe')]).status).toBe(0)
    const writer = spawn('sh', ['-c', `printf DTE > '${file('pipe')}'`], { stdio: 'ignore' })
    expect(Buffer.from(await readNamedFile(never, file('pipe'))).toString()).toBe('DTE')
    await new Promise((resolve) => (writer.exitCode === null ? writer.once('exit', resolve) : resolve(null)))
    const interrupt = new AbortController()
    const waiting = readNamedFile({ ...never, signal: interrupt.signal }, file('pipe'))
    interrupt.abort()
    await expect(waiting).rejects.toMatchObject({ exit: 'interrupted' })
  })

  it.each([
    ['/dev/zero', 'is a device'],
    ['.', 'is a folder'],
    ['nothing.xml', 'does not exist'],
  ])('%s ends with 8', async (name, said) => {
    await expect(readNamedFile(never, name)).rejects.toMatchObject({
      exit: 'file',
      message: expect.stringContaining(said),
    })
  })

  it('a secret is not written through a link that somebody laid', () => {
    const target = file('checkpoint.json')
    symlinkSync(file('theirs'), `${target}.${process.pid}.new`)
    writePrivately(target, 'secret', '')
    expect([existsSync(file('theirs')), readFileSync(target, 'utf8')]).toEqual([false, 'secret'])
  })

  it('init makes no account where its key could not be kept', async () => {
    const env = { TIMBRE_URL: inject('timbreUrl'), TIMBRE_PASSWORD: 'una clave bien larga 76' }
    const init = (more: Record<string, string>) => home.run(['init', '--email', email], { env: { ...env, ...more } })
    const email = `kept-${Date.now()}@example.cl`
    const full = await init(preload('full-disk', { WRITES_LEFT: '0' }))
    expect(full).toMatchObject({ code: 8, stderr: expect.stringContaining('the disk is full') })
    expect(await init({})).toMatchObject({ code: 0 })
    expect(readdirSync(file('config/timbre'))).toEqual(['config.json'])
  })
})

describe('a question on a terminal', () => {
  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s gives it up, and is no fault of the program', async (_name, sign) => {
    for (const question of [ask, askSecret]) {
      const stdin = Object.assign(new PassThrough(), { isTTY: true })
      const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
      const ctx = { stdin, stderr, signal: new AbortController().signal } as unknown as Context
      const asked = question(ctx, 'Password')
      stdin.write(sign)
      await expect(asked).rejects.toMatchObject({ exit: 'interrupted' })
    }
  })
})

describe('a newcomer', () => {
  it.each([
    ['help listen', 'Forward every event'],
    ['-v', ''],
  ])('timbre %s is understood', async (line, said) => {
    const { code, stdout, stderr } = await home.start(line.split(' ')).ended
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining(said), stderr: '' })
  })

  it('is told that an address to forward to takes no password, without showing it', async () => {
    const ended = await home.run(['listen', '--forward-to', 'http://me:hunter2@127.0.0.1:9/'], { env: key })
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('signature') })
    expect(ended.stdout + ended.stderr).not.toContain('hunter2')
  })
})
