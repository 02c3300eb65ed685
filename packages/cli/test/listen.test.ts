import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '@timbre/sdk/core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Api } from '../src/api/api.ts'
import { openClient } from '../src/api/connect.ts'
import { IN_FULL } from './support/in-full.ts'
import { inProcess } from './support/in-process.ts'
import { preload } from './support/preload.ts'
import { openReceiver, type Receiver } from './support/receiver.ts'
import { openServer, type Server } from './support/server.ts'
import { openHome, type Running } from './support/timbre.ts'

// In the long form a server of its own: it is stopped in the middle.
let server: Server | null = null
let home: ReturnType<typeof openHome>
let receiver: Receiver
let running: Running[] = []
/** Calls without the cost of a process. */
let api: Api

beforeAll(async () => {
  server = IN_FULL ? await openServer() : null
  const url = server?.url ?? inject('timbreUrl')
  home = openHome({ TIMBRE_URL: url })
  receiver = await openReceiver()
  const env = { TIMBRE_PASSWORD: 'una clave bien larga 74' }
  const email = `listen-${Date.now()}@example.cl`
  expect(await home.run(['init', '--email', email], { env })).toMatchObject({ code: 0 })
  const { profiles } = JSON.parse(readFileSync(join(home.folder, 'config/timbre/config.json'), 'utf8'))
  const { key, empresa } = profiles.default
  api = await openClient(inProcess(), { url, key, empresa })
})
afterAll(async () => {
  receiver.close()
  await server?.stop()
  server?.forget()
  home.close()
})
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  running = []
  receiver.answer(() => 204)
})

const place = () => join(home.folder, 'place.json')
const checkpoint = () => JSON.parse(readFileSync(place(), 'utf8'))

function listen(more: readonly string[] = [], env: Record<string, string> = {}, to = receiver.url): Running {
  const started = home.start(['listen', '--forward-to', to, '--checkpoint', place(), ...more], { env })
  running.push(started)
  return started
}

/** Two streams and a file come at their own pace: each is waited for, whatever was seen on another. */
const says = ({ said }: Running, stream: 'stdout' | 'stderr', what: string | RegExp) =>
  expect.poll(() => said()[stream]).toMatch(what)
const listening = (listener: Running) => says(listener, 'stderr', /Listening\./)

async function kill({ child, ended }: Running, signal: 'SIGKILL' | 'SIGINT') {
  child.kill(signal)
  return ended
}

const idsOf = async (query: Record<string, string | number>): Promise<string[]> => {
  const { data } = await api.call<{ data: { id: string }[] }>('GET', '/events', { query: { limit: 100, ...query } })
  return data.map(({ id }) => id)
}
const ledger = async (): Promise<string[]> => (await idsOf({})).reverse()
const newest = async (): Promise<string> => (await ledger()).at(-1) ?? ''

/**
 * Something happens: an expense is one event. A reader who goes forward sees it once no transaction older than it runs, so
 * that is waited for.
 */
const happen = async () => {
  const after = await newest()
  const body = { date: '2026-01-05', description: 'Hosting', provider: { name: 'AWS' }, amount: 990 }
  await api.call('POST', '/tax/expenses', { body })
  await expect.poll(async () => (await idsOf({ after })).length).toBe(1)
}

const everythingIsDone = () => expect.poll(async () => checkpoint().after === (await newest())).toBe(true)

