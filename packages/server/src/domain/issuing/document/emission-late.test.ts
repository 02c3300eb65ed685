import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Connections, Database, Sql } from '../../../kernel/db.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'

// What the process that answers a POST runs by itself, before it is claimed: killed between any two statements of it.

/** A database that answers so many statements more, and then no other. */
function doomedDatabase() {
  const fate = { left: Number.POSITIVE_INFINITY, died: false, bury: () => {} }
  const grave = new Promise<never>((_, reject) => {
    fate.bury = () => reject(new Error('the process is gone'))
  })
  grave.catch(() => undefined)
  const doomed =
    (sql: Sql): Sql =>
    (strings, ...values) => {
      if (fate.left-- > 0) return sql(strings, ...values)
      fate.died = true
      return grave
    }
  const over = (connections: Connections): Connections => ({
    sql: doomed(connections.sql),
    sqlOf: (holder) => doomed(connections.sqlOf(holder)),
    transact: (work, questions, holder) => (fate.left-- > 0 ? connections.transact(work, questions, holder) : grave),
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

describe('a process that is gone', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    '%i statements after it answered a POST leaves the document to the next, which ends it once',
    async (statements) => {
      const { fate, database } = doomedDatabase()
      const doomed = await openWorld({ beside: world, database })
      const { body } = await doomed.post('/v1/documents', {
        ...{ key: issuer.key, empresa: issuer.rut, body: FACTURA },
        headers: { 'idempotency-key': randomUUID() },
      })
      fate.left = statements
      await until('its death', () => fate.died)
      await world.db.sql`update job set lease_until = now() - interval '1 second' where status = 'running'`
      const next = await openWorld({ beside: world })
      await settled(issuer, body.id, ['accepted'])
      await next.close()
      fate.bury()
      await doomed.close()
      expect(types(await journal(issuer, body.id))).toEqual(STORY)
      expect(types(await told(world, body.id))).toEqual(['document.created', 'document.sent', 'document.accepted'])
    },
  )
})
