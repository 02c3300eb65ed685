import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { emptyEmpresa } from '../../test/support/insert-empresa.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { DOWNLOADS } from '../catalog/limits.ts'
import { defineExport } from '../domain/export.ts'
import { Closed, listQuery, type StreamedArtifact } from '../kernel/schema.ts'
import { OPERATIONS } from '../operations.ts'
import { Downloads, downloadBody, guarded } from './downloads.ts'

/** What happens while a file is on its way: after its first page was sent, before the second is read. */
let between: (account_id: string) => Promise<unknown> = async () => undefined

const rows = defineExport({
  id: 'probe.export',
  path: '/probe_rows',
  summary: 'Two pages',
  scope: 'documents:read',
  query: listQuery({}),
  item: Closed({ id: Type.String() }),
  name: () => 'rows',
  async list(ctx, input) {
    const { cursor } = input as { cursor?: string }
    if (cursor !== undefined) await between(ctx.account.account_id)
    const data = cursor === undefined ? Array.from({ length: 120 }, () => ({ id: 'x'.repeat(1_000) })) : []
    return { object: 'list', data, has_more: cursor === undefined, next_cursor: cursor === undefined ? 'second' : null }
  },
})

let world: World
beforeAll(async () => {
  world = await openWorld({ operations: [...OPERATIONS, rows], runs_jobs: false })
})
afterAll(() => world.close())
afterEach(() => {
  between = async () => undefined
})

async function openCaller() {
  const account_id = await world.account()
  const session = await world.session(account_id)
  const empresa = await emptyEmpresa(world, account_id)
  const body = { name: 'lector', scopes: ['documents:read'] }
  const { body: key } = await world.post('/dashboard/api_keys', { session, mode: 'test', body })
  const download = (format = 'csv') =>
    world.get(`/v1/probe_rows/export?format=${format}`, { key: key.secret, empresa: empresa.rut })
  return { account_id, session, empresa, key, download }
}

describe('a file on its way', () => {
  it.each(['csv', 'xlsx'])('breaks off once its key is revoked (%s)', async (format) => {
    const { session, key, download } = await openCaller()
    expect((await download(format)).status).toBe(200)
    between = async () => {
      expect((await world.delete(`/dashboard/api_keys/${key.id}`, { session, mode: 'test' })).status).toBe(204)
    }
    await expect(download(format)).rejects.toThrow(/destroyed|aborted/)
  })

  it.each(['csv', 'xlsx'])('breaks off once its empresa is deleted, and never looks whole (%s)', async (format) => {
    const { empresa, download } = await openCaller()
    // Behind the caches: the file must not end well before they hear of it.
    between = () => world.db.sql`delete from empresa where id = ${empresa.id}`
    await expect(download(format)).rejects.toThrow(/destroyed|aborted/)
  })

  it('503 service_unavailable with Retry-After for the third of an account; those of others go on', async () => {
    const [busy, other] = [await openCaller(), await openCaller()]
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    let waiting = 0
    const both = new Promise<void>((resolve) => {
      between = async (account_id) => {
        if (account_id !== busy.account_id) return
        if (++waiting === 2) resolve()
        await gate
      }
    })
    const first = [busy.download(), busy.download('xlsx')]
    await both
    const third = await busy.download()
    expect([third.status, third.body.error.code]).toEqual([503, 'service_unavailable'])
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
    expect((await other.download()).status).toBe(200)
    go()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    expect((await busy.download()).status).toBe(200)
  })

  it('gives other calls their turn between its rows', async () => {
    const ctx = { account: { account_id: 'acct_1', mode: 'test' }, empresa: { rut: '76123456-0' } }
    const file = await rows.run({ empresa: () => ctx } as never, {})
    let [turns, done] = [0, false]
    const count = () => {
      turns++
      if (!done) setImmediate(count)
    }
    setImmediate(count)
    for await (const part of (file as StreamedArtifact).stream) expect(part.length).toBeGreaterThan(0)
    done = true
    expect(turns).toBeGreaterThanOrEqual(2)
  })
})