describe('listen', () => {
  it('forwards everything from the start, signed as the server signs', async () => {
    const listener = listen(['--from', 'start'])
    await listening(listener)
    await everythingIsDone()
    expect(receiver.ids()).toEqual(await ledger())
    const [first] = receiver.received
    const secret = /signed with (whsec_\S+)/.exec(listener.said().stderr)?.[1] ?? ''
    expect(await verify(first?.body ?? '', first?.headers ?? {}, secret)).toMatchObject({
      id: first?.id,
      object: 'event',
    })
    const { 'svc-signature': _ours, ...standard } = first?.headers ?? {}
    expect(await verify(first?.body ?? '', standard, secret)).toMatchObject({ id: first?.id })
    await says(listener, 'stdout', /empresa\.created +evt_\w+ {2}204 \d+ ms/)
    await says(listener, 'stderr', 'Caught up with')
  })

  it('carries on where it was killed, and tells what it caught up with', async () => {
    const known = receiver.received.length
    await happen()
    await happen()
    const listener = listen()
    await listening(listener)
    expect(receiver.ids()).toEqual(await ledger())
    expect(receiver.received).toHaveLength(known + 2)
    await says(listener, 'stderr', /Carrying on from .*\n(.*\n)*Caught up with 2 events since/)
  })

  it('refuses a second one on the same checkpoint, and takes over from one that was killed', async () => {
    const first = listen()
    await listening(first)
    const second = await listen().ended
    expect(second).toMatchObject({ code: 9, stderr: expect.stringContaining(`process ${first.child.pid}`) })
    expect(second.stderr).toContain('--checkpoint')
    await kill(first, 'SIGKILL')
    await listening(listen())
  })

  it.runIf(IN_FULL)(
    'loses nothing and repeats nothing when it is killed in the middle, the server is away and the clock is moved',
    async () => {
      const slow = listen()
      await listening(slow)
      receiver.answer(() => 500)
      await happen()
      const id = await newest()
      await expect.poll(() => receiver.ids()).toContain(id)
      await kill(slow, 'SIGKILL')
      receiver.answer(() => 204)
      // Yesterday, by its own clock: the order of the ledger is not that of clocks.
      const moved = listen([], preload('moved-clock', { CLOCK_OFF_MS: '-86400000' }))
      await expect.poll(() => checkpoint().after).toBe(id)
      await server?.stop()
      await says(moved, 'stderr', 'events wait in its ledger')
      await server?.start()
      await happen()
      await happen()
      const all = await ledger()
      await expect.poll(() => checkpoint().after).toBe(all.at(-1))
      await says(moved, 'stderr', 'The server answers again')
      expect([...new Set(receiver.ids())]).toEqual(all)
      const delivered = receiver.ids().filter((one) => one !== id)
      expect(delivered).toEqual([...new Set(delivered)])
    },
  )

  it.runIf(IN_FULL)('Ctrl-C in the middle of a delivery leaves it for the next run', async () => {
    const listener = listen()
    await listening(listener)
    receiver.answer(() => 500)
    await happen()
    const before = checkpoint().after
    await says(listener, 'stdout', 'it will be tried again')
    expect(await kill(listener, 'SIGINT')).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('carries on from there'),
    })
    expect(checkpoint().after).toBe(before)
    receiver.answer(() => 204)
    const next = listen(['--until', 'tax.expense.created'])
    expect(await next.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('204') })
    expect(checkpoint().after).toBe(await newest())
  })

  it.runIf(IN_FULL)('gives an event up after its tries, says so, and goes on', async () => {
    const listener = listen(['--tries', '2'])
    await listening(listener)
    receiver.answer(() => 422)
    await happen()
    await says(listener, 'stdout', 'it answered 422; given up after 2')
    receiver.answer(() => 204)
    await happen()
    await everythingIsDone()
  })

  it.runIf(IN_FULL)('waits for a receiver that is not running: that is no try', async () => {
    const other = await openReceiver()
    const port = Number(new URL(other.url).port)
    other.close()
    const listener = listen(['--tries', '1'], {}, other.url)
    await listening(listener)
    await happen()
    await says(listener, 'stderr', 'waiting until something does')
    const late = await openReceiver(port)
    await expect.poll(() => late.received.length).toBe(1)
    late.close()
  })

  it.runIf(IN_FULL)('forwards what somebody replays at an endpoint, once', async () => {
    const endpoint = { url: 'http://127.0.0.1:9/nobody', enabled_events: ['tax.*'] }
    const { id } = await api.call<{ id: string }>('POST', '/webhook_endpoints', { body: endpoint })
    const listener = listen()
    await listening(listener)
    await happen()
    const deliveries = `/webhook_endpoints/${id}/deliveries`
    const listed = async () => (await api.call<{ data: { id: string; event_id: string }[] }>('GET', deliveries)).data
    await expect.poll(async () => (await listed()).length).toBe(1)
    const [delivery] = await listed()
    await expect.poll(() => checkpoint().after).toBe(delivery?.event_id)
    await expect.poll(() => Object.keys(checkpoint().deliveries.floors)).toContain(id)
    const replay = await api.call<{ id: string }>('POST', `${deliveries}/${delivery?.id}/retry`)
    await says(listener, 'stdout', 'replay ')
    const last = receiver.received.at(-1)
    expect(last?.headers['svc-delivery-id']).toBe(replay.id)
    expect(last?.id).toBe(delivery?.event_id)
    await expect.poll(() => checkpoint().deliveries.done).toContain(replay.id)
    await api.call('DELETE', `/webhook_endpoints/${id}`)
  })

  it.runIf(IN_FULL)('forwards only what --events names, and is not held up by the rest', async () => {
    const known = receiver.received.length
    const listener = listen(['--events', 'document.*,ping'])
    await listening(listener)
    await happen()
    await everythingIsDone()
    expect(receiver.received).toHaveLength(known)
  })

  it('ends with 8 on a full disk, says what to do, and the next run begins with that event', async () => {
    const listener = listen([], preload('full-disk', { WRITES_LEFT: '1' }))
    await listening(listener)
    const before = checkpoint().after
    await happen()
    const ended = await listener.ended
    expect(ended).toMatchObject({ code: 8, stderr: expect.stringContaining('the disk is full') })
    expect(ended.stderr).toContain('Free some space')
    expect(checkpoint().after).toBe(before)
    await listening(listen())
    await everythingIsDone()
  })

  it.each([
    ['without a URL', ['listen'], 2, 'events tail'],
    ['with a URL that is none', ['listen', '--forward-to', 'localhost:4242'], 2, 'no address'],
    [
      'with a place that the ledger does not know',
      [
        'listen',
        '--forward-to',
        'http://127.0.0.1:9',
        '--from',
        'evt_01m7mj5xp0w8kmz42tm5g0g1tq',
        '--checkpoint',
        'other.json',
      ],
      3,
      'no event',
    ],
  ])('%s ends with a sentence', async (_what, args, code, said) => {
    expect(await home.run(args)).toMatchObject({ code, stderr: expect.stringContaining(said) })
  })

  it('does not take the checkpoint of another account for its own', async () => {
    writeFileSync(join(home.folder, 'other.json'), JSON.stringify({ ...checkpoint(), account: 'acct_other' }))
    const ended = await home.run(['listen', '--forward-to', receiver.url, '--checkpoint', 'other.json'])
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('acct_other') })
  })
})
