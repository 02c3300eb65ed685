// Every act that an agent is able to, by every road that leads to it: what the tool of an operation refuses, no other road
// lets pass. The verbs do nothing here; who may call them, and in how many steps, is the service itself.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type GrantOptions, grantTo, rpc } from '../../test/support/agent-grant.ts'
import { type Given, type Road, roadsTo } from '../../test/support/agent-roads.ts'
import { insertOneOfEach } from '../../test/support/one-of-each.ts'
import { recordedArguments, withRecordedActs } from '../../test/support/recorded-acts.ts'
import { openWorld, randomRut, type World } from '../../test/support/world.ts'
import { ALWAYS_CONFIRMED } from '../catalog/always-confirmed.ts'
import { AGENTS } from '../catalog/limits.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { isAct } from '../domain/platform/agent-grant/acts.ts'
import { OPERATIONS } from '../operations.ts'
import { TASKS } from './tasks/all.ts'
import { openToolbox } from './toolbox.ts'
import type { Tool } from './tools.ts'

const TABLE = withRecordedActs(OPERATIONS)
const ACTS = [...openToolbox(TABLE).tools.values()].filter(({ operation }) => isAct(operation))

let world: World
let account: string
let ids: Record<string, string>
const rut = randomRut()
const stranger = randomRut()
/** One that may do everything, in two steps. */
let agent: { id: string; token: string }

beforeAll(async () => {
  world = await openWorld({ operations: TABLE, runs_jobs: false })
  account = await world.account()
  const real = await openWorld({ beside: world, runs_jobs: false })
  const key = await world.key(account)
  ids = await insertOneOfEach(real, { account, key, rut })
  await real.post('/v1/empresas', { key, body: { rut: stranger, legal_name: 'Otra SpA' } })
  await real.close()
  agent = await grant()
})
afterAll(() => world.close())

const grant = (options: GrantOptions = {}) =>
  grantTo(world, account, { scopes: SCOPE_NAMES, empresas: [rut], ...options })

/** What leads each task to each act of it. */
const TASK_ARGUMENTS: Readonly<Record<string, (of: Record<string, string>) => Given>> = {
  'issue_document documents.create': () => ({ tipo_dte: 39, items: [{ description: 'Pan', unit_price: 990 }] }),
  'annul_or_correct documents.credit_note': ({ document_id }) => ({ document: document_id, how: 'annul' }),
  'send_document documents.send': ({ document_id }) => ({ document: document_id, to: 'a@b.cl' }),
  'send_document documents.public_links.create': ({ document_id }) => ({ document: document_id, as_link: true }),
  'record_payment documents.payments.create': ({ document_id }) => ({ document: document_id, amount: 1 }),
  'record_payment received_documents.payments.create': ({ received_document_id }) => ({
    document: received_document_id,
    amount: 1,
  }),
  'answer_supplier received_documents.accept': ({ received_document_id }) => ({
    document: received_document_id,
    answer: 'accept',
  }),
  'answer_supplier received_documents.reject': ({ received_document_id }) => ({
    document: received_document_id,
    answer: 'claim',
  }),
  'answer_supplier received_documents.acknowledge_receipt': ({ received_document_id }) => ({
    document: received_document_id,
    answer: 'acknowledge',
  }),
  'save_receptor counterparties.update': ({ counterparty_rut }) => ({ rut: counterparty_rut, giro: 'Pan' }),
  'save_receptor counterparties.contacts.create': ({ counterparty_rut }) => ({
    rut: counterparty_rut,
    email: 'a@b.cl',
  }),
  'file_f29 tax.f29.filings.create': ({ period }) => ({ period, total: 0 }),
  'match_payment tax.movements.match': ({ movement_id, document_id }) => ({
    movement: movement_id,
    document: document_id,
  }),
}

/** The roads to an operation, with the arguments that it was recorded with, or with another body. */
function roadsOf(tool: Tool, body?: Given): Road[] {
  const { operation } = tool
  const { empresa_id: _by_path, ...named } = recordedArguments(operation, ids, body)
  const args = operation.reach === 'empresa' ? { ...named, empresa: rut } : named
  const ofTask = (task: string) => ({ empresa: rut, ...TASK_ARGUMENTS[`${task} ${operation.id}`]?.(ids) })
  return roadsTo(tool, args, ofTask)
}

async function send(token: string, { tool, args }: Road, said?: Given) {
  const { status, body } = await rpc(world, token, 'tools/call', { name: tool, arguments: args(said) })
  return { status, told: body?.result?.structuredContent, code: body?.result?.structuredContent?.error?.code }
}

/** How often an agent did something: rows that were committed with it. */
async function done(grant_id: string, operation_id: string): Promise<number> {
  const [row] = await world.db.sql<{ many: number }>`
    select count(*)::int as many from agent_act
    where grant_id = ${grant_id} and operation = ${operation_id} and outcome = 'done'`
  return row?.many ?? 0
}

/** How often an agent was refused something for want of its scope: the same again within the hour counts on one row. */
async function triedWithoutScope(grant_id: string, operation_id: string): Promise<number> {
  const [row] = await world.db.sql<{ many: number }>`
    select coalesce(sum(times), 0)::int as many from agent_act
    where grant_id = ${grant_id} and operation = ${operation_id} and code = 'insufficient_scope'`
  return row?.many ?? 0
}

/** Tokens that nobody used, and that of the act before: neither opens anything. */
const stale: { id: string; road: Road; own: { id: string; token: string }; confirmation: string }[] = []
let foreign = 'cnf_x'

/** The same arguments, for another empresa. */
function aimedAt(args: Given, empresa: string): Given {
  const inner = args.arguments as Given | undefined
  return inner ? { ...args, arguments: { ...inner, empresa } } : { ...args, empresa }
}

