import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue } from '../../../../test/support/document-emission.ts'
import { FACTURA, openIssuer } from '../../../../test/support/issuer.ts'
import { eventually, type Hook, type HookOptions, openHook } from '../../../../test/support/webhook-endpoint.ts'
import type { Received } from '../../../../test/support/webhook-receiver.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'

let world: World
const hooks: Hook[] = []
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  for (const hook of hooks) await hook.close()
  await world.close()
})

async function hooked(options?: HookOptions): Promise<Hook> {
  const hook = await openHook(world, options)
  hooks.push(hook)
  return hook
}

const header = (received: Received | undefined, name: string) => String(received?.headers[name])

/** The signature as the documentation tells a receiver to check it, without any code of ours. */
function verify(received: Received, secret: string): boolean {
  const [t = '', ...signatures] = header(received, 'svc-signature').split(',')
  const wanted = createHmac('sha256', secret)
    .update(`${t.replace('t=', '')}.${received.body}`)
    .digest('hex')
  return signatures.includes(`v1=${wanted}`)
}

function verifyStandard(received: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(received.body, received.headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

describe('a delivery', () => {
  it('carries what became of a document byte for byte as GET /events/{event_id} answers it', async () => {
    const issuer = await openIssuer(world)
    const hook = await hooked({ account: issuer.account, body: { enabled_events: ['document.*'] } })
    const { body: document } = await issue(issuer, FACTURA)
    const received = await hook.receiver.atLeast(3)
    expect(received.map(({ event }) => event.type).sort()).toEqual([
      'document.accepted',
      'document.created',
      'document.sent',
    ])
    for (const { event, body } of received) {
      expect(event).toMatchObject({ data: { object: { id: document.id } } })
      expect(body).toBe((await world.get(`/v1/events/${event.id}`, { key: hook.key })).text)
    }
  })

  it('carries the event byte for byte as GET /events/{event_id} answers it, and says what it is', async () => {
    const hook = await hooked()
    await hook.happen()
    const [received] = await hook.receiver.atLeast(1)
    const event_id = header(received, 'svc-event-id')
    const read = await world.get(`/v1/events/${event_id}`, { key: hook.key })
    expect(received?.body).toBe(read.text)
    expect(received?.event).toMatchObject({ id: event_id, type: 'empresa.created', api_version: 'v1', mode: 'test' })
    const [delivery] = await hook.settled()
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'svc-delivery-id': delivery?.id,
      'svc-delivery-attempt': '1',
      'user-agent': expect.stringMatching(/^Timbre/),
      'webhook-id': event_id,
    })
    expect(delivery).toMatchObject({
      object: 'webhook_delivery',
      mode: 'test',
      webhook_endpoint_id: hook.id,
      event_id,
      event_type: 'empresa.created',
      trigger: 'automatic',
      status: 'succeeded',
      attempts: 1,
      response_status: 200,
      error: null,
      next_attempt_at: null,
      finished_at: expect.any(String),
    })
  })

  it('is signed by hand and by Standard Webhooks with the secret of its endpoint, at the time on the wall', async () => {
    const hook = await hooked()
    await hook.advance('P30D')
    await hook.happen()
    const [received] = await hook.receiver.atLeast(1)
    if (!received) throw new Error('nothing came')
    expect([verify(received, hook.secret), verifyStandard(received, hook.secret)]).toEqual([true, true])
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    expect([verify(received, other), verifyStandard(received, other)]).toEqual([false, false])
    const altered = { ...received, body: received.body.replace('Ltda', 'ltda') }
    expect([verify(altered, hook.secret), verifyStandard(altered, hook.secret)]).toEqual([false, false])
    const t = Number(/^t=(\d+),/.exec(header(received, 'svc-signature'))?.[1])
    expect(Math.abs(t - systemNow() / 1000)).toBeLessThan(60)
    expect(header(received, 'webhook-timestamp')).toBe(String(t))
  })

  it('is signed with both secrets for 24 hours after a rotation, the new one first, and then with the new one', async () => {
    const hook = await hooked()
    const rotate = async () => (await world.post(`${hook.path}/rotate_secret`, { key: hook.key })).body
    const { secret: second, ...shown } = await rotate()
    expect(shown).toEqual((await world.get(hook.path, { key: hook.key })).body)
    const next = async () => {
      const before = hook.receiver.received.length
      await hook.happen()
      return (await hook.receiver.atLeast(before + 1)).at(-1) as Received
    }
    const during = await next()
    for (const secret of [hook.secret, second]) {
      expect([verify(during, secret), verifyStandard(during, secret)]).toEqual([true, true])
    }
    const third = (await rotate()).secret
    const later = await next()
    expect([third, second, hook.secret].map((secret) => verify(later, secret))).toEqual([true, true, false])
    const first = header(later, 'svc-signature').split(',')[1]
    const alone = { ...later, headers: { 'svc-signature': `${header(later, 'svc-signature').split(',')[0]},${first}` } }
    expect(verify(alone, third)).toBe(true)
    await world.db
      .sql`update webhook_endpoint set previous_secret_until = now() - interval '1 minute' where id = ${hook.id}`
    const after = await next()
    expect([third, second].map((secret) => verify(after, secret))).toEqual([true, false])
    expect(header(after, 'webhook-signature').split(' ')).toHaveLength(1)
  })

  it('goes to the endpoints of its account, its mode, its empresa and its type, and to no other', async () => {
    const all = await hooked()
    const { account } = all
    const [created, family, updates, live, disabled] = [
      await hooked({ account, body: { enabled_events: ['empresa.created'] } }),
      await hooked({ account, body: { enabled_events: ['document.*', 'empresa.*'] } }),
      await hooked({ account, body: { enabled_events: ['empresa.updated', 'empresa.onboarding.*'] } }),
      await hooked({ account }),
      await hooked({ account }),
    ]
    await world.patch(disabled.path, { key: disabled.key, body: { status: 'disabled' } })
    await world.db.sql`update webhook_endpoint set mode = 'live' where id = ${live.id}`
    const stranger = await hooked()
    const rut = await all.happen()
    const narrow = await hooked({ account, body: { empresas: [rut] } })
    const elsewhere = await hooked({ account, body: { empresas: ['76192083-9'] } })
    const empresa = (await world.get('/v1/empresas', { key: all.key })).body.data[0]
    await world.patch(`/v1/empresas/${empresa.id}`, { key: all.key, body: { giro: 'Panadería' } })
    await all.receiver.atLeast(2)
    for (const hook of [all, created, family, updates, narrow]) await hook.settled()
    const types = (hook: Hook) => hook.receiver.received.map(({ event }) => event.type).sort()
    expect(types(all)).toEqual(['empresa.created', 'empresa.updated'])
    expect(types(created)).toEqual(['empresa.created'])
    expect(types(family)).toEqual(['empresa.created', 'empresa.updated'])
    expect(types(updates)).toEqual(['empresa.updated'])
    expect(types(narrow)).toEqual(['empresa.updated'])
    for (const hook of [live, disabled, stranger, elsewhere]) {
      expect(types(hook)).toEqual([])
      expect(await world.db.sql`select 1 from webhook_delivery where endpoint_id = ${hook.id}`).toEqual([])
    }
  })

  it('of an event of the account itself goes to endpoints that reach every empresa', async () => {
    const all = await hooked()
    const narrow = await hooked({ account: all.account, body: { empresas: ['76192083-9'] } })
    const root = await world.key(all.account, { scopes: ['keys:write', 'documents:read'] })
    await world.post('/v1/api_keys', { key: root, body: { name: 'caja', scopes: ['documents:read'] } })
    const [received] = await all.receiver.atLeast(1)
    expect(received?.event).toMatchObject({ type: 'api_key.created', empresa: null })
    expect(await narrow.deliveries()).toEqual([])
  })

  it('exists from the commit of its event, and not at all when that is rolled back', async () => {
    const hook = await hooked()
    const rut = await hook.happen()
    const again = await world.post('/v1/empresas', { key: hook.key, body: { rut, legal_name: 'Otra' } })
    expect(again.status).toBe(409)
    await hook.settled()
    const counts = await world.db.sql<{ events: number; deliveries: number }>`
      select (select count(*) from event where account_id = ${hook.account}) as events,
        (select count(*) from webhook_delivery where account_id = ${hook.account}) as deliveries`
    expect(counts).toEqual([{ events: 1, deliveries: 1 }])
  })

  it('leaves no job behind once it is settled', async () => {
    const hook = await hooked()
    await hook.happen()
    await hook.settled()
    await eventually(
      () => world.db.sql`select 1 from job where name = 'webhook.deliver' and account_id = ${hook.account}`,
    ).toEqual([])
  })
})

