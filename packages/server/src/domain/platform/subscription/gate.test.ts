import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MASTER_KEY } from '../../../../test/support/master-key.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { openCursorSeal } from '../../../kernel/cursor-seal.ts'
import { Closed } from '../../../kernel/schema.ts'
import { oneKey } from '../../../kernel/vault.ts'
import { OPERATIONS } from '../../../operations.ts'
import { defineOperation } from '../../operation.ts'
import { requireSubscription } from './gate.ts'

const PAID_ACTS = [
  'POST /documents',
  'POST /documents/{document_id}/credit_note',
  'POST /documents/invoice_guias', // issues a factura, as the first
  'POST /documents/{document_id}/send',
  'POST /folios/requests',
  'POST /empresas/{empresa_id}/onboarding/go_live',
]

/** Stands for each of the five: what they do once they are let in is their own. */
const act = (path: string, one_statement: boolean) =>
  defineOperation({
    id: `paid${path.replace('/', '_')}`,
    method: 'POST',
    path,
    summary: 'Do something that needs a subscription',
    reach: 'empresa',
    scope: 'documents:write',
    returns: Closed({ request_id: Type.String() }),
    paywalled: true,
    one_statement,
    run: async (ctx) => ({ request_id: ctx.request_id }),
  })

const operations = [...OPERATIONS, act('/acts', false), act('/quick_acts', true)]
const DAY = 24 * 3600 * 1000
const ago = (ms: number) => new Date(systemNow() - ms).toISOString()

let world: World
let account: string
let live: string
let empresa: { id: string; rut: string; legal_name: string }
beforeAll(async () => {
  world = await openWorld({ operations })
  account = await world.account()
  live = await world.key(account, { mode: 'live' })
})
beforeEach(async () => {
  empresa = await make(live)
})
afterAll(() => world.close())

async function make(key: string) {
  const body = { rut: randomRut(), legal_name: 'Viña Ñuble SpA', origen: 'mercado' }
  return (await world.post('/v1/empresas', { key, body })).body
}

const record = (body: object) =>
  world.post(`/v1/empresas/${empresa.id}/subscription`, { headers: { 'svc-operator-secret': OPERATOR_SECRET }, body })
const paid = (idempotency_key?: string, path = '/v1/acts') =>
  world.post(path, {
    key: live,
    empresa: empresa.rut,
    headers: idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key },
  })
const outcome = async () => {
  const sent = await paid()
  return [sent.status, sent.body.error?.code, sent.body.error?.details.subscription_status]
}
const PASSES = [200, undefined, undefined]

/** As if time had passed since it was paid for. */
async function ended(ms: number) {
  await world.db.sql`
    update subscription set current_period_end = ${ago(ms)}, grace_until = ${ago(ms - 7 * DAY)}
    where empresa_id = ${empresa.id}`
  world.app.cache.invalidate(empresa.id)
}