it('every act has arguments by which a task reaches it', () => {
  const pairs = TASKS.flatMap(({ listed, acts }) => acts.map((id) => `${listed.name} ${id}`))
  expect(Object.keys(TASK_ARGUMENTS).sort()).toEqual(pairs.sort())
  expect(ACTS.length).toBeGreaterThan(60)
})

describe.each(ACTS.map((tool) => [tool.operation.id, tool] as const))('%s by every road', (id, tool) => {
  const { operation, irreversible } = tool

  it('is refused without its scope, outside the empresas of the grant and once it was revoked', async () => {
    const narrow = await grant({ scopes: SCOPE_NAMES.filter((scope) => scope !== operation.scope) })
    const over = await grant()
    await world.db.sql`update agent_grant set revoked_at = now() where id = ${over.id}`
    world.app.cache.invalidate(over.id)
    for (const road of roadsOf(tool)) {
      if (operation.scope) {
        const { status, code, told } = await send(narrow.token, road)
        expect([road.name, status, code]).toEqual([road.name, 403, 'insufficient_scope'])
        expect([road.name, told.error.details.scope]).toEqual([road.name, operation.scope])
      }
      if (operation.reach === 'empresa') {
        const elsewhere = { ...road, args: () => aimedAt(road.args(), stranger) }
        expect([road.name, (await send(agent.token, elsewhere)).code]).toEqual([road.name, 'empresa_not_allowed'])
      }
      expect([road.name, (await send(over.token, road)).status]).toEqual([road.name, 401])
    }
    for (const who of [narrow, agent, over]) expect(await done(who.id, id)).toBe(0)
    // Its person sees that it tried, whichever road it took.
    if (operation.scope) expect(await triedWithoutScope(narrow.id, id)).toBe(roadsOf(tool).length)
  })

  if (irreversible)
    it('is shown first, and done once by the one token that was given for it', async () => {
      for (const road of roadsOf(tool)) {
        // What is of the account itself is seen by whoever reaches all of it.
        const empresas = operation.reach === 'account' ? ['*'] : [rut]
        const [own, other] = [await grant({ empresas }), await grant({ empresas })]
        const shown = await send(own.token, road)
        expect(shown.told, road.name).toMatchObject({ confirmation_required: true })
        const { token: confirmation } = shown.told.confirmation
        const refused = [
          await send(other.token, road, { confirmation }),
          await send(own.token, road, { confirmation: foreign }),
          await send(own.token, road, { confirmation: `${confirmation.slice(0, -8)}AAAAAAAA` }),
        ]
        expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'confirmation_invalid'))
        if (operation.idempotent) {
          const { code } = await send(own.token, road, { confirmation, idempotency_key: 'otra' })
          expect([road.name, code]).toEqual([road.name, 'confirmation_mismatch'])
        }
        expect([await done(own.id, id), await done(other.id, id)]).toEqual([0, 0])
        stale.push({ id, road, own, confirmation: (await send(own.token, road)).told.confirmation.token })
        const first = await send(own.token, road, { confirmation })
        expect([road.name, first.code, first.told]).toEqual([road.name, undefined, expect.anything()])
        expect((await send(own.token, road, { confirmation })).told).toEqual(first.told)
        expect(await done(own.id, id)).toBe(1)
        foreign = confirmation
      }
    })
})

/** What is sent with the fields that make an update such an act. */
const TOUCHED: Readonly<Record<string, unknown>> = {
  status: 'archived',
  contact_email: 'otra@example.cl',
  url: 'https://otro.example.cl/avisos',
}

describe('an agent whose person switched the second step off', () => {
  const rows = ALWAYS_CONFIRMED.map(
    ({ operation, field }) => [`${operation} ${field ?? ''}`.trim(), operation, field] as const,
  )
  const toolOf = (id: string) => ACTS.find(({ operation }) => operation.id === id) as Tool
  const empresas = (tool: Tool) => (tool.operation.reach === 'account' ? ['*'] : [rut])

  it.each(rows)(
    '%s is shown first all the same, by every road, and done once it is confirmed',
    async (_name, id, field) => {
      const tool = toolOf(id)
      for (const road of roadsOf(tool, field === undefined ? undefined : { [field]: TOUCHED[field] })) {
        const own = await grant({ two_steps: false, empresas: empresas(tool) })
        const shown = await send(own.token, road)
        expect([road.name, shown.told.confirmation_required]).toEqual([road.name, true])
        expect(await done(own.id, id)).toBe(0)
        expect((await send(own.token, road, { confirmation: shown.told.confirmation.token })).code).toBeUndefined()
        expect(await done(own.id, id)).toBe(1)
      }
    },
  )

  it.each([
    ['empresas.update', { giro: 'Panadería' }],
    ['webhook_endpoints.update', { description: 'Bodega' }],
  ])('%s is done in one step where it touches no such field', async (id, body) => {
    const tool = toolOf(id)
    for (const road of roadsOf(tool, body)) {
      const own = await grant({ two_steps: false, empresas: empresas(tool) })
      expect((await send(own.token, road)).code).toBeUndefined()
      expect([road.name, await done(own.id, id)]).toEqual([road.name, 1])
    }
  })
})

describe('a confirmation that was never used', () => {
  afterAll(() => void vi.useRealTimers())

  it('409 confirmation_expired after ten minutes, of every act and by every road', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (AGENTS.confirmation_seconds + 1) * 1000 })
    for (const { road, own, confirmation } of stale)
      expect([road.name, (await send(own.token, road, { confirmation })).code]).toEqual([
        road.name,
        'confirmation_expired',
      ])
    for (const { id, own } of stale) expect(await done(own.id, id)).toBe(1)
  })
})
