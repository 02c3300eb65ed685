// The SDK against the service itself, over a socket, as an integrator uses it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { curlOf } from '../../sdk/src/curl.ts'
import { memoryCheckpoint, Timbre, TimbreError, verify } from '../../sdk/src/index.ts'
import { OPERATIONS } from '../src/operations.ts'
import { openReceiver, type Receiver } from './support/webhook-receiver.ts'
import { openWorld, randomRut, type World } from './support/world.ts'

let world: World
let baseUrl: string
let timbre: Timbre
let receiver: Receiver
const empresa = randomRut()
const cafe = { description: 'Café', quantity: 2, unit_price: 1_800 }
const boleta = { tipo_dte: 39, items: [cafe] } as const

const listen = ({ app }: World, port = 0) => app.http.listen({ host: '127.0.0.1', port })

beforeAll(async () => {
  world = await openWorld()
  baseUrl = await listen(world)
  const key = await world.key(await world.account())
  timbre = new Timbre({ key, empresa, baseUrl })
  receiver = await openReceiver()
  await timbre.empresas.create({ rut: empresa, legal_name: 'Panadería San Camilo SpA' })
})
afterAll(async () => {
  await receiver.close()
  await world.close()
})

describe('the SDK and the service', () => {
  it('issue a boleta, wait for the SII and stream its PDF and XML', async () => {
    const document = await timbre.documents.createAndWait(boleta)
    expect(document).toMatchObject({ object: 'document', status: 'accepted', tipo_dte: 39 })
    expect(document.totals.total).toBe(3_600)

    const pdf = await timbre.documents.pdf(document.id, { format: 'ticket_80' })
    expect(pdf.contentType).toBe('application/pdf')
    expect(pdf.filename).toMatch(/\.pdf$/)
    let size = 0
    let head = ''
    for await (const chunk of pdf.stream) {
      if (head === '') head = new TextDecoder().decode(chunk.subarray(0, 5))
      size += chunk.length
    }
    expect(head).toBe('%PDF-')
    expect(size).toBeGreaterThan(1_000)
    expect(await (await timbre.documents.xml(document.id)).text()).toContain('<TipoDTE>39</TipoDTE>')
    expect((await (await timbre.documents.pdf(document.id)).bytes()).length).toBeGreaterThan(1_000)
  })

  it('give the same document for the same key, and say so', async () => {
    const replays: boolean[] = []
    const told = timbre.with({ onAnswer: ({ replayed }) => replays.push(replayed) })
    const [one, two] = [
      await told.documents.create(boleta, { idempotencyKey: 'venta-1' }),
      await told.documents.create(boleta, { idempotencyKey: 'venta-1' }),
    ]
    expect(two.id).toBe(one.id)
    expect(replays).toEqual([false, true])
    const other = told.documents.create({ ...boleta, items: [{ ...cafe, quantity: 3 }] }, { idempotencyKey: 'venta-1' })
    await expect(other).rejects.toMatchObject({ name: 'ConflictError', code: 'idempotency_key_reused' })
  })

  it('go through a list over its pages, each item once', async () => {
    for (let i = 0; i < 3; i++) await timbre.documents.create(boleta)
    const ids: string[] = []
    for await (const { id } of timbre.documents.list({ limit: 2 })) ids.push(id)
    expect(ids.length).toBeGreaterThanOrEqual(4)
    expect(new Set(ids).size).toBe(ids.length)
    const page = await timbre.documents.list({ limit: 100 })
    expect(page.data.map(({ id }) => id)).toEqual(ids)
    expect(page.next()).toBeNull()
  })

  it('let a client with an empresa call every read of the account, which refuses that header', async () => {
    const reads = [
      timbre.account.get(),
      timbre.empresas.list(),
      timbre.events.list({ limit: 1 }),
      timbre.webhookEndpoints.list(),
      timbre.usage.get(),
      timbre.testHelpers.clock.get(),
      timbre.errorCodes.list(),
      timbre.request('GET', '/account'),
      timbre.request('GET', '/documents', { query: { limit: 1 } }),
    ]
    for (const answer of await Promise.all(reads)) expect(answer).toHaveProperty('object')
  })

  it('refuse with the code, the field and a curl line without the key', async () => {
    const error = await timbre.documents
      .create({ tipo_dte: 33, receptor: { rut: '77123456-9', legal_name: 'Ana' }, items: [cafe] })
      .catch((refusal: unknown) => refusal)
    if (!(error instanceof TimbreError)) throw error
    expect(error).toMatchObject({ name: 'InvalidRequestError', code: 'receptor_incomplete', status: 400 })
    expect(error.param).toMatch(/^receptor\./)
    expect(error.requestId).toMatch(/^req_/)
    expect(error.docUrl).toContain('/docs/errors/receptor_incomplete')
    expect(error.curl).not.toContain('sk_test_')
    const wrong = timbre.with({ key: 'sk_test_wrong' }).account.get()
    await expect(wrong).rejects.toMatchObject({ name: 'AuthenticationError', code: 'invalid_api_key' })
    const account = timbre.account.login({ email: 'nadie@example.cl', password: 'una clave cualquiera' })
    await expect(account).rejects.toMatchObject({ name: 'AccountError', code: 'invalid_credentials', status: 401 })
  })

  it('speak as a session under /dashboard', async () => {
    const account_id = await world.account()
    const session = new Timbre({ key: await world.session(account_id), baseUrl })
    expect((await session.account.session()).data).toBeDefined()
    const rut = randomRut()
    await session.empresas.create({ rut, legal_name: 'Sesión SpA' })
    expect((await session.documents.create(boleta, { empresa: rut })).status).toBe('queued')
  })

  it('wait for a job', async () => {
    const job = await timbre.tax.sync({ period: '2026-10' })
    expect((await timbre.jobs.wait(job.id)).status).toBe('succeeded')
  })

  it('prove a real delivery by either set of headers, and refuse it once it was written anew', async () => {
    // Of a type that nothing here makes, so that the ping comes alone.
    const enabled_events = ['folios.expiring']
    const { secret, id } = await timbre.webhookEndpoints.create({ url: receiver.url, enabled_events })
    await timbre.webhookEndpoints.ping(id)
    const [delivery] = await receiver.atLeast(1)
    if (!delivery) throw new Error('nothing arrived')
    const { body, headers } = delivery
    const event = await verify(body, headers, secret)
    expect(event.type).toBe('ping')
    const { 'svc-signature': _, ...standard } = headers
    expect(await verify(body, standard, ['whsec_b3RoZXI=', secret])).toEqual(event)
    const pretty = JSON.stringify(JSON.parse(body), null, 2)
    await expect(verify(pretty, headers, secret)).rejects.toMatchObject({ code: 'body_reserialised' })
    await expect(verify(body.replace('ping', 'pong'), headers, secret)).rejects.toMatchObject({
      code: 'signature_mismatch',
    })
    await timbre.webhookEndpoints.delete(id)
  })

  it('follow the ledger through a restart of the service and of the follower, missing none', async () => {
    const checkpoint = memoryCheckpoint()
    const handled: string[] = []
    const types = ['document.created', 'document.accepted'] as const
    const outages: TimbreError[] = []
    const follow = (client: Timbre, stop: AbortController) =>
      client.events.follow({ types, checkpoint, interval: 50, signal: stop.signal, onOutage: (e) => outages.push(e) })
    const own = await openWorld()
    const url = await listen(own)
    const at = Number(new URL(url).port)
    const key = await own.key(await own.account())
    const client = new Timbre({ key, empresa, baseUrl: url })
    await client.empresas.create({ rut: empresa, legal_name: 'Panadería San Camilo SpA' })

    const made: string[] = []
    const stop = new AbortController()
    const first = (async () => {
      for await (const event of follow(client, stop)) {
        handled.push(`${event.type} ${event.data.object.id}`)
        // It ends in the middle of handling this one.
        if (event.type === 'document.accepted') break
      }
    })()
    await expect.poll(() => checkpoint.load()).not.toBeNull()
    made.push((await client.documents.createAndWait(boleta)).id)
    await first
    made.push((await client.documents.createAndWait(boleta)).id)

    const again = new AbortController()
    const second = (async () => {
      for await (const event of follow(client, again)) handled.push(`${event.type} ${event.data.object.id}`)
    })().catch((error) => error)
    await expect.poll(() => handled.filter((one) => one.endsWith(made[1] ?? '')).length).toBe(2)
    await own.app.http.close()
    await expect.poll(() => outages.length).toBeGreaterThan(0)
    const next = await openWorld({ beside: own })
    await listen(next, at)
    made.push((await client.documents.createAndWait(boleta)).id)
    await expect.poll(() => handled.filter((one) => one.endsWith(made[2] ?? '')).length).toBe(2)
    again.abort()
    expect(await second).toMatchObject({ code: 'aborted' })
    await next.close()
    await own.close()

    // Each of them once, but for the one that was being handled when the first follower ended.
    const expected = made.flatMap((id) => [`document.created ${id}`, `document.accepted ${id}`])
    expect([...new Set(handled)].sort()).toEqual([...expected].sort())
    expect(handled.length).toBe(expected.length + 1)
  })
})

