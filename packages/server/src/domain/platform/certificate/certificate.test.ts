import { createSign, createVerify, generateKeyPairSync, randomUUID, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { readCaBundle } from '@timbre/dte/emission'
import { addDays, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPfx } from '../../../../../dte/test/support/pfx.ts'
import { MASTER_KEY } from '../../../../test/support/master-key.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import {
  accreditedPfx,
  HOLDER_RUT,
  lockedPersonPfx,
  PKCS8,
  personCertificate,
  personPfx,
  selfSignedPfx,
} from '../../../../test/support/person-pfx.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import { openWorld, randomRut, type Sent, type World } from '../../../../test/support/world.ts'
import { localVault } from '../../../adapters/vault/local.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import type { NewEvent } from '../../../kernel/outbox.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { oneKey } from '../../../kernel/vault.ts'
import type { Sii } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { checkCertificate } from './expiry.ts'
import { openIdentity, recordProven } from './lookup.ts'

const PASSWORD = 'contraseña-del-pfx-9431'
const vault = localVault(oneKey(MASTER_KEY).keys)

let world: World
let account: string
let key: string
let live: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account({ plan: 'house' })
  key = await world.key(account, { scopes: SCOPE_NAMES })
  live = await world.key(account, { mode: 'live', scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

async function empresa(mode: 'test' | 'live' = 'test', more: object = {}): Promise<EmpresaScope> {
  const rut = randomRut()
  const body = { rut, legal_name: 'Viña Maule S.A.', origen: 'mercado', ...more }
  const made = await world.post('/v1/empresas', { key: mode === 'live' ? live : key, body })
  if (mode === 'live') {
    await world.db
      .sql`update empresa set emitting_since = now(), certified_tipos = doc_types where id = ${made.body.id}`
    world.app.cache.invalidate(account)
  }
  return { account_id: account, mode, empresa_id: made.body.id, rut }
}

const as = (scope: EmpresaScope, by?: string) => ({ key: by ?? (scope.mode === 'live' ? live : key) })
const path = (scope: EmpresaScope) => `/v1/empresas/${scope.empresa_id}/certificate`
const read = (scope: EmpresaScope, by?: string) => world.get(path(scope), as(scope, by))
const send = (scope: EmpresaScope, body: object, by?: string) => world.post(path(scope), { ...as(scope, by), body })
const upload = (scope: EmpresaScope, file = personPfx()) => send(scope, { file, password: 'x' })
const refusal = ({ status, body }: Sent) => [status, body.error.code, body.error.details?.reason]
const eventsOf = async ({ rut, mode }: EmpresaScope, type: string) => {
  const { body } = await world.get(`/v1/events?empresa_rut=${rut}&type=${type}`, { key: mode === 'live' ? live : key })
  return body.data.map(({ data }: { data: object }) => data)
}

/** Everything that the database holds, as text, tables of partitions and all. */
async function everything(): Promise<string> {
  const tables = await world.db.sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const texts = await world.db.transact(async (_sql, own) => {
    const found: string[] = []
    for (const { name } of tables) found.push(JSON.stringify((await own.query(`select t::text from "${name}" t`)).rows))
    return found
  })
  return texts.join('\n')
}

describe('POST /v1/empresas/{empresa_id}/certificate', () => {
  it('201 shows who signs for whom, and nothing that signs; GET shows the same', async () => {
    const scope = await empresa()
    const sent = await send(scope, { file: lockedPersonPfx(PASSWORD), password: PASSWORD })
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({
      object: 'certificate',
      mode: 'test',
      status: 'active',
      holder: { rut: HOLDER_RUT, name: 'Ana Soto' },
      empresa_rut: scope.rut,
      mandato_signer: null,
      authority: 'unproven',
      issuer: 'CA de Prueba',
      not_before: '2020-01-01T00:00:00.000Z',
      not_after: '2040-01-01T00:00:00.000Z',
      empresas: [{ id: scope.empresa_id, rut: scope.rut }],
      last_used_at: null,
    })
    expect(sent.body.id).toMatch(/^cert_/)
    expect(sent.body.fingerprint_sha256).toMatch(/^[0-9a-f]{64}$/)
    expect((await read(scope)).body).toEqual(sent.body)
    expect(await eventsOf(scope, 'certificate.uploaded')).toEqual([{ object: sent.body }])
    const evidence = await world.get(`/v1/empresas/${scope.empresa_id}/onboarding/evidence`, { key })
    const document = { version: sent.body.id, sha256: sent.body.fingerprint_sha256 }
    expect(evidence.body.data).toMatchObject([{ act: 'certificate_uploaded', actor: null, document, via: 'api' }])
  })

  it('leaves neither the file, nor its password, nor the key anywhere at rest or in the log', async () => {
    const scope = await empresa()
    const file = lockedPersonPfx(PASSWORD)
    const headers = { 'idempotency-key': randomUUID() }
    const sent = await world.post(path(scope), { key, headers, body: { file, password: PASSWORD } })
    expect(sent.status).toBe(201)
    expect(refusal(await send(scope, { file, password: `${PASSWORD}!` }))[1]).toBe('certificate_password_wrong')
    const kept = (await everything()) + world.log_lines.join('\n')
    // In whole groups of three bytes, so that they read the same inside of a longer base64; a bytea shows as hexadecimal.
    const pfx = Buffer.from(file, 'base64')
    const secrets = [Buffer.from(PASSWORD), PKCS8.subarray(399, 429), pfx.subarray(300, 330)]
    const forms = secrets.flatMap((secret) => {
      const [base64, text] = [secret.toString('base64').replace(/=+$/, ''), secret.toString('utf8')]
      return [secret.toString('hex'), base64, Buffer.from(base64).toString('hex'), text]
    })
    expect(forms.filter((written) => kept.includes(written))).toEqual([])
    const again = await world.post(path(scope), { key, headers, body: { file, password: PASSWORD } })
    expect([again.headers['svc-idempotent-replay'], again.body]).toEqual(['true', sent.body])
  })

  it('takes the same as multipart/form-data, whatever boundary a repetition has', async () => {
    const scope = await empresa()
    const file = Buffer.from(personPfx(), 'base64')
    const idempotency = randomUUID()
    const post = async (fields: Record<string, string | Blob>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      const request = new Request('http://x.test', { method: 'POST', body: form })
      const headers = { 'content-type': request.headers.get('content-type') ?? '', 'idempotency-key': idempotency }
      return world.post(path(scope), { key, headers, raw: Buffer.from(await request.arrayBuffer()) })
    }
    const fields = { file: new Blob([file]), password: 'x' }
    const sent = await post(fields)
    expect([sent.status, sent.body.holder?.rut], sent.text).toEqual([201, HOLDER_RUT])
    expect((await post(fields)).headers['svc-idempotent-replay']).toBe('true')
    expect(refusal(await post({ ...fields, more: 'x' }))[1]).toBe('invalid_field')
    const broken = { key, headers: { 'content-type': 'multipart/form-data; boundary=x' }, raw: 'nothing' }
    expect((await world.post(path(scope), broken)).body.error.code).toBe('invalid_json')
    expect((await world.post('/v1/empresas', broken)).body.error.code).toBe('unsupported_media_type')
  })

  it('400 or 422 with a reason of its own for each file that cannot sign', async () => {
    const scope = await empresa()
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const der = (of: typeof weak) => of.export({ type: 'pkcs8', format: 'der' })
    const year = (n: number) => new Date(`${n}-01-01T00:00:00Z`)
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
    const { issueCertificate } = await import('@timbre/dte')
    const order = {
      rut: HOLDER_RUT,
      holder: 'Ana',
      issuer: 'CA',
      serial: 1,
      valid_from: year(2020),
      valid_until: year(2040),
    }
    const cases: [string, string, number, string][] = [
      ['not_a_pfx', base64(Buffer.from('hola')), 400, 'invalid_certificate'],
      ['too_large', base64(Buffer.alloc(257 * 1024)), 400, 'invalid_certificate'],
      ['no_private_key', base64(plainPfx([], [personCertificate()])), 400, 'invalid_certificate'],
      ['several_keys', base64(plainPfx([PKCS8, der(weak)], [personCertificate()])), 400, 'invalid_certificate'],
      ['no_certificate', base64(plainPfx([der(elliptic)], [personCertificate()])), 400, 'invalid_certificate'],
      ['weak_key', base64(plainPfx([der(weak)], [issueCertificate(order, weak)])), 400, 'invalid_certificate'],
      ['not_for_signing', personPfx({ authority: {} }), 400, 'invalid_certificate'],
      ['no_rut', base64(plainPfx([PKCS8], [personCertificate({ rut: '11111111-2' })])), 400, 'invalid_certificate'],
      ['expired', personPfx({ valid_until: year(2021) }), 422, 'certificate_expired'],
      ['not_yet_valid', personPfx({ valid_from: year(2039) }), 422, 'certificate_not_yet_valid'],
      ['wrong_password', lockedPersonPfx(PASSWORD), 422, 'certificate_password_wrong'],
    ]
    for (const [reason, file, status, code] of cases)
      expect(refusal(await upload(scope, file)), reason).toEqual([status, code, reason])
    for (const body of [{}, { file: 'AAAA' }, { reuse: 'cert_x', password: '' }])
      expect((await send(scope, body)).body.error.code).toBe('invalid_field')
    expect((await read(scope)).body.error.code).toBe('certificate_not_found')
  })

  it('takes what a certificate says of its holder as text that fits a row, whatever is in it', async () => {
    const scope = await empresa()
    const sent = await upload(scope, personPfx({ holder: `Ana\u0000\u0007 ${'x'.repeat(5_000)}` }))
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body.holder.name).toMatch(/^Ana x+$/)
    expect(sent.body.holder.name.length).toBe(200)
  })

  it('takes the place of the one before; of the same person, what the SII said of it stays', async () => {
    const scope = await empresa()
    const first = (await upload(scope)).body
    await recordProven(world.db.sql, scope, first.fingerprint_sha256)
    const second = (await upload(scope)).body
    expect([second.id === first.id, second.authority]).toEqual([false, 'proven'])
    expect((await eventsOf(scope, 'certificate.uploaded'))[0].detail).toEqual({ replaced: first.id })
    const other = await upload(scope, personPfx({ rut: '22222222-2' }))
    expect(other.body).toMatchObject({ holder: { rut: '22222222-2' }, authority: 'unproven' })
  })
})

describe('who vouches for a certificate', () => {
  const judged = async (file: string, live_sii: Sii) => {
    const own = await openWorld({ live_sii, runs_jobs: false })
    const by = await own.key(await own.account({ plan: 'house' }), { mode: 'live', scopes: SCOPE_NAMES })
    const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado' }
    const { id } = (await own.post('/v1/empresas', { key: by, body })).body
    const sent = await own.post(`/v1/empresas/${id}/certificate`, { key: by, body: { file, password: 'x' } })
    await own.close()
    return sent.status === 201 ? sent.body.chain : refusal(sent)
  }

  it('400 in production for itself alone, or for a CA that is not among those of the operator; elsewhere it is shown', async () => {
    const { file, ca } = accreditedPfx()
    const roots = readCaBundle(ca)
    if (!roots.ok) throw new Error(roots.refusal.message)
    const [production, without_roots] = [unconnectedSii(roots.value), unconnectedSii()]
    const simulated = { ...production, tax_effect: false }
    expect(await judged(file, production)).toBe('accredited')
    expect(await judged(file, without_roots)).toBe('unknown')
    const self_signed = selfSignedPfx()
    expect(await judged(self_signed, without_roots)).toEqual([400, 'invalid_certificate', 'self_signed'])
    expect(await judged(self_signed, simulated)).toBe('self_signed')
    const stranger = plainPfx([PKCS8], [personCertificate({ issuer: 'Otra CA' })]).toString('base64')
    expect(await judged(stranger, production)).toEqual([400, 'invalid_certificate', 'issuer_unknown'])
    expect(await judged(stranger, simulated)).toBe('unknown')
  })
})

describe('a certificate that is reused', () => {
  it('is one for all its empresas, each with a copy of its own that no other opens', async () => {
    const [one, two] = [await empresa(), await empresa()]
    const first = (await upload(one)).body
    const second = await send(two, { reuse: first.id })
    const both = [one, two].map(({ empresa_id: id, rut }) => ({ id, rut }))
    expect(second.status, second.text).toBe(201)
    expect(second.body).toMatchObject({ id: first.id, empresa_rut: two.rut, empresas: both })
    expect((await read(one)).body.empresas).toEqual(both)
    const [told] = await eventsOf(two, 'certificate.uploaded')
    expect(told.object.empresas).toEqual([both[1]])
    await world.db.sql`
      update certificate set sealed = (select sealed from certificate where empresa_id = ${one.empresa_id})
      where empresa_id = ${two.empresa_id}`
    await expect(openIdentity(world.db.sql, vault, two)).rejects.toThrow()
    expect((await world.delete(path(two), { key })).status).toBe(204)
    expect((await read(one)).body.empresas).toEqual([both[0]])
    expect(await openIdentity(world.db.sql, vault, one)).toMatchObject({ certificate_id: first.id })
  })

  it('is known by its own bytes: the same file for another empresa is the same certificate', async () => {
    const [one, two] = [await empresa(), await empresa()]
    const file = personPfx()
    expect((await upload(two, file)).body.id).toBe((await upload(one, file)).body.id)
  })

  it('404 of another account, of another mode, and of an empresa that the key does not reach; nor are those told', async () => {
    const [one, two] = [await empresa(), await empresa()]
    const { id } = (await upload(one)).body
    const narrow = await world.key(account, { scopes: SCOPE_NAMES, empresas: [two.rut] })
    const stranger = await world.account()
    const theirs = await world.key(stranger)
    const made = await world.post('/v1/empresas', { key: theirs, body: { rut: randomRut(), legal_name: 'Otra SpA' } })
    const elsewhere = `/v1/empresas/${made.body.id}/certificate`
    const tries = [
      send(two, { reuse: id }, narrow),
      world.post(elsewhere, { key: theirs, body: { reuse: id } }),
      send(await empresa('live'), { reuse: id }),
    ]
    for (const sent of await Promise.all(tries))
      expect(refusal(sent).slice(0, 2)).toEqual([404, 'certificate_not_found'])
    await send(two, { reuse: id })
    expect((await read(two, narrow)).body.empresas).toEqual([{ id: two.empresa_id, rut: two.rut }])
  })
})

describe('DELETE /v1/empresas/{empresa_id}/certificate', () => {
  it('204 purges it for good; then 404', async () => {
    const scope = await empresa()
    const { body } = await upload(scope)
    expect((await world.delete(path(scope), { key })).status).toBe(204)
    const left = await world.db.sql`select 1 from certificate where id = ${body.id}`
    expect(left).toEqual([])
    expect(await openIdentity(world.db.sql, vault, scope)).toBeNull()
    expect((await eventsOf(scope, 'certificate.deleted'))[0].object.id).toBe(body.id)
    expect((await read(scope)).body.error.code).toBe('certificate_not_found')
    expect((await world.delete(path(scope), { key })).body.error.code).toBe('certificate_not_found')
  })

  it('goes with an empresa that is archived, stays closed in one that is suspended, and may be asked for there', async () => {
    const [gone, suspended] = [await empresa('live'), await empresa('live')]
    await Promise.all([upload(gone), upload(suspended)])
    await world.patch(`/v1/empresas/${gone.empresa_id}`, { key: live, body: { status: 'archived' } })
    expect((await read(gone)).body.error.code).toBe('certificate_not_found')
    expect(await eventsOf(gone, 'certificate.deleted')).toHaveLength(1)
    expect(await openIdentity(world.db.sql, vault, suspended)).not.toBeNull()
    await world.db.sql`update empresa set status = 'suspended' where id = ${suspended.empresa_id}`
    world.app.cache.invalidate(account)
    expect(await openIdentity(world.db.sql, vault, suspended)).toBeNull()
    expect((await upload(suspended)).body.error.code).toBe('empresa_inactive')
    expect((await world.delete(path(suspended), { key: live })).status).toBe(204)
  })
})

describe('a live empresa', () => {
  const capabilities = async ({ empresa_id }: EmpresaScope) =>
    (await world.get(`/v1/empresas/${empresa_id}`, { key: live })).body.capabilities
  const preview = ({ rut }: EmpresaScope) =>
    world.post('/v1/documents/previews', { key: live, empresa: rut, body: { tipo_dte: 33, items: [] } })

  it('emits while it has a certificate, and is told what to do when it has none', async () => {
    const scope = await empresa('live')
    const blocked = { can_emit: false, tipos: [], blocked_by: 'certificate' }
    const next = { who: 'customer', api: `POST /empresas/${scope.empresa_id}/certificate`, url: null }
    expect(await capabilities(scope)).toEqual({ ...blocked, next })
    const asked = { key: live, empresa: scope.rut, body: { tipo_dte: 33 } }
    const waiting = await world.post('/v1/folios/requests', asked)
    expect([waiting.status, waiting.body.error.code, waiting.body.error.details.step]).toEqual([
      422,
      'empresa_not_emitting',
      'certificate',
    ])
    await upload(scope)
    expect(await capabilities(scope)).toMatchObject({ can_emit: true, tipos: [33, 56, 61] })
    await world.delete(path(scope), { key: live })
    expect(await capabilities(scope)).toMatchObject(blocked)
    const [removed, added] = await eventsOf(scope, 'empresa.updated')
    expect(removed.previous_attributes.capabilities.can_emit).toBe(true)
    expect(added.previous_attributes.capabilities.can_emit).toBe(false)
    await upload(scope)
    expect((await capabilities(scope)).can_emit).toBe(true)
  })

  it('403 empresa_inactive for whatever needs a certificate that has expired, until there is another', async () => {
    const scope = await empresa('live')
    await upload(scope)
    await world.db.sql`
      with ended as (update certificate set not_after = '2026-01-01' where empresa_id = ${scope.empresa_id})
      update empresa set certificate_until = '2026-01-01' where id = ${scope.empresa_id}`
    world.app.cache.invalidate(account)
    expect(await capabilities(scope)).toMatchObject({ can_emit: false, blocked_by: 'certificate' })
    expect((await read(scope)).body.status).toBe('expired')
    const by = { key: live, empresa: scope.rut }
    const asked = [
      world.post('/v1/folios/requests', { ...by, body: { tipo_dte: 33 } }),
      world.post('/v1/tax/sync', { ...by, body: { period: '2026-09' } }),
      world.post('/v1/received_documents/rcd_x/accept', by),
    ]
    for (const sent of await Promise.all(asked))
      expect(refusal(sent)).toEqual([403, 'empresa_inactive', 'certificate_expired'])
    const items = [{ description: 'Vino', quantity: 1, unit_price: 100 }]
    const body = { tipo_dte: 33, items, receptor: { rut: '77123456-9' } }
    const drafted = await world.post('/v1/documents/previews', { ...by, body })
    expect(refusal(drafted)).toEqual([403, 'empresa_inactive', 'certificate_expired'])
    const elsewhere = await empresa('live')
    const { id } = (await read(scope)).body
    expect((await send(elsewhere, { reuse: id })).body.error.code).toBe('certificate_expired')
    expect((await upload(scope)).status).toBe(201)
    expect((await preview(scope)).body.error.code).not.toBe('empresa_inactive')
  })
})

const END = addDays(santiagoDate(new Date()), 60)
/** Noon, so many days after the certificates below end at noon. */
const afterEnd = (days: number) => new Date(`${addDays(END, days)}T12:00:00Z`)
const ending = () => personPfx({ valid_until: afterEnd(0) })

describe('a sandbox empresa', () => {
  it('rehearses the end of a certificate by its clock, and goes on emitting without one', async () => {
    const scope = await empresa()
    const advance = (days: number) =>
      moveClock(world, key, { empresa_rut: scope.rut, frozen_time: afterEnd(days).toISOString() })
    const status = async () => (await read(scope)).body.status
    await upload(scope, ending())
    await advance(-31)
    expect([await status(), await eventsOf(scope, 'certificate.expiring')]).toEqual(['active', []])
    await advance(-29)
    expect(await status()).toBe('expiring')
    await advance(1)
    const told = await eventsOf(scope, 'certificate.expiring')
    expect(told.map(({ detail }: { detail: object }) => detail)).toEqual([1, 7, 30].map((days_left) => ({ days_left })))
    const [expired, ...more] = await eventsOf(scope, 'certificate.expired')
    expect([expired.object.status, more]).toEqual(['expired', []])
    expect(await status()).toBe('expired')
    const { body } = await world.get(`/v1/empresas/${scope.empresa_id}`, { key })
    expect(body.capabilities.can_emit).toBe(true)
  })
})

describe('the end of a certificate', () => {
  it('is told once however often it is looked at, and after an outage by the last alert that is due', async () => {
    const scope = await empresa()
    const { id } = (await upload(scope, ending())).body
    const told: unknown[] = []
    const look = (days: number, certificate_id = id) => {
      const { sql } = world.db
      const now = () => afterEnd(days)
      const reactions = { onboardingFactsChanged: async () => undefined }
      const tx = { sql, now, reactions, emit: ({ type, detail }: NewEvent) => told.push(detail ?? type) }
      const ctx = { ...scope, ...tx, transact: (work: (tx: unknown) => unknown) => work(tx) }
      return checkCertificate(ctx as unknown as JobContext, { certificate_id })
    }
    expect(await look(-58)).toEqual({ again_at: afterEnd(-30) })
    for (const days of [-6, -6, -29]) await look(days)
    expect(told).toEqual([{ days_left: 7 }])
    expect([await look(2), await look(2), await look(2, 'cert_x')]).toEqual(['done', 'done', 'done'])
    expect(told).toEqual([{ days_left: 7 }, 'certificate.expired'])
  })
})

describe('the identity that signs for an empresa', () => {
  it('signs, meets a server over TLS, is opened once for each row, and is told of as used', async () => {
    const scope = await empresa()
    const uploaded = (await upload(scope)).body
    const open = () => openIdentity(world.db.sql, vault, scope)
    const identity = await open()
    if (!identity) throw new Error('no identity')
    expect(identity).toMatchObject({
      certificate_id: uploaded.id,
      holder_rut: HOLDER_RUT,
      fingerprint_sha256: uploaded.fingerprint_sha256,
    })
    const signature = createSign('RSA-SHA1').update('x').sign(identity.signer.key)
    const { publicKey } = new X509Certificate(identity.tls.cert)
    expect(createVerify('RSA-SHA1').update('x').verify(publicKey, signature)).toBe(true)
    expect(() => createSecureContext(identity.tls)).not.toThrow()
    expect(await open()).toBe(identity)
    const used = (await read(scope)).body.last_used_at
    expect(used).not.toBeNull()
    await open()
    expect((await read(scope)).body.last_used_at).toBe(used)
    // As another process changes it.
    await world.db.sql`
      update certificate set uploaded_at = uploaded_at + interval '1 second' where empresa_id = ${scope.empresa_id}`
    expect(await open()).not.toBe(identity)
    const next = (await upload(scope)).body
    expect(await open()).toMatchObject({ certificate_id: next.id })
    const elsewhere = { ...scope, account_id: await world.account() }
    expect(await openIdentity(world.db.sql, vault, elsewhere)).toBeNull()
  })
})