describe('the receiver', () => {
  it('counts as reached with any 2xx', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      const hook = await hooked({ answers: status })
      await hook.happen()
      expect(await hook.settled()).toMatchObject([{ status: 'succeeded', response_status: status, attempts: 1 }])
    }
  })

  it('is not followed when it redirects', async () => {
    const target = await hooked()
    const hook = await hooked({
      answers: (response) => response.writeHead(308, { location: target.receiver.url }).end(),
    })
    await hook.happen()
    await hook.receiver.atLeast(1)
    await eventually(() => hook.deliveries()).toMatchObject([
      { status: 'pending', response_status: 308, error: 'redirect_not_followed' },
    ])
    expect(target.receiver.received).toEqual([])
  })

  it('is shown by the beginning of its answer', async () => {
    const hook = await hooked({
      answers: (response) => response.writeHead(500).end(`falta el índice ${'x'.repeat(4_000)}`),
    })
    await hook.happen()
    await eventually(() => hook.deliveries()).toMatchObject([{ error: 'http_error', response_status: 500 }])
    const [delivery] = await hook.deliveries()
    expect(delivery?.response_excerpt).toMatch(/^falta el índice x+$/)
    expect(Buffer.byteLength(String(delivery?.response_excerpt))).toBe(1024)
  })

  it('that hangs up gets the very same again, as the next attempt', async () => {
    const hook = await hooked({ answers: (_response, _received, socket) => socket.resetAndDestroy() })
    await hook.happen()
    await eventually(() => hook.deliveries()).toMatchObject([{ status: 'pending', error: 'connection_lost' }])
    hook.receiver.behave(200)
    const received = await hook.receiver.atLeast(2)
    expect(received.map((one) => header(one, 'svc-delivery-attempt'))).toEqual(['1', '2'])
    expect(new Set(received.map((one) => header(one, 'svc-delivery-id'))).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(await hook.settled()).toMatchObject([{ status: 'succeeded', attempts: 2, error: null }])
  })

  it('that is slow does not delay another, however much waits for it, and is not asked more than it can take', async () => {
    const slow = await hooked({ answers: () => undefined })
    const quick = await hooked({ account: slow.account })
    for (let i = 0; i < 40; i++) await slow.happen()
    await slow.receiver.atLeast(1)
    await quick.receiver.atLeast(40)
    expect((await quick.settled()).map(({ status }) => status)).toEqual(Array(40).fill('succeeded'))
    await sleep(300)
    expect(slow.receiver.received.length).toBeLessThan(40)
    expect((await slow.deliveries('?limit=100')).every(({ status }) => status === 'pending')).toBe(true)
  })
})
