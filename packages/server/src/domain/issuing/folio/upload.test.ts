import { createPublicKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { addMonths, isTipoDte, TIPOS } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import { standInSii } from '../../../../test/support/stand-in-sii.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { ambienteOf } from './save-caf.ts'
import { emittingAmbiente } from './store.ts'

let at: FolioWorld
beforeAll(async () => {
  at = await openFolioWorld()
})
afterAll(() => at.world.close())

const RANGE = { first_folio: 1, last_folio: 50 }
const edited = (file: Uint8Array, from: string | RegExp, to: string) =>
  Buffer.from(Buffer.from(file).toString('latin1').replace(from, to), 'latin1')

async function cafsOf(rut: string) {
  return (await at.world.get('/v1/cafs', { key: at.live, empresa: rut })).body.data
}

describe('ambienteOf', () => {
  const scope = { account_id: 'a', mode: 'live', empresa_id: 'e', rut: '76192083-9' } as const
  const where = (only: 'certificacion' | undefined, key_id: number) =>
    ambienteOf({ ports: { sii: { live: { only } } } } as never, scope, { key_id })

  it('counts the folios of production as those to emit with, and of certification where everything is asked there', () => {
    const emitting = emittingAmbiente(scope)
    expect([where(undefined, 300), where('certificacion', 100)]).toEqual([emitting, emitting])
    for (const other of [where(undefined, 100), where('certificacion', 300)]) expect(other).not.toBe(emitting)
  })
})

describe('POST /v1/cafs', () => {
  it('201 keeps the CAF, counts its folios and tells of it', async () => {
    const scope = await at.empresa()
    const sent = await at.upload(scope, at.issue(scope.rut, RANGE))
    expect(sent.status).toBe(201)
    expect(sent.body).toEqual({
      object: 'caf',
      id: expect.stringMatching(/^caf_/),
      mode: 'live',
      ambiente: 'produccion',
      tipo_dte: 33,
      from: 1,
      to: 50,
      next_folio: 1,
      remaining: 50,
      status: 'active',
      source: 'upload',
      authorised_on: day(-14),
      expires_on: addMonths(day(-14), 6),
      expired: false,
      created_at: expect.stringMatching(/Z$/),
      deactivated_at: null,
      annulment: null,
    })
    const [event] = await at.events(scope, 'folios.received')
    expect(event.data).toEqual({
      object: await at.folios(scope),
      detail: { caf_id: sent.body.id, from: 1, to: 50, source: 'upload' },
    })
    expect(event.empresa).toEqual({ id: scope.empresa_id, rut: scope.rut })
  })

  it('201 keeps the file sealed, and nothing that is answered or told shows its key', async () => {
    const scope = await at.empresa()
    const file = at.issue(scope.rut, RANGE)
    const sent = await at.upload(scope, file)
    const key = /-----\s([\s\S]*?)\s-----/.exec(file.toString('latin1'))?.[1]?.slice(0, 40) ?? ''
    expect(key).toHaveLength(40)
    const [row] = await at.world.db.sql<{ sealed: Buffer }>`select sealed from caf where id = ${sent.body.id}`
    expect(row?.sealed.includes(key)).toBe(false)
    const events = await at.world.get(`/v1/events?empresa_rut=${scope.rut}`, { key: at.live })
    for (const text of [sent.text, events.text, at.world.log_lines.join('')]) expect(text).not.toContain(key)
  })

  it('201 replays with the same Idempotency-Key, so a repeated upload is no conflict', async () => {
    const scope = await at.empresa()
    const body = { caf: at.issue(scope.rut, RANGE).toString('base64') }
    const request = { key: at.live, empresa: scope.rut, body, headers: { 'idempotency-key': 'again' } }
    const first = await at.world.post('/v1/cafs', request)
    const second = await at.world.post('/v1/cafs', request)
    expect([second.status, second.headers['svc-idempotent-replay']]).toEqual([201, 'true'])
    expect(second.body).toEqual(first.body)
  })

  it('201 takes tipos whose folios do not lapse without an end', async () => {
    const scope = await at.empresa()
    const sent = await at.upload(scope, at.issue(scope.rut, { ...RANGE, tipo_dte: 39, authorised_on: '2019-01-01' }))
    expect([sent.status, sent.body.expires_on, sent.body.expired]).toEqual([201, null, false])
  })

  it('201 counts the folios of a certification apart, and takes none once the empresa emits', async () => {
    const scope = await at.empresa()
    await at.grant(scope, RANGE)
    const certification = at.issue(scope.rut, { ...RANGE, key_id: 100 })
    const refused = await at.upload(scope, certification)
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
      422,
      'caf_of_another_ambiente',
      'caf',
    ])
    expect(refused.body.error.details).toEqual({ wanted: 'produccion', key_id: 100 })
    await at.world.db.sql`update empresa set emitting_since = null where id = ${scope.empresa_id}`
    const sent = await at.upload(scope, certification)
    expect([sent.status, sent.body.ambiente]).toEqual([201, 'certificacion'])
    expect(await at.folios(scope)).toMatchObject({ available: 50 })
    const looks = await at.world.db.sql`
      select 1 from job where name = 'folio.watch_expiry' and payload ->> 'caf_id' = ${sent.body.id}`
    expect(looks).toEqual([])
  })

  it('400 invalid_field for what is not base64', async () => {
    const scope = await at.empresa()
    for (const caf of ['***', 'YQ', 'data:text/xml;base64,YQ==', 'YQ==\n']) {
      const sent = await at.world.post('/v1/cafs', { key: at.live, empresa: scope.rut, body: { caf } })
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', 'caf'])
    }
  })

  it('400 invalid_caf says which rule the file breaks', async () => {
    const scope = await at.empresa()
    const good = at.issue(scope.rut, RANGE)
    const cases: [Uint8Array, string][] = [
      [Buffer.from('hola'), 'not_well_formed'],
      [Buffer.from('<otra/>'), 'not_a_caf'],
      [edited(good, /<FA>.*<\/FA>/, ''), 'missing_field'],
      [edited(good, '<TD>33', '<TD>110'), 'unknown_tipo'],
      [edited(good, /<RSASK>[\s\S]*<\/RSASK>/, '<RSASK>REDACTED</RSASK>'), 'bad_private_key'],
      [Buffer.alloc(70_000, ' '), 'too_large'],
    ]
    for (const [file, rule] of cases) {
      const sent = await at.upload(scope, file)
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_caf', 'caf'])
      expect(sent.body.error.details).toEqual({ rule })
    }
  })

  it('422 caf_not_signed_by_sii for a CAF that somebody changed, or that somebody else signed', async () => {
    const scope = await at.empresa()
    const good = at.issue(scope.rut, RANGE)
    const stranger = standInSii().issue({ ...RANGE, emisor_rut: scope.rut, tipo_dte: 33, authorised_on: day(-14) })
    const unknown = at.issue(scope.rut, { ...RANGE, key_id: 900 })
    for (const file of [edited(good, '<H>50</H>', '<H>5000</H>'), stranger, unknown]) {
      const sent = await at.upload(scope, file)
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([422, 'caf_not_signed_by_sii', 'caf'])
    }
    expect(await cafsOf(scope.rut)).toEqual([])
  })

  it('422 caf_key_mismatch for the private key of another CAF', async () => {
    const scope = await at.empresa()
    const other = /<RSASK>[\s\S]*<\/RSASK>/.exec(at.issue(scope.rut, RANGE).toString('latin1'))?.[0] ?? ''
    const sent = await at.upload(scope, edited(at.issue(scope.rut, RANGE), /<RSASK>[\s\S]*<\/RSASK>/, other))
    expect([sent.status, sent.body.error.code]).toEqual([422, 'caf_key_mismatch'])
  })

  it('422 caf_of_another_rut names the taxpayer it was given to', async () => {
    const [scope, other] = [await at.empresa(), await at.empresa()]
    const sent = await at.upload(scope, at.issue(other.rut, RANGE))
    expect([sent.status, sent.body.error.code]).toEqual([422, 'caf_of_another_rut'])
    expect(sent.body.error.details).toEqual({ rut: other.rut })
  })

  it('422 caf_expired past its last day', async () => {
    const scope = await at.empresa()
    const sent = await at.upload(scope, at.issue(scope.rut, { ...RANGE, authorised_on: '2020-01-15' }))
    expect([sent.status, sent.body.error.code]).toEqual([422, 'caf_expired'])
    expect(sent.body.error.details).toEqual({ expires_on: '2020-07-15' })
  })

  it('422 tipo_not_declared until the empresa declares it', async () => {
    const scope = await at.empresa()
    const file = at.issue(scope.rut, { ...RANGE, tipo_dte: 52 })
    const refused = await at.upload(scope, file)
    expect([refused.status, refused.body.error.code]).toEqual([422, 'tipo_not_declared'])
    await at.world.patch(`/v1/empresas/${scope.empresa_id}`, { key: at.live, body: { doc_types: [33, 52] } })
    expect((await at.upload(scope, file)).status).toBe(201)
  })

  it('422 tipo_not_available_for_channel where the SII gives the folios itself; boletas are ours', async () => {
    const scope = await at.empresa({ body: { emission_channel: 'sfg', origen: 'gratuito' } })
    const refused = await at.upload(scope, at.issue(scope.rut, RANGE))
    expect([refused.status, refused.body.error.code]).toEqual([422, 'tipo_not_available_for_channel'])
    expect((await at.upload(scope, at.issue(scope.rut, { ...RANGE, tipo_dte: 39 }))).status).toBe(201)
  })

  it('409 caf_overlap names the CAF that holds some of the folios, a deactivated one too', async () => {
    const scope = await at.empresa()
    const existing_id = await at.grant(scope, { first_folio: 11, last_folio: 20 })
    const overlaps = [
      [1, 11],
      [20, 30],
      [12, 13],
      [1, 100],
      [11, 20],
    ] as const
    for (const [first_folio, last_folio] of overlaps) {
      const sent = await at.upload(scope, at.issue(scope.rut, { first_folio, last_folio }))
      expect([sent.status, sent.body.error.code, sent.body.error.existing_id]).toEqual([
        409,
        'caf_overlap',
        existing_id,
      ])
    }
    await at.world.delete(`/v1/cafs/${existing_id}`, { key: at.live, empresa: scope.rut })
    const again = await at.upload(scope, at.issue(scope.rut, { first_folio: 20, last_folio: 30 }))
    expect(again.body.error.existing_id).toBe(existing_id)
    expect((await at.upload(scope, at.issue(scope.rut, { first_folio: 21, last_folio: 30 }))).status).toBe(201)
    expect(
      (await at.upload(scope, at.issue(scope.rut, { first_folio: 15, last_folio: 16, tipo_dte: 34 }))).status,
    ).toBe(201)
  })

  it('409 caf_overlap for all but one of eight that bring the same folios at once', async () => {
    const scope = await at.empresa()
    const files = Array.from({ length: 8 }, (_, i) => at.issue(scope.rut, { first_folio: 1 + i, last_folio: 20 + i }))
    const sent = await Promise.all(files.map((file) => at.upload(scope, file)))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    expect(await cafsOf(scope.rut)).toHaveLength(1)
  })

  it('is held by the database too: overlapping folios cannot be stored at all', async () => {
    const scope = await at.empresa()
    await at.grant(scope, RANGE)
    const copy = at.world.db.sql`
      insert into caf (account_id, empresa_id, mode, id, tipo_dte, ambiente, from_folio, to_folio, next_folio,
        authorised_on, key_id, source, sealed, created_at)
      select account_id, empresa_id, mode, 'caf_copy', tipo_dte, ambiente, 50, 60, 50, authorised_on, key_id, source,
        sealed, created_at from caf where empresa_id = ${scope.empresa_id}`
    await expect(copy).rejects.toThrow('caf_overlap')
  })
})