describe('the places for files', () => {
  const take = (downloads: Downloads, account_id: string, mode: 'test' | 'live') => downloads.take({ account_id, mode })

  it('are bounded over all accounts, test and live apart, and a place is put back once', () => {
    const downloads = new Downloads()
    const back = Array.from({ length: DOWNLOADS.per_mode }, (_, n) => take(downloads, `acct_${n}`, 'test'))
    expect(() => take(downloads, 'acct_new', 'test')).toThrow('Too many exports')
    take(downloads, 'acct_new', 'live')
    back[0]?.release()
    back[0]?.release()
    take(downloads, 'acct_new', 'test')
    expect(() => take(downloads, 'acct_else', 'test')).toThrow('Too many exports')
  })

  it('are lost by the reader who takes nothing for longest, once others ask, and by none who takes', () => {
    let now = 0
    const downloads = new Downloads(() => now)
    const places = Array.from({ length: DOWNLOADS.per_mode }, (_, n) => take(downloads, `acct_${n}`, 'test'))
    const lost = () => places.map((place, n) => (place.lost.aborted ? n : null)).filter((n) => n !== null)
    places[3]?.waitsForReader(true)
    now = 1
    places[5]?.waitsForReader(true)
    now = DOWNLOADS.idle_ms - 1
    expect(() => take(downloads, 'acct_new', 'test')).toThrow('Too many exports')
    now = DOWNLOADS.idle_ms + 1
    take(downloads, 'acct_new', 'test')
    expect(lost()).toEqual([3])
    // The one who lost it puts back nothing, and whoever goes on taking is not touched.
    places[3]?.release()
    places[5]?.waitsForReader(false)
    expect(() => take(downloads, 'acct_else', 'test')).toThrow('Too many exports')
    expect(lost()).toEqual([3])
  })

  it('break off the file whose place is lost', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(200_000)
    }
    let now = 0
    const downloads = new Downloads(() => now)
    const nothing = async () => undefined
    const bodies = Array.from({ length: DOWNLOADS.per_mode }, (_, n) => {
      const place = take(downloads, `acct_${n}`, 'test')
      return downloadBody(guarded(endless(), { allowed: nothing, whole: nothing, place })).on('error', nothing)
    })
    bodies[2]?.read()
    await vi.waitFor(() => expect(bodies[2]?.readableLength).toBeGreaterThan(0))
    now = DOWNLOADS.idle_ms
    take(downloads, 'acct_new', 'test')
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual(bodies.map((_, n) => n === 2))
    for (const body of bodies) body.destroy()
  })

  it('are put back for a file that nobody ever read from', async () => {
    async function* never() {
      yield Buffer.from('x')
    }
    const nothing = async () => undefined
    const release = vi.fn()
    const place = { lost: new AbortController().signal, waitsForReader: () => undefined, release }
    const body = downloadBody(guarded(never(), { allowed: nothing, whole: nothing, place }))
    body.destroy()
    await vi.waitFor(() => expect(release).toHaveBeenCalled())
  })
})

describe('a reader who takes nothing', () => {
  afterEach(() => void vi.useRealTimers())

  async function* endless() {
    for (;;) yield Buffer.alloc(200_000)
  }
  const settle = () => new Promise((resolve) => process.nextTick(resolve))

  it('is cut off after a minute, one who goes on taking after ten', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const [idle, busy] = [downloadBody(endless()), downloadBody(endless())]
    for (const body of [idle, busy]) body.on('error', () => undefined)
    const step = DOWNLOADS.stalled_ms / 2
    for (let passed = 0; passed < DOWNLOADS.longest_ms; passed += step) {
      expect(idle.destroyed).toBe(passed >= DOWNLOADS.stalled_ms)
      expect(busy.destroyed).toBe(false)
      for (const body of passed === 0 ? [idle, busy] : [busy]) {
        body.read()
        for (let turn = 0; turn < 5; turn++) await settle()
      }
      vi.advanceTimersByTime(step)
    }
    expect(busy.destroyed).toBe(true)
  })
})
