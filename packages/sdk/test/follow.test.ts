import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Checkpoint, CheckpointError, memoryCheckpoint, Timbre } from '../src/index.ts'
import { fileCheckpoint } from '../src/node.ts'
import { type Asked, broken, fake, refusal } from './fake-fetch.ts'

interface Written {
  readonly id: string
  readonly type: string
}

/** A ledger in memory that is read as the service reads its own: forward by `after`, backward without it. */
class Ledger {
  readonly events: Written[] = []
  /** How many of them no running transaction can still slip in front of: whoever reads forward sees no more. */
  horizon = Number.POSITIVE_INFINITY
  /** Stands in place of the next answers. */
  readonly trouble: (Error | ReturnType<typeof refusal>)[] = []

  write(id: string, type = 'document.accepted', place = this.events.length): void {
    this.events.splice(place, 0, { id, type })
  }

  readonly answer = ({ url }: Asked) => {
    const failure = this.trouble.shift()
    if (failure) return failure
    const query = new URL(url).searchParams
    const limit = 2
    const after = query.get('after')
    if (after !== null) {
      const at = this.events.findIndex(({ id }) => id === after.replace('cur_', ''))
      if (at < 0) return refusal(400, 'invalid_cursor')
      return this.#page(this.events.slice(at + 1, this.horizon), limit)
    }
    const before = query.get('cursor')?.replace('cur_', '')
    const end = before === undefined ? this.events.length : this.events.findIndex(({ id }) => id === before)
    return this.#page(this.events.slice(0, end).reverse(), limit)
  }

  #page(rows: readonly Written[], limit: number) {
    const data = rows.slice(0, limit)
    const has_more = rows.length > limit
    return { body: { object: 'list', data, has_more, next_cursor: has_more ? `cur_${data.at(-1)?.id}` : null } }
  }
}

const open = (ledger: Ledger) => {
  const service = fake(ledger.answer)
  return { asked: service.asked, events: new Timbre({ key: 'sk_test_x', fetch: service.fetch }).events }
}

