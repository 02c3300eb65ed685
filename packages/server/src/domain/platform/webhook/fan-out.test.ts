import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issue, told, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Connections, Database, Sql } from '../../../kernel/db.ts'

/** Statements that write events, by whether they write deliveries too. */
const written = { with: 0, without: 0 }
/** What happens once, right before the next of them. */
let before = async (): Promise<unknown> => undefined

const counted =
  (sql: Sql): Sql =>
  async (strings, ...values) => {
    const text = textOf({ strings, values })
    if (!/insert into event /.test(text)) return sql(strings, ...values)
    written[/deliveries as \(/.test(text) ? 'with' : 'without']++
    const happen = before
    before = async () => undefined
    await happen()
    return sql(strings, ...values)
  }

function textOf({ strings, values }: { strings: readonly string[]; values: readonly unknown[] }): string {
  const inner = values.map((value) =>
    value !== null && typeof value === 'object' && 'strings' in value ? textOf(value as typeof value & Piece) : '?',
  )
  return strings.map((text, i) => `${text}${inner[i] ?? ''}`).join('')
}
type Piece = { strings: readonly string[]; values: readonly unknown[] }

const over = (connections: Connections): Connections => ({
  ...connections,
  sql: counted(connections.sql),
  sqlOf: (holder) => counted(connections.sqlOf(holder)),
})
const database = (db: Database): Database => ({ ...db, ...over(db), steady: over(db.steady) })

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ quick: true, database })
  issuer = await openIssuer(world)
  // The first of the day, and the first to its receptor.
  await issue(issuer, FACTURA)
})
afterAll(() => world.close())
beforeEach(() => Object.assign(written, { with: 0, without: 0 }))

const STORY = ['document.created', 'document.sent', 'document.accepted']

/** Nothing answers there: what is asked here is what is owed to it. */
async function listen(where = world, account = issuer.account): Promise<string> {
  const key = await world.key(account, { mode: 'test', scopes: ['webhooks:write'] })
  const { status, text, body } = await where.post('/v1/webhook_endpoints', {
    key,
    body: { url: 'http://127.0.0.1:9/', enabled_events: ['*'] },
  })
  expect(status, text).toBe(201)
  return body.id
}

/** What is owed to an endpoint of a document, by the types of its events, with as many jobs. */
async function owed(endpoint_id: string, document_id: string): Promise<string[]> {
  const events = await told(world, document_id)
  const rows = await world.db.sql<{ event_type: string; jobs: number }>`
    select d.event_type, (select count(*)::int from job j where j.payload::jsonb -> 'delivery_ids' ? d.id) as jobs
    from webhook_delivery d join event e on e.id = d.event_id
    where d.endpoint_id = ${endpoint_id} and e.account_id = ${issuer.account} order by d.id`
  expect(types(events)).toEqual(STORY)
  return rows.filter(({ jobs }) => jobs === 1).map(({ event_type }) => event_type)
}

const forget = (id: string) => world.db.sql`delete from webhook_endpoint where id = ${id}`

describe('an event', () => {
  it('is written without a thought of deliveries where nobody listened when it was last looked', async () => {
    await issue(issuer, FACTURA)
    // Three, or more where a landing was overtaken and had to be repeated.
    expect(written.with).toBe(0)
    expect(written.without).toBeGreaterThanOrEqual(3)
  })

  it('goes to an endpoint that was made since, from the first on', async () => {
    const endpoint = await listen()
    const { body } = await issue(issuer, FACTURA)
    expect(await owed(endpoint, body.id)).toEqual(STORY)
    await forget(endpoint)
  })

  it('goes to an endpoint that another process made, from the first on', async () => {
    await issue(issuer, FACTURA)
    const other = await openWorld({ beside: world, runs_jobs: false })
    const endpoint = await listen(other)
    const { body } = await issue(issuer, FACTURA)
    expect(await owed(endpoint, body.id)).toEqual(STORY)
    await forget(endpoint)
    await other.close()
  })

  it('goes to an endpoint that is made while it is on its way, and its document is created once', async () => {
    await issue(issuer, FACTURA)
    Object.assign(written, { with: 0, without: 0 })
    let endpoint = ''
    before = async () => {
      endpoint = await listen()
    }
    const { body } = await issue(issuer, FACTURA)
    expect(await owed(endpoint, body.id)).toEqual(STORY)
    // The one that went by what was remembered, and found that it was no longer so.
    expect(written.without).toBe(1)
    expect(written.with).toBeGreaterThanOrEqual(3)
    await forget(endpoint)
  })

  it('goes to an endpoint that is enabled again, and not to one that is disabled', async () => {
    const endpoint = await listen()
    await world.db.sql`update webhook_endpoint set status = 'disabled' where id = ${endpoint}`
    const unheard = await issue(issuer, FACTURA)
    expect(await owed(endpoint, unheard.body.id)).toEqual([])
    await world.db.sql`update webhook_endpoint set status = 'enabled' where id = ${endpoint}`
    const { body } = await issue(issuer, FACTURA)
    expect(await owed(endpoint, body.id)).toEqual(STORY)
    await forget(endpoint)
  })

  it('of an account to whom nobody listens is not told to those who listen to another', async () => {
    const stranger = await openIssuer(world)
    const endpoint = await listen(world, stranger.account)
    const { body } = await issue(issuer, FACTURA)
    expect(await owed(endpoint, body.id)).toEqual([])
  })
})
