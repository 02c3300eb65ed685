import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue, settled, toldOf } from '../../../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { part } from '../../../kernel/db.ts'

// Three workers over one database, as three processes would be.
let world: World
let others: World[]
beforeAll(async () => {
  world = await openWorld()
  others = await Promise.all([openWorld({ beside: world }), openWorld({ beside: world })])
  await issue(await openIssuer(world), BOLETA)
})
afterAll(() => Promise.all([...others, world].map((one) => one.close())))

const countOf = async (issuer: Issuer, status: string, where = world): Promise<number> => {
  const [row] = await where.db.sql<{ documents: number }>`
    select count(*)::int as documents from document where empresa_id = ${issuer.empresa_id} and status = ${status}`
  return row?.documents ?? 0
}

describe('folios', () => {
  it('start at 1 for each empresa and tipo, without a gap, under eight posters and three workers', async () => {
    const issuer = await openIssuer(world)
    const EACH = 6
    const post = async (body: object) => {
      for (let i = 0; i < EACH; i++) expect((await issuer.create(body)).status).toBe(201)
    }
    await Promise.all([0, 1, 2, 3].flatMap(() => [post(FACTURA), post(BOLETA)]))
    await until('all to be accepted', async () => (await countOf(issuer, 'accepted')) === 8 * EACH)
    for (const tipo_dte of [33, 39]) {
      const rows = await world.db.sql<{ folio: number }>`
        select folio from document where empresa_id = ${issuer.empresa_id} and tipo_dte = ${tipo_dte} order by folio`
      expect(rows.map(({ folio }) => folio)).toEqual(Array.from({ length: 4 * EACH }, (_, i) => i + 1))
    }
    const told = await toldOf(world, part`empresa_id = ${issuer.empresa_id}`)
    const types = new Set(told.map(({ type }) => type))
    expect([...types].sort()).toEqual(['document.accepted', 'document.created', 'document.sent'])
    for (const one of types) {
      const ids = told.filter(({ type }) => type === one).map(({ data }) => data.object.id)
      expect([one, ids.length, new Set(ids).size]).toEqual([one, 8 * EACH, 8 * EACH])
    }
  })
})

describe('a backlog', () => {
  it('of three hundred documents of one empresa does not delay the single document of another', async () => {
    // All of it waits before anybody works: what is first is the queue's to say, and not the machine's.
    const posting = await openWorld({ runs_jobs: false })
    const [busy, other] = [await openIssuer(posting), await openIssuer(posting)]
    await busy.create(BOLETA)
    // As if they had been posted: the row and the job of the first, three hundred times. Of one empresa a hundred go together.
    await posting.db.sql`
      insert into document (account_id, empresa_id, mode, id, status, tipo_dte, issue_date, net, iva, exempt, total,
        receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
      select account_id, empresa_id, mode, left(id, 20) || lpad(n::text, 10, '0'), 'queued', tipo_dte, issue_date, net,
        iva, exempt, total, receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at
      from document, generate_series(1, 300) n where empresa_id = ${busy.empresa_id}`
    await posting.db.sql`
      insert into job (id, name, account_id, mode, empresa_id, pool, lane, payload, due_at, run_at, max_attempts, created_at)
      select 'job_backlog_' || d.id, 'document.emit', d.account_id, d.mode, d.empresa_id, 'work',
        'document.emit|' || d.empresa_id || ':39', json_build_object('document_id', d.id), now() - interval '1 minute', now() - interval '1 minute', 1000, now()
      from document d where d.empresa_id = ${busy.empresa_id} and d.folio is null`
    const { body } = await other.create(BOLETA)
    // Due together: a document of the sandbox waits half a second, in which a quick machine does the whole backlog.
    await posting.db
      .sql`update job set due_at = now() - interval '1 minute', run_at = now() - interval '1 minute' where name = 'document.emit'`
    const working = await openWorld({ beside: posting })
    await settled(other, body.id, ['accepted'])
    await until('the backlog to be done', async () => (await countOf(busy, 'accepted', posting)) === 301)
    const after = await posting.db.sql`
      select 1 from event accepted where type = 'document.accepted' and empresa_id = ${busy.empresa_id} and id > (
        select id from event where type = 'document.accepted' and empresa_id = ${other.empresa_id})`
    expect(after.length).toBeGreaterThan(0)
    await working.close()
    await posting.close()
  })
})
