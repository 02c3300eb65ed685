import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Connections, Database, Sql } from '../../../kernel/db.ts'
import type { Sii } from '../../../ports/sii.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'

// What the process that answers a POST runs by itself, before it is claimed: killed between any two statements of it.

const answersPost = (strings: TemplateStringsArray) => strings.some((text) => text.includes('taken as materialized'))
/** What a process asks again and again, whatever it runs. */
const polls = (strings: TemplateStringsArray) => strings.some((text) => text.includes('as recovery'))

/** A database that answers so many statements after the one of a POST, and then no other. */
function doomedDatabase(statements: number) {
  const fate = { left: Number.POSITIVE_INFINITY, died: false, bury: () => {} }
  const grave = new Promise<never>((_, reject) => {
    fate.bury = () => reject(new Error('the process is gone'))
  })
  grave.catch(() => undefined)
  const orDie = <T>(ask: () => Promise<T>): Promise<T> => {
    if (fate.left-- > 0) return ask()
    fate.died = true
    return grave
  }
  const doomed =
    (sql: Sql): Sql =>
    async (strings, ...values) => {
      if (polls(strings)) return fate.died ? grave : sql(strings, ...values)
      const rows = await orDie(() => sql(strings, ...values))
      if (answersPost(strings)) fate.left = statements
      return rows as never
    }
  const over = (connections: Connections): Connections => ({
    sql: doomed(connections.sql),
    sqlOf: (holder) => doomed(connections.sqlOf(holder)),
    transact: (work, questions, holder) => orDie(() => connections.transact(work, questions, holder)),
  })
  return { fate, database: (db: Database): Database => ({ ...db, ...over(db), steady: over(db.steady) }) }
}

const STORY = ['document.folio_allocated', 'document.signed', 'document.submitted', 'document.accepted']

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  await issue(issuer, FACTURA)
  await world.app.worker.stop()
})
afterAll(() => world.close())

describe('a process that emits what it was just asked for goes by the empresa in its cache', () => {
  /** The empresa as the cache gives it to whoever asks after the POST. */
  async function issueWith(stale: Partial<EmpresaRow>): Promise<string> {
    const emitting = await openWorld({ beside: world })
    const { cache } = emitting.app
    const get = cache.get.bind(cache)
    let asked = 0
    vi.spyOn(cache, 'get').mockImplementation(async (name, load, idsOf) => {
      const value = await get(name, load, idsOf)
      const is_emission = name.startsWith('emisor|') && asked++ > 0
      return is_emission ? (Object.assign({}, value, stale) as typeof value) : value
    })
    const { body } = await emitting.post('/v1/documents', {
      ...{ key: issuer.key, empresa: issuer.rut, body: FACTURA },
      headers: { 'idempotency-key': randomUUID() },
    })
    const { body: ended } = await settled(issuer, body.id)
    expect(asked).toBe(2)
    await emitting.close()
    return ended.status
  }

  it('where nothing is out of the ordinary', async () => {
    expect(await issueWith({})).toBe('accepted')
  })

  it('and reads it before it fails a document or holds one back', async () => {
    const at = new Date().toISOString()
    const refusal = {
      reason: 'certificate_refused',
      sentence: 'No autorizado',
      at,
      retry_at: '2099-01-01T00:00:00.000Z',
      refusals: 1,
    }
    expect(await issueWith({ status: 'suspended' })).toBe('accepted')
    expect(await issueWith({ certificate_refused: { dte: refusal } as EmpresaRow['certificate_refused'] })).toBe(
      'accepted',
    )
  })
})

describe.each([
  ['is asked over a network', false, 10],
  ['keeps nothing of what it is handed', true, 9],
])('a process that emits for an SII that %s, and is gone', (_, traceless, all) => {
  const test_sii = (sandbox: Sii): Sii => ({ ...sandbox, submitsWithoutTrace: () => traceless })

  it.each(Array.from({ length: all }, (_statement, i) => i))(
    '%i statements after it answered a POST leaves the document to the next, which ends it once',
    async (statements) => {
      const { fate, database } = doomedDatabase(statements)
      const doomed = await openWorld({ beside: world, quick: true, database, test_sii })
      const { body } = await doomed.post('/v1/documents', {
        ...{ key: issuer.key, empresa: issuer.rut, body: FACTURA },
        headers: { 'idempotency-key': randomUUID() },
      })
      await until('its death', () => fate.died)
      const [left] = await world.db.sql<{ status: string }>`select status from document where id = ${body.id}`
      expect(['queued', 'sent']).toContain(left?.status)
      await world.db.sql`update job set lease_until = now() - interval '1 second' where status = 'running'`
      const next = await openWorld({ beside: world, quick: true, test_sii })
      await settled(issuer, body.id, ['accepted'])
      await next.close()
      fate.bury()
      await doomed.close()
      expect(types(await journal(issuer, body.id))).toEqual(STORY)
      expect(types(await told(world, body.id))).toEqual(['document.created', 'document.sent', 'document.accepted'])
    },
  )
})
