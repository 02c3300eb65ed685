import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sharedSessions } from '../src/adapters/sii/sessions.ts'
import { sharedTokens } from '../src/adapters/sii/tokens.ts'
import { localVault } from '../src/adapters/vault/local.ts'
import { ConfigError } from '../src/config.ts'
import { requestReseal } from '../src/custody.ts'
import { revokeSlug } from '../src/domain/platform/agent-grant/revoke.ts'
import { checkMasterKeys } from '../src/domain/platform/custody/check-keys.ts'
import { countSealed } from '../src/domain/platform/custody/remaining.ts'
import { openWeatherStation } from '../src/domain/platform/sii-weather/station.ts'
import { openMetrics } from '../src/http/metrics.ts'
import { type MasterKeys, oneKey } from '../src/kernel/vault.ts'
import { parseMasterKeys } from '../src/master-key.ts'
import { SEALED } from '../src/sealed.ts'
import { grantTo } from './support/agent-grant.ts'
import { type Banked, openBanked } from './support/bank-connection.ts'
import { insertCertificate } from './support/insert-certificate.ts'
import { BOLETA } from './support/issuer.ts'
import { MASTER_KEY } from './support/master-key.ts'
import { openHook } from './support/webhook-endpoint.ts'
import { openWorld, type World } from './support/world.ts'

const SECOND = randomBytes(32)
const BOTH: MasterKeys = {
  current: 2,
  keys: new Map([
    [2, SECOND],
    [1, MASTER_KEY],
  ]),
}
const ONLY_SECOND: MasterKeys = { current: 2, keys: new Map([[2, SECOND]]) }

let before: World
let after: World
let own: Banked
let hook: Awaited<ReturnType<typeof openHook>>
let session: string
let slug: string
let repeated: { request: Parameters<Banked['create']>[1]; body: unknown }

/** The service as it was, with something of each kind in custody; then started again with a second key in front. */
beforeAll(async () => {
  before = await openWorld({ keeps_database: true })
  own = await openBanked(before)
  await own.linked()
  await own.connect()
  await insertCertificate(before, own.empresa_id)
  const credential = { rut: '11111111-1', password: 'secreta' }
  const held = { key: await before.key(own.account, { scopes: ['empresas:write'] }), body: credential }
  await before.post(`/v1/empresas/${own.empresa_id}/sfg_credential`, held)
  const stores = { sql: before.db.sql, vault: localVault(oneKey(MASTER_KEY).keys), realm: 'r' }
  const token_key = { fingerprint: 'x', channel: 'dte', ambiente: 'produccion' } as const
  const expires_at = new Date('2099-01-01T00:00:00Z')
  await sharedTokens(stores).renew(token_key, null, async () => ({ token: 'T', expires_at }))
  const cookies = [] as never
  await sharedSessions(stores).put('x', { kind: 'open', id: 's', cookies, used_at: expires_at })
  hook = await openHook(before)
  await before.post(`${hook.path}/rotate_secret`, { key: hook.key })
  session = await before.session(own.account)
  slug = revokeSlug(before.sessions, (await grantTo(before, own.account)).id)
  const request = { headers: { 'idempotency-key': randomUUID() } }
  const made = await own.create(BOLETA, request)
  repeated = { request, body: made.body }
  const emitted = async () => expect((await own.get(`/v1/documents/${made.body.id}`)).body.status).toBe('accepted')
  await vi.waitFor(emitted, { timeout: 180_000, interval: 50 })
  await before.close()
  after = await openWorld({ beside: before, master_keys: BOTH })
  await after.db.sql`
    insert into job (id, name, payload, due_at, run_at, parked, max_attempts, created_at)
    select 'job_letter', 'mail.send', ${JSON.stringify({ letter_id: 'ltr_x', sealed: letter() })}::json, '9999-01-01', '9999-01-01',
      true, 1, now()`
})
afterAll(async () => {
  await after.close()
  await hook.close()
})

function letter(): string {
  const vault = localVault(oneKey(MASTER_KEY).keys)
  return Buffer.from(vault.seal('mail.send/ltr_x', Buffer.from('{}'))).toString('base64')
}

const as = (request: object = {}) => ({ key: own.key, empresa: own.rut, ...request })
const versions = async () => countSealed(after.db.sql, SEALED)

describe('the keys as they are written', () => {
  const keyOf = (fill: number) => Buffer.alloc(32, fill).toString('base64')

  it('one alone is number 1; of several the first seals', () => {
    expect(parseMasterKeys(keyOf(7), 'MASTER_KEY')).toEqual(oneKey(Buffer.alloc(32, 7)))
    const two = parseMasterKeys(`2:${keyOf(8)},1:${keyOf(7)}\n`, 'MASTER_KEY')
    expect([two.current, [...two.keys.keys()]]).toEqual([2, [2, 1]])
    expect(parseMasterKeys(`1:${keyOf(7)} 2:${keyOf(8)}`, 'MASTER_KEY').current).toBe(1)
  })

  it.each([
    ['two keys of number 1', `${keyOf(7)},${keyOf(8)}`],
    ['32 bytes', '2:c2hvcnQ=,1:c2hvcnQ='],
    ['from 1 to 255', `0:${keyOf(7)}`],
    ['from 1 to 255', `256:${keyOf(7)}`],
  ])('refuses what cannot be meant: %s', (said, text) => {
    expect(() => parseMasterKeys(text, 'MASTER_KEY')).toThrow(ConfigError)
    expect(() => parseMasterKeys(text, 'MASTER_KEY')).toThrow(said)
  })
})

