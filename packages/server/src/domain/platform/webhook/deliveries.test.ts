import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, type Hook, type HookOptions, openHook } from '../../../../test/support/webhook-endpoint.ts'
import { openWorld, type Sent, type World } from '../../../../test/support/world.ts'
import { httpWebhookSender } from '../../../adapters/webhook/sender.ts'

let world: World
const hooks: Hook[] = []
beforeAll(async () => {
  world = await openWorld({ webhooks: httpWebhookSender({ allow_private: true, answer_ms: 4_000 }) })
})
afterAll(async () => {
  for (const hook of hooks) await hook.close()
  await world.close()
})

async function hooked(options?: HookOptions, where = world): Promise<Hook> {
  const hook = await openHook(where, { frozen: options?.account === undefined, ...options })
  hooks.push(hook)
  return hook
}

const refused = ({ status, body }: Sent) => [status, body.error.code]
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

describe('POST /v1/webhook_endpoints/{webhook_endpoint_id}/ping', () => {
  it('202 a delivery of an event of type ping, to this endpoint alone and to its current URL', async () => {
    const hook = await hooked()
    const other = await hooked({ account: hook.account })
    const moved = await hooked()
    await world.patch(hook.path, { key: hook.key, body: { url: moved.receiver.url } })
    const sent = await world.post(`${hook.path}/ping`, { key: hook.key })
    expect(sent.status).toBe(202)
    expect(sent.body).toMatchObject({ trigger: 'ping', event_type: 'ping', status: 'pending', attempts: 0 })
    const [received] = await moved.receiver.atLeast(1)
    const event = await world.get(`/v1/events/${sent.body.event_id}`, { key: hook.key })
    expect(received?.body).toBe(event.text)
    const endpoint = await world.get(hook.path, { key: hook.key })
    expect(received?.event).toMatchObject({ type: 'ping', empresa: null, data: { object: endpoint.body } })
    expect(await hook.settled()).toMatchObject([{ id: sent.body.id, status: 'succeeded' }])
    expect([hook.receiver.received, other.receiver.received]).toEqual([[], []])
  })

  it('202 and tried again on the schedule until it arrives, also while it is disabled', async () => {
    const hook = await hooked({ answers: 500, frozen: true })
    await world.patch(hook.path, { key: hook.key, body: { status: 'disabled' } })
    await world.post(`${hook.path}/ping`, { key: hook.key })
    await eventually(async () => (await hook.deliveries())[0]?.attempts).toBe(1)
    expect(await hook.deliveries()).toMatchObject([{ trigger: 'ping', status: 'pending', response_status: 500 }])
    hook.receiver.behave(200)
    await hook.advance('PT10S')
    expect(await hook.settled()).toMatchObject([{ status: 'succeeded', attempts: 2, response_status: 200 }])
  })

  it('a ping that waits is not sent to an endpoint whose address may be an intruder’s', async () => {
    const hook = await hooked({ answers: 500, frozen: true })
    await world.post(`${hook.path}/ping`, { key: hook.key })
    await eventually(async () => (await hook.deliveries())[0]?.attempts).toBe(1)
    await world.db.sql`
      update webhook_endpoint set status = 'disabled', disabled_reason = 'account_recovered'
      where account_id = ${hook.account}`
    await hook.advance('PT1H')
    expect(await hook.settled()).toMatchObject([{ status: 'failed', attempts: 1, error: 'endpoint_disabled' }])
  })

  it('202 and failed once the schedule ends', async () => {
    const hook = await hooked({ answers: 500, frozen: true })
    await world.post(`${hook.path}/ping`, { key: hook.key })
    await hook.advance('PT1H')
    expect(await hook.settled()).toMatchObject([{ trigger: 'ping', status: 'failed', attempts: 4 }])
  })
})