const SAMPLES = new URL('../../../../../../../shared/sii/samples/', import.meta.url)
const sample = (path: string) => readFileSync(new URL(path, SAMPLES))
const withSamples = existsSync(SAMPLES) ? describe : describe.skip
if (!existsSync(SAMPLES)) console.warn('skipped "CAFs of the reference": the SII reference files are not there')

withSamples('CAFs of the reference', () => {
  it('201 for each of the eight synthetic ones, by the owner they name', async () => {
    const authorityKeys = async () => ({ 100: createPublicKey(sample('synthetic/sii_test_idk100.pub')) })
    const world = await openWorld({ live_sii: { ...unconnectedSii(), authorityKeys } })
    const key = await world.key(await world.account(), { mode: 'live', scopes: SCOPE_NAMES })
    const rut = '76543210-3'
    const doc_types = [33, 34, 39, 41, 46, 52, 56, 61]
    await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Emisor SpA', origen: 'mercado', doc_types } })
    for (const tipo_dte of doc_types) {
      const body = { caf: sample(`synthetic/caf-${tipo_dte}-1-50.xml`).toString('base64') }
      const sent = await world.post('/v1/cafs', { key, empresa: rut, body })
      // Authorised on 2026-10-01: those that lapse will be refused one day.
      const lapsed = isTipoDte(tipo_dte) && TIPOS[tipo_dte].caf_months !== null && day(0) > '2027-04-01'
      if (lapsed) expect(sent.body.error.code).toBe('caf_expired')
      else expect(sent.body).toMatchObject({ tipo_dte, remaining: 50, ambiente: 'certificacion', status: 'active' })
    }
    await world.close()
  })

  it('400 invalid_caf for real ones whose private key was removed: the signature of the SII on them is good', async () => {
    const scope = await at.empresa({ mode: 'test' })
    for (const tipo of [33, 39]) {
      const sent = await at.upload(scope, sample(`caf/caf-certificacion-real-${tipo}-public-part.xml`))
      expect([sent.body.error.code, sent.body.error.details.rule]).toEqual(['invalid_caf', 'bad_private_key'])
    }
  })

  it('422 caf_not_signed_by_sii for an example whose signature was made up', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const sent = await at.upload(scope, sample('caf/niclabs-Autorizacion-33-ejemplo.xml'))
    expect([sent.status, sent.body.error.code]).toEqual([422, 'caf_not_signed_by_sii'])
  })
})
