import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../src/api/connect.ts'
import { lockCheckpoint } from '../src/listen/lock.ts'
import { inProcess } from './support/in-process.ts'

describe('a server that takes the connection and never answers', () => {
  const sockets = new Set<Socket>()
  let server: Server
  let url: string
  beforeAll(async () => {
    server = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  const credential = () => ({ url, key: 'sk_test_nobody', mode: 'test' as const })

  it('is told of while the person waits, and given up with a sentence that says what to do', async () => {
    const caller = inProcess()
    const api = await openClient(caller, credential(), { tellMs: 1, giveUpMs: 300 })
    await expect(api.call('GET', '/empresas')).rejects.toMatchObject({
      exit: 'unreachable',
      message: `${url} did not answer within 0.3 s.`,
      remedy: expect.stringContaining('timbre doctor'),
    })
    expect(caller.notes).toEqual([`${url} has not answered yet; waiting. Ctrl-C ends it.`])
  })

  it('is given up after attempts that were silent together, not after each', async () => {
    const caller = inProcess()
    const api = await openClient(caller, credential(), { tellMs: 1, giveUpMs: 1_500 })
    await expect(api.call('GET', '/empresas', { timeout: 100, maxRetries: 1_000 })).rejects.toMatchObject({
      message: `${url} did not answer within 1.5 s.`,
    })
    expect(caller.notes).toHaveLength(1)
  })

  it('is not told of to a program that reads JSON', async () => {
    const { signal, out, notes } = inProcess()
    const api = await openClient({ signal, out: { ...out, json: true } }, credential(), { tellMs: 1, giveUpMs: 300 })
    await expect(api.call('GET', '/empresas')).rejects.toMatchObject({ exit: 'unreachable' })
    expect(notes).toEqual([])
  })
})

describe('the checkpoint of `listen`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-lock-'))
  const CONTENDER = fileURLToPath(new URL('support/lock-contender.mjs', import.meta.url))
  type Contender = { child: ChildProcessByStdio<Writable, Readable, null>; ask(line: string): Promise<string> }
  const contenders: Contender[] = []

  function contend(): Contender {
    const child = spawn(process.execPath, [CONTENDER], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return {
      child,
      async ask(line) {
        child.stdin.write(`${line}\n`)
        return (await lines.next()).value
      },
    }
  }

  /** A process of the past: its number, and a claim that it never took back. */
  async function leaveClaim(checkpoint: string): Promise<void> {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
    await once(child, 'exit')
    writeFileSync(`${checkpoint}.lock-${child.pid}-1-0123456789ab`, 'held')
  }

  beforeAll(() => {
    for (let i = 0; i < 4; i++) contenders.push(contend())
  })
  afterAll(async () => {
    for (const { child } of contenders) {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })

  it('goes to one of four that start at once over what a killed one left, every time', async () => {
    const stale = join(folder, 'stale.json')
    await leaveClaim(stale)
    const [left = ''] = readdirSync(folder)
    for (let round = 0; round < 12; round++) {
      const checkpoint = join(folder, `place-${round}.json`)
      writeFileSync(join(folder, left.replace('stale.json', `place-${round}.json`)), 'held')
      const said = await Promise.all(contenders.map(({ ask }) => ask(checkpoint)))
      expect(said.toSorted()).toEqual(['busy', 'busy', 'busy', 'held'])
      // Nobody's claim is left but that of who has it.
      const claims = readdirSync(folder).filter((name) => name.startsWith(`place-${round}.json.lock-`))
      expect(claims.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['held'])
      await Promise.all(contenders.map(({ ask }) => ask('release')))
    }
    expect(readdirSync(folder)).toEqual([left])
  })

  /** A claim of this very process, which lives: by its last letters it comes before any other, or after. */
  async function claimBeside(name: string, last: string): Promise<{ checkpoint: string; claim: string }> {
    const release = await lockCheckpoint(join(folder, 'model.json'))
    const model = readdirSync(folder).find((one) => one.startsWith('model.json.lock-')) ?? ''
    release()
    const claim = join(folder, model.replace('model.json', name).replace(/\w+$/, last))
    writeFileSync(claim, '')
    return { checkpoint: join(folder, name), claim }
  }

  it('is left to who asked too and comes first by name', async () => {
    const { checkpoint, claim } = await claimBeside('first.json', '000000000000')
    await expect(lockCheckpoint(checkpoint)).rejects.toMatchObject({ exit: 'busy' })
    expect(readdirSync(folder).filter((name) => name.startsWith('first.json'))).toHaveLength(1)
    rmSync(claim)
  })

  it('is not taken from one that comes later by name and turns out to have it', async () => {
    const { checkpoint, claim } = await claimBeside('later.json', 'zzzzzzzzzzzz')
    const asked = lockCheckpoint(checkpoint)
    writeFileSync(claim, 'held')
    await expect(asked).rejects.toMatchObject({ exit: 'busy' })
    rmSync(claim)
  })

  it('is had once one that comes later by name has left', async () => {
    const { checkpoint, claim } = await claimBeside('left.json', 'zzzzzzzzzzzz')
    const asked = lockCheckpoint(checkpoint)
    rmSync(claim)
    const release = await asked
    release()
  })

  it('is kept by who has it, named to whoever asks, and free once that one is killed', async () => {
    const checkpoint = join(folder, 'kept.json')
    const holder = contend()
    expect(await holder.ask(checkpoint)).toBe('held')
    await expect(lockCheckpoint(checkpoint)).rejects.toMatchObject({
      exit: 'busy',
      message: expect.stringContaining(`process ${holder.child.pid}`),
    })
    const gone = once(holder.child, 'exit')
    holder.child.kill('SIGKILL')
    await gone
    const release = await lockCheckpoint(checkpoint)
    release()
    expect(readdirSync(folder).filter((name) => name.startsWith('kept.json'))).toEqual([])
  })
})