describe('a second key in front of the first', () => {
  it('breaks nothing for whoever holds something of the first', async () => {
    expect((await after.get('/account/session', { session })).status).toBe(200)
    expect((await after.get(`/agentes/${slug}`)).status).toBe(200)
    const again = await after.post('/v1/documents', as({ body: BOLETA, ...repeated.request }))
    expect([again.headers['svc-idempotent-replay'], again.body]).toEqual(['true', repeated.body])
    const made = await after.post('/v1/documents', as({ body: BOLETA, headers: { 'idempotency-key': randomUUID() } }))
    const status = async () => (await after.get(`/v1/documents/${made.body.id}`, as())).body.status
    await expect.poll(status).toBe('accepted')
    const heard = hook.receiver.received.length
    await after.post(`${hook.path}/ping`, { key: hook.key })
    await expect.poll(() => hook.receiver.received.length).toBe(heard + 1)
  })

  it('seals what is new', async () => {
    const body = { url: 'http://127.0.0.1:9/nuevo' }
    const { id } = (await after.post('/v1/webhook_endpoints', { key: hook.key, body })).body
    const [row] = await after.db.sql<{ secret: Buffer }>`select secret from webhook_endpoint where id = ${id}`
    expect(row?.secret[0]).toBe(2)
  })

  it('reaches every kind of thing in custody, in the background, and tells how much is left', async () => {
    expect((await versions()).filter(({ version }) => version === 1).map(({ what }) => what)).toEqual(
      SEALED.map(({ what }) => what),
    )
    await requestReseal(after.app.transactor, BOTH)
    const lasting = SEALED.filter(({ reseal }) => !reseal).map(({ what }) => what)
    const left = async () => (await versions()).filter(({ version }) => version === 1).map(({ what }) => what)
    await expect.poll(left).toEqual(lasting)
    const metrics = openMetrics(after.db, openWeatherStation(after.db.sql), { on_main_port: true })
    const shown = async () =>
      (await metrics.route.answer({ ip: '127.0.0.1' } as Parameters<typeof metrics.route.answer>[0])).body
    await expect.poll(shown).toMatch(/^timbre_sealed_with_old_keys\{version="1"\} [1-9]/m)
    // What was sealed anew opens with the second key alone.
    const rows = await after.db.sql<{ id: string; secret: Buffer }>`select id, secret from webhook_endpoint`
    const vault = localVault(ONLY_SECOND.keys, 2)
    for (const { id, secret } of rows) expect(Buffer.from(vault.open(id, secret)).toString()).toMatch(/^whsec_/)
  })

  it('leaves a job of a newer key to a worker that has it', async () => {
    const { resealAll } = await import('../src/domain/platform/custody/reseal.ts')
    const ctx = { ports: { vault: localVault(oneKey(MASTER_KEY).keys) } } as Parameters<typeof resealAll>[0]
    expect(await resealAll(ctx, { version: 2 }, SEALED)).toBe('not_yet')
  })
})

describe('the start', () => {
  const check = (keys: MasterKeys) => after.db.transact((sql) => checkMasterKeys(sql, keys, SEALED))

  it('is refused with another key under a number that is known', async () => {
    await check(BOTH)
    await expect(
      check({
        current: 2,
        keys: new Map([
          [2, randomBytes(32)],
          [1, MASTER_KEY],
        ]),
      }),
    ).rejects.toThrow('another key under number 2')
  })

  it('is refused while something needs a key that is missing, and says what; and goes on once nothing does', async () => {
    await expect(check(ONLY_SECOND)).rejects.toThrow(/lacks key number 1, which is still needed for .*\d open sessions/)
    await expect(check(oneKey(MASTER_KEY))).rejects.toThrow(/lacks key number 2/)
    const { sql } = after.db
    await sql`update session set revoked_at = now() where key_version = 1`
    await sql`update agent_grant set revoked_at = now() where key_version = 1`
    await sql`delete from idempotency where get_byte(answer, 0) = 1`
    await check(ONLY_SECOND)
    expect(await sql`select version from master_key`).toEqual([{ version: 2 }])
  })
})

describe('what is sealed', () => {
  it('is sealed in these files alone, each reached by a store of sealed.ts or gone within minutes', () => {
    const src = fileURLToPath(new URL('../src/', import.meta.url))
    const sealing = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.ts') && !name.endsWith('.test.ts') && /vault\.seal\(/.test(readFileSync(src + name, 'utf8')),
    )
    expect(sealing.sort()).toEqual([
      'adapters/sii/sessions.ts',
      'adapters/sii/tokens.ts',
      'domain/banking/connection/token.ts',
      'domain/issuing/folio/save-caf.ts',
      'domain/platform/certificate/keep.ts',
      'domain/platform/mail/send.ts',
      'domain/platform/sfg-credential/sfg-credential.ts',
      'domain/platform/webhook/signing.ts',
      'kernel/idempotency.ts',
      'kernel/sealed-payloads.ts',
      'kernel/sealed.ts',
      'mcp/confirmation-token.ts',
      'sandbox/sii/keys.ts',
    ])
  })
})