describe('GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries', () => {
  it('200 newest first, page by page, by status and by event', async () => {
    const hook = await hooked()
    for (let i = 0; i < 5; i++) await hook.happen()
    await hook.settled()
    hook.receiver.behave(500)
    await hook.happen()
    await eventually(async () => (await hook.deliveries('?status=pending'))[0]?.attempts).toBe(1)
    const all = await hook.deliveries()
    expect(all.map(({ status }) => status)).toEqual(['pending', ...Array(5).fill('succeeded')])
    expect(idsOf(all)).toEqual(idsOf(all).sort().reverse())
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Sent = await world.get(`${hook.path}/deliveries?limit=2${cursor && `&cursor=${cursor}`}`, {
        key: hook.key,
      })
      seen.push(...idsOf(page.body.data))
      cursor = page.body.next_cursor
    }
    expect(seen).toEqual(idsOf(all))
    expect(idsOf(await hook.deliveries('?status=succeeded'))).toEqual(idsOf(all.slice(1)))
    expect(idsOf(await hook.deliveries(`?event_id=${all[2]?.event_id}`))).toEqual([all[2]?.id])
    expect(await hook.deliveries('?status=failed')).toEqual([])
    expect(await hook.deliveries('?event_id=evt_nada')).toEqual([])
    expect(await hook.deliveries(`?event_id=${all[2]?.event_id}&status=pending`)).toEqual([])
    await hook.advance('PT1H')
    expect(idsOf(await hook.deliveries('?status=failed'))).toEqual([all[0]?.id])
  })

  it('400 for a status that does not exist and for a cursor of another endpoint or filter', async () => {
    const [one, two] = [await hooked(), await hooked()]
    for (let i = 0; i < 3; i++) await one.happen()
    const list = (query: string, hook = one) => world.get(`${hook.path}/deliveries${query}`, { key: hook.key })
    expect((await list('?status=lost')).body.error).toMatchObject({ code: 'invalid_field', param: 'status' })
    const { next_cursor } = (await list('?limit=1')).body
    for (const sent of [
      await list(`?cursor=${next_cursor}`, two),
      await list(`?cursor=${next_cursor}&status=pending`),
      await list('?cursor=cur_x'),
    ])
      expect(refused(sent)).toEqual([400, 'invalid_cursor'])
  })

  it('200 reads one with every request that was made; 404 delivery_not_found below another endpoint', async () => {
    const hook = await hooked({ answers: () => undefined })
    const other = await hooked({ account: hook.account })
    await hook.happen()
    await eventually(async () => (await hook.deliveries())[0]?.error).toBe('response_timeout')
    hook.receiver.behave(201)
    await hook.advance('PT10S')
    const [shown] = await hook.settled()
    const { attempt_log, ...delivery } = await hook.delivery(shown?.id ?? '')
    expect(delivery).toEqual(shown)
    expect(attempt_log).toMatchObject([
      { attempt: 1, response_status: null, error: 'response_timeout' },
      { attempt: 2, response_status: 201, error: null },
    ])
    for (const sent of [
      await world.get(`${other.path}/deliveries/${shown?.id}`, { key: hook.key }),
      await world.get(`${hook.path}/deliveries/whd_nada`, { key: hook.key }),
      await world.post(`${other.path}/deliveries/${shown?.id}/retry`, { key: hook.key }),
    ])
      expect(refused(sent)).toEqual([404, 'delivery_not_found'])
  })

  it('shows a key with an allowlist nothing of an empresa that the endpoint heard of before', async () => {
    const hook = await hooked()
    const [one, two] = [await hook.happen(), await hook.happen()]
    const [second, first] = await hook.settled()
    await world.patch(hook.path, { key: hook.key, body: { empresas: [one] } })
    const key = await world.key(hook.account, { empresas: [one] })
    expect(idsOf((await world.get(`${hook.path}/deliveries`, { key })).body.data)).toEqual([first?.id])
    expect(refused(await world.get(`${hook.path}/deliveries/${second?.id}`, { key }))).toEqual([
      404,
      'delivery_not_found',
    ])
    expect((await world.post(`${hook.path}/deliveries/${second?.id}/retry`, { key })).status).toBe(404)
    expect(two).not.toBe(one)
  })
})