interface Fields {
  readonly properties?: Readonly<Record<string, Fields>>
  readonly items?: Fields
  readonly anyOf?: readonly Fields[]
  readonly contentEncoding?: string
}

/** The names of all fields inside a body. */
function* namesIn({ properties = {}, items, anyOf = [] }: Fields): Generator<readonly [string, Fields]> {
  for (const [name, field] of Object.entries(properties)) {
    yield [name, field]
    yield* namesIn(field)
  }
  for (const inner of items ? [items, ...anyOf] : anyOf) yield* namesIn(inner)
}

describe('the operation table and the SDK', () => {
  const bodies = OPERATIONS.flatMap(({ body }) => (body ? [...namesIn(body as unknown as Fields)] : []))

  it('agree on which fields of a body a curl line leaves out: passwords, tokens and files', () => {
    const secret = bodies.filter(
      ([name, field]) => /password|token|secret|clave|pfx/.test(name) || field.contentEncoding === 'base64',
    )
    const names = [...new Set(secret.map(([name]) => name))].filter((name) => name !== 'xml')
    expect(names).toContain('password')
    expect(names).toContain('caf')
    for (const name of names) {
      const body = JSON.stringify({ deep: [{ [name]: 'hidden' }] })
      expect(curlOf({ method: 'POST', url: 'http://x/', headers: {}, body }), name).not.toContain('hidden')
    }
  })

  it('agree on every method: each operation is there, under its name', () => {
    for (const { id } of OPERATIONS) {
      const path = id.split('.').map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
      const found = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], timbre)
      expect(typeof found, id).toBe('function')
    }
  })
})