/** The next so many events, while time passes. */
async function take(events: AsyncGenerator<Written>, count: number): Promise<string[]> {
  const seen: string[] = []
  while (seen.length < count) {
    const next = events.next()
    for (let done = false; !done; ) {
      void next.then(
        () => {
          done = true
        },
        () => {
          done = true
        },
      )
      await vi.advanceTimersByTimeAsync(500)
    }
    const { value } = await next
    if (!value) break
    seen.push(value.id)
  }
  return seen
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('following the ledger', () => {
  it('gives every event after a place, in order, over pages and as they come', async () => {
    const ledger = new Ledger()
    for (const id of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']) ledger.write(id)
    const events = open(ledger).events.follow({ after: 'e1' })
    expect(await take(events, 5)).toEqual(['e2', 'e3', 'e4', 'e5', 'e6'])
    ledger.write('e7')
    expect(await take(events, 1)).toEqual(['e7'])
  })

  it('begins with now where it is told nothing, and skips none that was being written at that moment', async () => {
    const ledger = new Ledger()
    for (const id of ['e1', 'e2', 'e3']) ledger.write(id)
    ledger.horizon = 2
    const checkpoint = memoryCheckpoint()
    const events = open(ledger).events.follow({ checkpoint })
    const first = take(events, 2)
    await vi.advanceTimersByTimeAsync(5_000)
    // It commits after e3 was seen, and has its place before it.
    ledger.write('late', 'document.accepted', 2)
    ledger.horizon = Number.POSITIVE_INFINITY
    ledger.write('e4')
    expect(await first).toEqual(['late', 'e4'])
  })

  it('keeps the place that it began with, so that a restart before the first event misses none', async () => {
    const ledger = new Ledger()
    for (const id of ['e1', 'e2', 'e3']) {
      ledger.write(id)
      const checkpoint = memoryCheckpoint()
      const stop = new AbortController()
      const quiet = open(ledger).events.follow({ checkpoint, signal: stop.signal }).next()
      const ended = expect(quiet).rejects.toMatchObject({ code: 'aborted' })
      await vi.advanceTimersByTimeAsync(3_000)
      stop.abort()
      await ended
      expect(await checkpoint.load()).toBe(id)
      ledger.write(`${id}b`)
      expect(await take(open(ledger).events.follow({ checkpoint }), 1)).toEqual([`${id}b`])
    }
  })

  it('gives the whole ledger from its beginning, and waits for the first event of an empty one', async () => {
    const ledger = new Ledger()
    const early = open(ledger).events.follow()
    const first = take(early, 3)
    await vi.advanceTimersByTimeAsync(9_000)
    for (const id of ['e1', 'e2', 'e3']) ledger.write(id)
    expect(await first).toEqual(['e1', 'e2', 'e3'])
    expect(await take(open(ledger).events.follow({ after: 'beginning' }), 3)).toEqual(['e1', 'e2', 'e3'])
  })

  it('skips none that is written in front of the first it sees, where nothing stands firm yet', async () => {
    for (const after of ['now', 'beginning']) {
      const ledger = new Ledger()
      if (after === 'beginning') ledger.write('e2')
      ledger.horizon = 0
      const seen: string[] = []
      const events = open(ledger).events.follow({ after })
      const first = take(events, 1)
      await vi.advanceTimersByTimeAsync(3_000)
      if (after === 'now') ledger.write('e2')
      seen.push(...(await first))
      const more = take(events, 2)
      await vi.advanceTimersByTimeAsync(3_000)
      ledger.write('e1', 'document.accepted', 0)
      await vi.advanceTimersByTimeAsync(3_000)
      ledger.write('e3')
      ledger.horizon = Number.POSITIVE_INFINITY
      expect([...seen, ...(await more)]).toEqual(['e2', 'e1', 'e3'])
    }
  })

  it('misses nothing after a restart that found an empty ledger', async () => {
    const ledger = new Ledger()
    const checkpoint = memoryCheckpoint()
    const before = open(ledger).events.follow({ checkpoint })
    void before.next().catch(() => undefined)
    await vi.advanceTimersByTimeAsync(3_000)
    ledger.write('e1')
    expect(
      await take(open(ledger).events.follow({ checkpoint: memoryCheckpoint(await checkpoint.load()) }), 1),
    ).toEqual(['e1'])
  })

  it('counts an event as handled when the next is asked for: one cut short comes again, and no other', async () => {
    const ledger = new Ledger()
    for (const id of ['e1', 'e2', 'e3', 'e4']) ledger.write(id)
    const checkpoint = memoryCheckpoint('e1')
    const crashed = open(ledger).events.follow({ checkpoint })
    expect(await take(crashed, 2)).toEqual(['e2', 'e3'])
    expect(await checkpoint.load()).toBe('e2')
    expect(await take(open(ledger).events.follow({ checkpoint }), 2)).toEqual(['e3', 'e4'])
  })

  it('lets types through, families of them, and moves its place past the rest', async () => {
    const ledger = new Ledger()
    for (const [id, type] of [
      ['e1', 'ping'],
      ['e2', 'folios.low'],
      ['e3', 'document.paid'],
      ['e4', 'tax.rcv.synced'],
      ['e5', 'folios.low'],
    ]) {
      ledger.write(id as string, type)
    }
    const checkpoint = memoryCheckpoint('e1')
    const followed = open(ledger)
    const events = followed.events.follow({ types: ['document.*', 'tax.rcv.synced'], checkpoint })
    expect(await take(events, 2)).toEqual(['e3', 'e4'])
    const more = take(events, 1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await checkpoint.load()).toBe('e5')
    ledger.write('e6', 'document.sent')
    expect(await more).toEqual(['e6'])
    // One pattern too is looked for here, or its place would stand still until the ledger forgets it.
    const rare = memoryCheckpoint()
    await take(followed.events.follow({ types: ['document.sent'], after: 'e2', checkpoint: rare }), 1)
    expect(await rare.load()).toBe('e5')
  })

  it('waits an hour of outage out, telling of it, and goes on where it was', async () => {
    const ledger = new Ledger()
    ledger.write('e1')
    const outages: number[] = []
    const events = open(ledger).events.follow({ after: 'e1', onOutage: (_, wait) => outages.push(wait) })
    const next = take(events, 2)
    await vi.advanceTimersByTimeAsync(1)
    for (let i = 0; i < 120; i++)
      ledger.trouble.push(i % 2 ? broken('ECONNREFUSED') : refusal(503, 'service_unavailable'))
    ledger.trouble.push(refusal(429, 'rate_limited', { retry_after_seconds: 40 }))
    ledger.write('e2')
    ledger.write('e3')
    expect(await next).toEqual(['e2', 'e3'])
    expect(outages).toHaveLength(121)
    expect(Math.max(...outages.slice(0, 120))).toBeLessThanOrEqual(30_000)
    expect(outages.at(-1)).toBeGreaterThanOrEqual(40_000)
  })

  it('stops for a key that was revoked, and says what to do about a place that the ledger does not have', async () => {
    const ledger = new Ledger()
    ledger.write('e1')
    ledger.trouble.push(refusal(401, 'invalid_api_key'))
    await expect(open(ledger).events.follow({ after: 'e1' }).next()).rejects.toMatchObject({ code: 'invalid_api_key' })
    const lost = open(ledger)
      .events.follow({ checkpoint: memoryCheckpoint('evt_other') })
      .next()
    await expect(lost).rejects.toMatchObject({ name: 'CheckpointError', code: 'checkpoint_unknown' })
    await expect(open(ledger).events.follow({ after: 'evt_other' }).next()).rejects.toThrow('evt_other')
  })

  it('ends with the caller’s signal, and when the loop is left', async () => {
    const ledger = new Ledger()
    for (const id of ['e1', 'e2']) ledger.write(id)
    const stop = new AbortController()
    const events = open(ledger).events.follow({ after: 'e2', signal: stop.signal })
    const next = expect(events.next()).rejects.toMatchObject({ code: 'aborted' })
    await vi.advanceTimersByTimeAsync(100)
    stop.abort()
    await next
    const followed = open(ledger)
    for await (const { id } of followed.events.follow({ after: 'e1' })) {
      expect(id).toBe('e2')
      break
    }
    const calls = followed.asked.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(followed.asked).toHaveLength(calls)
  })

  it('does not go past an event whose place could not be saved', async () => {
    const ledger = new Ledger()
    for (const id of ['e1', 'e2', 'e3']) ledger.write(id)
    const full: Checkpoint = {
      load: () => 'e1',
      save: () => {
        throw new Error('no room')
      },
    }
    const events = open(ledger).events.follow({ checkpoint: full })
    expect((await events.next()).value).toMatchObject({ id: 'e2' })
    await expect(events.next()).rejects.toThrow('no room')
  })
})

describe('a checkpoint in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-checkpoint-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is empty at first, and then what was saved last, with nothing left beside it', async () => {
    const store = fileCheckpoint(join(folder, 'place'))
    expect(await store.load()).toBeNull()
    await store.save('evt_1')
    await store.save('evt_2')
    expect(await fileCheckpoint(join(folder, 'place')).load()).toBe('evt_2')
    expect(readdirSync(folder)).toEqual(['place'])
  })

  it('refuses the second of two followers of one file, and leaves the place to the first', async () => {
    const file = join(folder, 'shared')
    const [first, second] = [fileCheckpoint(file), fileCheckpoint(file)]
    expect([await first.load(), await second.load()]).toEqual([null, null])
    await first.save('evt_1')
    const error = await Promise.resolve(second.save('evt_1')).catch((failure) => failure)
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ code: 'checkpoint_in_use', message: expect.stringContaining(file) })
    await first.save('evt_2')
    expect(readFileSync(file, 'utf8')).toBe('evt_2\n')
    rmSync(file)
    await first.save('evt_3')
    expect(await second.load()).toBe('evt_3')
    await second.save('evt_4')
    await expect(Promise.resolve(first.save('evt_4'))).rejects.toMatchObject({ code: 'checkpoint_in_use' })
  })

  it('refuses to read what is no place in a ledger', async () => {
    const file = join(folder, 'notes')
    writeFileSync(file, 'buy bread\nand milk')
    await expect(fileCheckpoint(file).load()).rejects.toMatchObject({ code: 'checkpoint_unreadable' })
    await expect((async () => fileCheckpoint(folder).load())()).rejects.toMatchObject({ code: 'checkpoint_unreadable' })
  })

  it('keeps the old place and says what to do where it cannot be written', async () => {
    const file = join(folder, 'gone', 'place')
    const error = await (async () => fileCheckpoint(file).save('evt_1'))().catch((failure) => failure)
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ code: 'checkpoint_not_saved' })
    expect(error.hint).toContain('evt_1')
  })

  it('says of a full disk that it is full, and loses nothing that was saved', async (test) => {
    // A device on which every write fails for want of space stands in for a full disk.
    const device = '/dev/full'
    const file = join(folder, 'tight')
    await fileCheckpoint(file).save('evt_1')
    if (!existsSync(device)) {
      console.warn('skipped: there is no /dev/full to write to')
      return test.skip()
    }
    const tight = fileCheckpoint(file, (_, text) => writeFile(device, text))
    const error = await (async () => tight.save('evt_2'))().catch((failure) => failure)
    expect(error.message).toContain('the disk is full')
    expect(error.hint).toContain('Free some space')
    expect(readFileSync(file, 'utf8')).toBe('evt_1\n')
  })
})
