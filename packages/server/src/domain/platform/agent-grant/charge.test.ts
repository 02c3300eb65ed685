import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GrantOptions, grantTo, useTool } from '../../../../test/support/agent-grant.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { accepted } from '../../../../test/support/settle-document.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { grantDay } from './store.ts'

let world: World
let issuer: Issuer
let root: string

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world, { empresa: { contact_email: 'cobranza@example.cl' } })
  root = await world.key(issuer.account, { scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

interface Agent {
  readonly id: string
  readonly token: string
}

/** One that does things at once, so that a call is a document. */
async function agent(options: GrantOptions & { tipos?: number[]; receptores?: string[] } = {}): Promise<Agent> {
  const { tipos = null, receptores = null, ...rest } = options
  const made = await grantTo(world, issuer.account, { two_steps: false, ...rest })
  await world.db.sql`update agent_grant set tipos = ${tipos}, receptores = ${receptores} where id = ${made.id}`
  return made
}

let keys = 0
const bought = (unit_price: number) => ({ description: 'Café', quantity: 1, unit_price })
const boleta = (price: number, more: object = {}) => ({
  empresa_rut: issuer.rut,
  tipo_dte: 39,
  items: [bought(price)],
  idempotency_key: `boleta-${keys++}`,
  ...more,
})
const create = async ({ token }: Agent, args: object) =>
  (await useTool(world, token, 'documents_create', args)).structuredContent
const refusal = ({ error }: { error?: { code: string; details: object } }) => error && [error.code, error.details]
const spent = async ({ id }: Agent) => (await world.get(`/v1/agent_grants/${id}`, { key: root })).body.spent_today

describe('the limits of an agent', () => {
  it('403 agent_limit_exceeded for a document above the cap of one, and nothing is counted', async () => {
    const mine = await agent({ max_clp_per_document: 5_000 })
    expect(refusal(await create(mine, boleta(5_001)))).toEqual([
      'agent_limit_exceeded',
      { limit: 'max_clp_per_document', asked: 5_001, left: 5_000 },
    ])
    expect(await spent(mine)).toBe(0)
    expect((await create(mine, boleta(5_000))).object).toBe('document')
    expect(await spent(mine)).toBe(5_000)
  })

  it('403 agent_limit_exceeded beyond the cap of the day says what is left of it', async () => {
    const mine = await agent({ max_clp_per_day: 10_000 })
    await create(mine, boleta(7_000))
    expect(refusal(await create(mine, boleta(3_001)))).toEqual([
      'agent_limit_exceeded',
      { limit: 'max_clp_per_day', asked: 3_001, left: 3_000 },
    ])
    expect((await create(mine, boleta(3_000))).object).toBe('document')
    expect(await spent(mine)).toBe(10_000)
  })

  it('403 agent_limit_exceeded for a first document that is above the cap of the whole day', async () => {
    const mine = await agent({ max_clp_per_day: 100 })
    expect(refusal(await create(mine, boleta(101)))?.[1]).toEqual({ limit: 'max_clp_per_day', asked: 101, left: 100 })
  })

  it('holds when many come at once: exactly as many pass as the cap has room for', async () => {
    const mine = await agent({ max_clp_per_day: 5_000 })
    const sent = await Promise.all(Array.from({ length: 12 }, () => create(mine, boleta(1_000))))
    expect(sent.filter(({ object }) => object === 'document')).toHaveLength(5)
    expect(sent.filter(({ error }) => error?.code === 'agent_limit_exceeded')).toHaveLength(7)
    expect(await spent(mine)).toBe(5_000)
  })

  it('of fifty acts at once by two agents each is written down, and neither passes its cap', async () => {
    const seven = { mine: await agent({ max_clp_per_day: 7_000 }), room: 7 }
    const four = { mine: await agent({ max_clp_per_day: 4_500 }), room: 4 }
    const turns = Array.from({ length: 25 }, () => [seven, four]).flat()
    const sent = await Promise.all(
      turns.map(async (whose) => ({ whose, ...(await create(whose.mine, boleta(1_000))) })),
    )
    for (const { mine, room } of [seven, four]) {
      const own = sent.filter(({ whose }) => whose.mine === mine)
      const passed = own.filter(({ object }) => object === 'document')
      expect(passed).toHaveLength(room)
      expect(own.filter(({ error }) => error?.code === 'agent_limit_exceeded')).toHaveLength(25 - passed.length)
      const rows = await world.db.sql<{ outcome: string; subject: string | null; times: number }>`
        select outcome, subject, times from agent_act where grant_id = ${mine.id}`
      const done = rows.filter(({ outcome }) => outcome === 'done')
      expect(done.map(({ subject }) => subject).sort()).toEqual(passed.map((one) => one.id).sort())
      const refused = rows.filter(({ outcome }) => outcome === 'refused')
      expect(refused.reduce((sum, { times }) => sum + times, 0)).toBe(25 - passed.length)
      expect(await spent(mine)).toBe(room * 1_000)
    }
  })

  it.each<[string, object, number, string?]>([
    ['a balance of before', { previous_balance: 50_000 }, 50_990],
    ['one that is owed to the receptor', { previous_balance: -50_000 }, 49_010, '-$ 49.010'],
    ['a line that is not billed', { items: [bought(990), { ...bought(50_000), billing: 'non_billable' }] }, 50_990],
    [
      'a surcharge on it',
      {
        items: [bought(990), { ...bought(10), billing: 'non_billable' }],
        surcharges: [{ amount: 49_990, applies_to: 'non_billable' }],
      },
      50_990,
    ],
  ])(
    'counts what a document asks for beside its total, and shows it to the person: %s',
    async (_, more, asked, to_pay = '$ 50.990') => {
      const mine = await agent({ max_clp_per_document: asked - 1 })
      const left = { limit: 'max_clp_per_document', asked, left: asked - 1 }
      expect(refusal(await create(mine, boleta(990, more)))).toEqual(['agent_limit_exceeded', left])
      const preview = await useTool(world, mine.token, 'documents_previews_create', { ...boleta(990, more) })
      expect(refusal(preview.structuredContent)).toEqual(['agent_limit_exceeded', left])
      const careful = await agent({ max_clp_per_document: asked, two_steps: true })
      const document = boleta(990, more)
      const { message, confirmation } = await create(careful, document)
      expect(message.replace(/\s/g, ' ')).toContain(`por $ 990, con un total a pagar de ${to_pay}, con fecha`)
      await create(careful, { ...document, confirmation: confirmation.token })
      expect(await spent(careful)).toBe(asked)
    },
  )

  it('starts the day anew at midnight in Santiago, whatever was spent the day before', async () => {
    const mine = await agent({ max_clp_per_day: 1_000 })
    await world.db
      .sql`insert into agent_spend (grant_id, day, spent) values (${mine.id}, ${grantDay()}::date - 1, 1000)`
    expect((await create(mine, boleta(1_000))).object).toBe('document')
  })

  it('counts a repetition with the same key once', async () => {
    const mine = await agent({ max_clp_per_day: 3_000 })
    const args = boleta(2_000)
    const first = await create(mine, args)
    expect(await create(mine, args)).toEqual(first)
    expect(await spent(mine)).toBe(2_000)
  })

  it('counts nothing for what was refused for another reason', async () => {
    const mine = await agent({ max_clp_per_day: 50_000 })
    const twice = { external_id: `una-${keys}` }
    await create(mine, boleta(1_000, twice))
    expect((await create(mine, boleta(1_000, twice))).error.code).toBe('external_id_exists')
    expect((await create(mine, boleta(1_000, { tipo_dte: 33 }))).error.code).toBe('receptor_incomplete')
    expect(await spent(mine)).toBe(1_000)
  })

  it('403 agent_limit_exceeded for a tipo or a receptor that is not on the list', async () => {
    const mine = await agent({ tipos: [33, 39], receptores: [RECEPTOR.rut] })
    expect(refusal(await create(mine, boleta(1_000)))?.[1]).toMatchObject({ limit: 'receptores', asked: '66666666-6' })
    const factura = { ...FACTURA, empresa_rut: issuer.rut, idempotency_key: `f-${keys++}` }
    expect((await create(mine, factura)).object).toBe('document')
    const exempt = { ...factura, tipo_dte: 34, idempotency_key: `f-${keys++}` }
    expect(refusal(await create(mine, exempt))).toEqual([
      'agent_limit_exceeded',
      { limit: 'tipos', asked: 34, left: [33, 39] },
    ])
  })

  it('counts a nota de crédito by its total, and refuses it whole', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const mine = await agent({ max_clp_per_day: document.totals.total - 1 })
    const args = { empresa_rut: issuer.rut, document_id: document.id, idempotency_key: `n-${keys++}` }
    const note = (by: Agent) => useTool(world, by.token, 'documents_credit_note', args)
    expect((await note(mine)).structuredContent.error).toMatchObject({
      code: 'agent_limit_exceeded',
      details: { limit: 'max_clp_per_day', asked: document.totals.total },
    })
    const roomy = await agent({ max_clp_per_day: document.totals.total })
    expect((await note(roomy)).structuredContent).toMatchObject({ tipo_dte: 61 })
    expect(await spent(roomy)).toBe(document.totals.total)
  })

  it('counts a cesión by what is ceded, to whom it goes', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const cesionario = {
      rut: '78901234-2',
      legal_name: 'Factoring Ñuble S.A.',
      address: { street: 'Huérfanos 1055', comuna: 'Santiago' },
      email: 'operaciones@factoring.cl',
    }
    const args = { empresa_rut: issuer.rut, document_id: document.id, cesionario, idempotency_key: `c-${keys++}` }
    const cede = async (by: Agent) => (await useTool(world, by.token, 'documents_cede', args)).structuredContent
    const narrow = await agent({ receptores: [RECEPTOR.rut] })
    expect(refusal(await cede(narrow))?.[1]).toMatchObject({ limit: 'receptores', asked: cesionario.rut })
    const poor = await agent({ max_clp_per_document: document.totals.total - 1 })
    expect(refusal(await cede(poor))?.[1]).toMatchObject({ limit: 'max_clp_per_document' })
    const able = await agent({ max_clp_per_document: document.totals.total })
    expect((await cede(able)).type).toBe('document_cesion')
    expect(await spent(able)).toBe(document.totals.total)
  })

  it('says so when it is shown first, before anybody is asked to confirm', async () => {
    const careful = await grantTo(world, issuer.account, { max_clp_per_day: 1_000 })
    expect(refusal(await create(careful, boleta(1_001)))?.[1]).toEqual({
      limit: 'max_clp_per_day',
      asked: 1_001,
      left: 1_000,
    })
  })

  it('are told by a preview too, which counts nothing', async () => {
    const mine = await agent({ max_clp_per_day: 1_000, max_clp_per_document: 900, tipos: [39] })
    const preview = async (price: number) =>
      (await useTool(world, mine.token, 'documents_previews_create', boleta(price))).structuredContent
    expect((await preview(900)).object).toBe('document_preview')
    expect(refusal(await preview(901))?.[1]).toMatchObject({ limit: 'max_clp_per_document' })
    await create(mine, boleta(600))
    expect(refusal(await preview(500))?.[1]).toEqual({ limit: 'max_clp_per_day', asked: 500, left: 400 })
    expect(await spent(mine)).toBe(600)
  })

  it('are for agents alone: a key of the same account issues what it likes', async () => {
    expect((await issuer.create({ ...FACTURA })).status).toBe(201)
  })
})
