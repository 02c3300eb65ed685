import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { claimLanes, type LaneClaim } from '../../../kernel/claim.ts'
import type { Connections, Sql } from '../../../kernel/db.ts'

// Nobody polls the queue here: the tests take jobs up themselves, one kind after the other.

/** How often jobs read an empresa. */
let empresas_read = 0

function watched(connections: Connections): Connections {
  const watch =
    (sql: Sql): Sql =>
    (strings, ...values) => {
      if (strings[0]?.includes('select e.* from (select ')) empresas_read++
      return sql(strings, ...values)
    }
  return { ...connections, sql: watch(connections.sql), sqlOf: (holder) => watch(connections.sqlOf(holder)) }
}

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({
    runs_jobs: false,
    quick: true,
    database: (db) => ({ ...db, steady: watched(db.steady) }),
  })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

async function runAll(name: string): Promise<void> {
  const { db, app } = world
  await db.sql`update job set run_at = 'epoch', parked = false where name = ${name} and status = 'queued'`
  const lanes = await db.sql<LaneClaim>`
    select distinct account_id as account, lane, 100 as capacity from job where name = ${name} and status = 'queued'`
  for (const job of await claimLanes(db.steady.sql, { worker: app.worker.id, pool: 'work', lanes }))
    await app.worker.perform([job])
}

const statusOf = async (id: string) => (await issuer.get(`/v1/documents/${id}`)).body.status

async function sent(): Promise<string> {
  const { id } = (await issuer.create(FACTURA)).body
  await until('the document to be sent', async () => {
    await runAll('document.emit')
    return (await statusOf(id)) === 'sent'
  })
  empresas_read = 0
  return id
}

const accepted = (id: string) =>
  until('the document to be accepted', async () => {
    await runAll('document.follow')
    return (await statusOf(id)) === 'accepted'
  })

describe('a document that was sent', () => {
  it('is asked about without a look at its empresa: the job names the RUT', async () => {
    const id = await sent()
    await accepted(id)
    expect(empresas_read).toBe(0)
  })

  it('is asked about as well by a job that was queued before jobs named it', async () => {
    const id = await sent()
    await world.db.sql`
      update job set payload = json_build_object('envelope_key', payload->>'envelope_key')
      where name = 'document.follow' and status = 'queued'`
    await accepted(id)
    expect(empresas_read).toBeGreaterThan(0)
  })
})