describe('POST …/deliveries/{delivery_id}/retry', () => {
  const retry = (hook: Hook, id: unknown, key = hook.key) => world.post(`${hook.path}/deliveries/${id}/retry`, { key })

  it('202 a new delivery of the same event with one attempt, counted on from the earlier ones', async () => {
    const hook = await hooked()
    await hook.happen()
    const [first] = await hook.settled()
    hook.receiver.behave(500)
    const sent = await retry(hook, first?.id)
    expect(sent.status).toBe(202)
    expect(sent.body).toMatchObject({ trigger: 'replay', status: 'pending', event_id: first?.event_id })
    expect(sent.body.id).not.toBe(first?.id)
    const [replay] = await hook.settled()
    expect(replay).toMatchObject({ id: sent.body.id, status: 'failed', attempts: 1, error: 'http_error' })
    hook.receiver.behave(200)
    await retry(hook, replay?.id)
    const received = await hook.receiver.atLeast(3)
    expect(received.map(({ headers }) => headers['svc-delivery-attempt'])).toEqual(['1', '2', '3'])
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['svc-delivery-id'])).size).toBe(3)
    expect(idsOf(await hook.deliveries(`?event_id=${first?.event_id}`))).toHaveLength(3)
    expect((await hook.delivery(first?.id ?? '')).attempts).toBe(1)
  })

  it('409 too_many_replays at 20 attempts of the pair, also when they are asked for at once', async () => {
    const hook = await hooked()
    await hook.happen()
    await hook.happen()
    const [other, first] = await hook.settled()
    const asked = await Promise.all(Array.from({ length: 25 }, () => retry(hook, first?.id)))
    expect(asked.filter(({ status }) => status === 202)).toHaveLength(19)
    for (const sent of asked.filter(({ status }) => status !== 202))
      expect(refused(sent)).toEqual([409, 'too_many_replays'])
    await hook.receiver.atLeast(21)
    await hook.settled()
    const tries = hook.receiver.received.filter(({ headers }) => headers['svc-event-id'] === first?.event_id)
    expect(tries).toHaveLength(20)
    expect(refused(await retry(hook, first?.id))).toEqual([409, 'too_many_replays'])
    expect((await retry(hook, other?.id)).status).toBe(202)
  })

  it('leaves at most 20 attempts to an event whose own schedule still runs', async () => {
    const hook = await hooked({ answers: 500 })
    await hook.happen()
    await eventually(async () => (await hook.deliveries())[0]?.attempts).toBe(1)
    const [first] = await hook.deliveries()
    const asked: Sent[] = []
    for (let i = 0; i < 20; i++) asked.push(await retry(hook, first?.id))
    // One attempt was made and the next is sure to come.
    expect(asked.filter(({ status }) => status === 202)).toHaveLength(18)
    await hook.receiver.atLeast(19)
    await hook.advance('PT1H')
    await hook.settled()
    expect(hook.receiver.received).toHaveLength(20)
    expect(await hook.delivery(first?.id ?? '')).toMatchObject({
      status: 'failed',
      error: 'too_many_attempts',
      attempts: 2,
    })
  })

  it('202 for an endpoint that is disabled, which ends without a request', async () => {
    const hook = await hooked()
    await hook.happen()
    const [first] = await hook.settled()
    await world.patch(hook.path, { key: hook.key, body: { status: 'disabled' } })
    await retry(hook, first?.id)
    expect((await hook.settled())[0]).toMatchObject({ status: 'failed', error: 'endpoint_disabled', attempts: 0 })
    expect(hook.receiver.received).toHaveLength(1)
  })

  it('429 rate_limited beyond 20 a minute of the account, whichever key asks', async () => {
    const strict = await openWorld({ unlimited: false, beside: world })
    const hook = await hooked({}, strict)
    await hook.happen()
    const [first] = await hook.settled()
    const again = await strict.key(hook.account)
    const answers: Sent[] = []
    for (let i = 0; i < 21; i++) {
      const key = i % 2 === 0 ? hook.key : again
      answers.push(await strict.post(`${hook.path}/deliveries/${first?.id}/retry`, { key }))
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(19).fill(202), 409, 429])
    expect(answers.at(-1)?.headers['ratelimit-limit']).toBe('20')
    await strict.close()
  })
})

describe('an endpoint that goes away', () => {
  it('takes what still waited for it along', async () => {
    const hook = await hooked({ answers: 500 })
    await hook.happen()
    await eventually(async () => (await hook.deliveries())[0]?.attempts).toBe(1)
    await world.delete(hook.path, { key: hook.key })
    await hook.advance('PT1H')
    expect(refused(await world.get(`${hook.path}/deliveries`, { key: hook.key }))).toEqual([
      404,
      'webhook_endpoint_not_found',
    ])
    const rows = await world.db.sql`select status, error from webhook_delivery where endpoint_id = ${hook.id}`
    expect(rows).toEqual([{ status: 'failed', error: 'endpoint_deleted' }])
    expect(hook.receiver.received).toHaveLength(1)
  })
})

describe('the log of attempts', () => {
  it('takes no change and no deletion', async () => {
    const hook = await hooked({ answers: 410 })
    await hook.happen()
    await hook.settled()
    const { sql } = world.db
    await expect(sql`update webhook_attempt set attempt = 9 where account_id = ${hook.account}`).rejects.toThrow(
      'append only',
    )
    await expect(sql`delete from webhook_attempt where account_id = ${hook.account}`).rejects.toThrow('append only')
  })
})