describe('the paywall', () => {
  it('stands before exactly the five acts of the contract, and what issues as they do', () => {
    const doors = OPERATIONS.map((one) => ({ door: `${one.method} ${one.path}`, paywalled: one.paywalled }))
    for (const { door, paywalled } of doors) expect([door, paywalled]).toEqual([door, PAID_ACTS.includes(door)])
  })

  it('402 subscription_required without one, and the details say of whom', async () => {
    const sent = await paid()
    expect(sent.status).toBe(402)
    expect(sent.body.error).toMatchObject({ type: 'invalid_request_error', retriable: false, empresa: empresa.rut })
    expect(sent.body.error.details).toEqual({
      empresa: empresa.id,
      empresa_rut: empresa.rut,
      empresa_name: 'Viña Ñuble SpA',
      account_plan: 'starter',
      subscription_status: 'none',
      grace_until: null,
      checkout_url: expect.stringMatching(/^http:\/\/timbre\.test\/suscripcion\/[\w-]{52}$/),
    })
  })

  it('402 tells the name the empresa has now', async () => {
    await paid()
    await world.patch(`/v1/empresas/${empresa.id}`, { key: live, body: { legal_name: 'Otro Nombre SpA' } })
    expect((await paid()).body.error.details.empresa_name).toBe('Otro Nombre SpA')
  })

  it('200 from the moment it is recorded, in every process', async () => {
    const other = await openWorld({ beside: world, operations })
    const there = () => other.post('/v1/acts', { key: live, empresa: empresa.rut })
    expect([(await paid()).status, (await there()).status]).toEqual([402, 402])
    await record({ status: 'active' })
    expect((await paid()).status).toBe(200)
    await expect.poll(async () => (await there()).status).toBe(200)
    await other.close()
  })

  it('200 through the seven days after the period ran out, though nobody noted that it did', async () => {
    await record({ status: 'active' })
    await ended(7 * DAY - 60_000)
    expect(await outcome()).toEqual(PASSES)
    expect((await world.get(`/v1/empresas/${empresa.id}/subscription`, { key: live })).body.status).toBe('lapsed')
  })

  it('402 once the seven days are over, and grace_until says when they were', async () => {
    await record({ status: 'active' })
    await ended(7 * DAY + 1000)
    const sent = await paid()
    expect(sent.body.error.details).toMatchObject({ subscription_status: 'lapsed' })
    expect(Date.parse(sent.body.error.details.grace_until)).toBeLessThan(systemNow())
  })

  it('200 within the grace of a lapse that was recorded, 402 after it', async () => {
    await record({ status: 'lapsed', current_period_end: ago(6 * DAY) })
    expect(await outcome()).toEqual(PASSES)
    await record({ status: 'lapsed', current_period_end: ago(8 * DAY) })
    expect(await outcome()).toEqual([402, 'subscription_required', 'lapsed'])
  })

  it('402 at once when it was canceled, without grace, and 200 when it is taken up again', async () => {
    await record({ status: 'active' })
    await record({ status: 'canceled' })
    expect(await outcome()).toEqual([402, 'subscription_required', 'canceled'])
    expect((await paid()).body.error.details.grace_until).toBeNull()
    await record({ status: 'active' })
    expect(await outcome()).toEqual(PASSES)
  })

  it('200 for every empresa of an account from the moment the operator puts it on plan house, in every process', async () => {
    const other = await openWorld({ beside: world, operations })
    const account_id = await world.account()
    const key = await world.key(account_id, { mode: 'live' })
    const own = await make(key)
    const act = { key, empresa: own.rut }
    const everywhere = async () => [
      (await world.post('/v1/acts', act)).status,
      (await other.post('/v1/acts', act)).status,
    ]
    const put = (plan: string) =>
      world.post(`/v1/accounts/${account_id}/plan`, {
        headers: { 'svc-operator-secret': OPERATOR_SECRET },
        body: { plan },
      })
    expect(await everywhere()).toEqual([402, 402])
    expect((await put('house')).body).toEqual({ object: 'account_plan', id: account_id, plan: 'house' })
    expect(await everywhere()).toEqual([200, 200])
    expect((await world.get('/v1/account', { key })).body.plan).toBe('house')
    await put('starter')
    expect(await everywhere()).toEqual([402, 402])
    await other.close()
  })

  it('404 account_not_found and 400 invalid_field where the operator names no open account, or no plan', async () => {
    const put = (id: string, plan: string) =>
      world.post(`/v1/accounts/${id}/plan`, { headers: { 'svc-operator-secret': OPERATOR_SECRET }, body: { plan } })
    const closed = await world.account()
    await world.db.sql`update account set closed_at = now() where id = ${closed}`
    for (const id of ['acct_nobody', closed]) {
      const refused = await put(id, 'house')
      expect([refused.status, refused.body.error.code]).toEqual([404, 'account_not_found'])
    }
    expect((await put(account, 'free')).body.error).toMatchObject({ code: 'invalid_field', param: 'plan' })
  })

  it('200 in test mode, whatever became of the subscription, which is not even looked at', async () => {
    const test = await world.key(account)
    empresa = await make(test)
    await record({ status: 'canceled' })
    expect((await world.post('/v1/acts', { key: test, empresa: empresa.rut })).status).toBe(200)
    const never = () => Promise.reject(new Error('looked at'))
    const scope = { account_id: account, mode: 'test', empresa_id: empresa.id, rut: empresa.rut } as const
    const unasked = { sql: never, cache: { get: never }, now: () => new Date(systemNow()) }
    await requireSubscription(
      { ...unasked, ports: { cursors: openCursorSeal(oneKey(MASTER_KEY)) }, addresses: { public_url: '' } },
      scope,
    )
  })

  it('200 for reads and every other write of an empresa without one', async () => {
    expect((await world.get(`/v1/empresas/${empresa.id}`, { key: live })).status).toBe(200)
    const book = `/v1/empresas/${empresa.id}/counterparties/${randomRut()}`
    expect((await world.patch(book, { key: live, body: { giro: 'Transporte' } })).status).toBe(200)
  })

  for (const path of ['/v1/acts', '/v1/quick_acts']) {
    it(`${path}: 402 does not use up the Idempotency-Key, and a replay is answered though it lapsed since`, async () => {
      const key = `once ${path}`
      expect((await paid(key, path)).status).toBe(402)
      await record({ status: 'active' })
      const first = await paid(key, path)
      expect(first.status).toBe(200)
      await record({ status: 'canceled' })
      const again = await paid(key, path)
      expect([again.status, again.body, again.headers['svc-idempotent-replay']]).toEqual([200, first.body, 'true'])
      expect((await paid(`other ${path}`, path)).status).toBe(402)
    })
  }
})
