import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeIdentity } from '../../../../../dte/test/support/keys.ts'
import { day, type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import { gate } from '../../../../test/support/gate.ts'
import { ITEMS, RECEPTOR } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import type { Sent } from '../../../../test/support/world.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type CafAnswer, SignerMissing, type Sii, type SiiVerdict } from '../../../ports/sii.ts'
import { currentTerms } from '../../platform/mandato/terms.ts'
import { resumeEmission } from './resume.ts'

const ACCEPTED: SiiVerdict = { outcome: 'accepted', estado: 'DOK', finding: null, glosa: 'DTE Recibido' }
const { signer } = makeIdentity({ bits: 1024 })

/** Throw where the SII is not to be reached. */
let sends: () => void = () => undefined
let signs: () => void = () => undefined

/** An SII of live mode that takes everything and answers at once. */
const willing: Partial<Sii> = {
  signerFor: async () => {
    signs()
    return signer
  },
  submit: async (sending) => {
    sends()
    return { envelope_key: randomUUID(), track_id: '1', refused: [], ask_at: sending.at }
  },
  statusOf: async ({ documents }) => ({ verdicts: new Map(documents.map(({ id }) => [id, ACCEPTED])), ask_at: null }),
  findByNaturalKey: async () => null,
}

let folios: FolioWorld
beforeAll(async () => {
  folios = await openFolioWorld(willing)
})
afterAll(() => folios.world.close())

const FACTURA = { tipo_dte: 33, receptor: RECEPTOR, items: ITEMS }
const DESCRIBED = {
  giro: 'Viñas',
  acteco: [620100],
  address: { street: 'Camino Real 1', comuna: 'Talca', city: 'Talca' },
  resolucion: { numero: 80, fecha: '2014-08-22' },
}

const create = (scope: EmpresaScope) =>
  folios.world.post('/v1/documents', {
    key: folios.live,
    empresa: scope.rut,
    body: FACTURA,
    headers: { 'idempotency-key': randomUUID() },
  })
const becomes = (scope: EmpresaScope, id: string, status: string): Promise<Sent> =>
  until(`${id} to be ${status}`, async () => {
    const sent = await folios.world.get(`/v1/documents/${id}`, { key: folios.live, empresa: scope.rut })
    return sent.body.status === status && sent
  })

describe('live mode', () => {
  it('queued → failed as folios_exhausted when no folio is left; with a new range a retry goes through', async () => {
    const scope = await folios.empresa({ body: DESCRIBED })
    await folios.grant(scope, { first_folio: 7, last_folio: 7, authorised_on: day(-1) })
    const first = await create(scope)
    expect(first.status, first.text).toBe(201)
    expect((await becomes(scope, first.body.id, 'accepted')).body.folio).toBe(7)
    const second = await create(scope)
    const failed = await becomes(scope, second.body.id, 'failed')
    expect(failed.body).toMatchObject({ folio: null, failure: { code: 'folios_exhausted' } })
    expect(await folios.events(scope, 'document.failed')).toHaveLength(1)
    await folios.grant(scope, { first_folio: 8, last_folio: 9, authorised_on: day(-1) })
    await folios.world.post(`/v1/documents/${second.body.id}/retry`, { key: folios.live, empresa: scope.rut })
    expect((await becomes(scope, second.body.id, 'accepted')).body.folio).toBe(8)
  })

  it('stays queued while the SII is asked for folios, goes as soon as they come, and fails once the SII gives none', async () => {
    const scope = await folios.empresa({ body: DESCRIBED })
    await folios.grant(scope, { first_folio: 7, last_folio: 7, authorised_on: day(-1) })
    await becomes(scope, (await create(scope)).body.id, 'accepted')
    const ask = () =>
      folios.world.post('/v1/folios/requests', {
        key: folios.live,
        empresa: scope.rut,
        body: { tipo_dte: 33, quantity: 1 },
        headers: { 'idempotency-key': randomUUID() },
      })
    /** Issues a document while the SII is being asked, and lets it answer once the document has been looked at. */
    const issueWhileAsking = async (answer: CafAnswer | null) => {
      const held = gate()
      const granted = folios.live_sii.answer
      folios.live_sii.answer = async (request) => {
        await held.stand()
        folios.live_sii.answer = granted
        return answer ?? granted(request)
      }
      expect((await ask()).status).toBe(202)
      await until('the SII to be asked', held.reached)
      const { id } = (await create(scope)).body
      await until('its job to have looked', async () => {
        const [job] = await folios.world.db.sql`select from job where payload ->> 'document_id' = ${id} and looks > 0`
        return job !== undefined
      })
      expect((await becomes(scope, id, 'queued')).body.failure).toBe(null)
      held.open()
      return id
    }
    const first = await issueWhileAsking(null)
    expect((await becomes(scope, first, 'accepted')).body.folio).toBe(8)
    const refused = await issueWhileAsking({ granted: false, sentence: 'NO AUTORIZADO', reason: 'not_authorised' })
    await until(
      'the request to have failed',
      async () => (await folios.events(scope, 'folios.request_failed')).length > 0,
    )
    await folios.world.db.transact((sql) => resumeEmission({ sql }, scope))
    folios.world.app.worker.wake()
    expect((await becomes(scope, refused, 'failed')).body.failure.code).toBe('folios_exhausted')
  })

  it('queued → failed as empresa_inactive without a certificate, and no folio is drawn; with one a retry goes through', async () => {
    const scope = await folios.empresa({ body: DESCRIBED })
    const certified = async (until: string | null) => {
      await folios.world.db.sql`update empresa set certificate_until = ${until} where id = ${scope.empresa_id}`
      folios.world.app.cache.invalidate(scope.account_id)
    }
    const { id } = (await create(scope)).body
    await becomes(scope, id, 'failed')
    await folios.grant(scope, { first_folio: 1, last_folio: 5, authorised_on: day(-1) })
    const retry = () => folios.world.post(`/v1/documents/${id}/retry`, { key: folios.live, empresa: scope.rut })
    await certified(null)
    expect((await retry()).body.status).toBe('queued')
    const failed = await becomes(scope, id, 'failed')
    expect(failed.body).toMatchObject({ folio: null, failure: { code: 'empresa_inactive' } })
    await certified('2026-01-01')
    expect((await retry()).body.error).toMatchObject({
      code: 'empresa_inactive',
      details: { reason: 'certificate_expired' },
    })
    await certified('2099-01-01')
    await retry()
    expect((await becomes(scope, id, 'accepted')).body.folio).toBe(1)
  })

  it('a revoked mandato fails what is not signed, and what is signed, which the SII may hold, waits until it is signed again', async () => {
    const scope = await folios.empresa({ body: DESCRIBED })
    await folios.grant(scope, { first_folio: 1, last_folio: 5, authorised_on: day(-1) })
    const request = { key: folios.live }
    const path = `/v1/empresas/${scope.empresa_id}/mandato`
    const signer = { rut: '11111111-1', name: 'Ana Soto', role: 'representante_legal' }
    await folios.world.post(path, { ...request, body: { terms_version: currentTerms().version, signer } })
    const revoked = async () => expect((await folios.world.delete(path, request)).status).toBe(204)
    const signedAgain = async () => expect((await folios.world.post(path, request)).status).toBe(201)
    let tries = 0
    const away = () => {
      tries++
      throw new SignerMissing()
    }
    /** Runs what waits for its next try. */
    const triedAgain = async () => {
      tries = 0
      await folios.world.db.transact((sql) => resumeEmission({ sql }, scope))
    }
    signs = away
    const unsigned = (await create(scope)).body.id
    await until('it to wait for its signature', async () => tries > 0)
    await revoked()
    await triedAgain()
    expect((await becomes(scope, unsigned, 'failed')).body.failure.code).toBe('empresa_inactive')
    signs = () => undefined
    await signedAgain()

    sends = away
    tries = 0
    const signed = (await create(scope)).body.id
    await until('it to be signed', async () => tries > 0)
    await revoked()
    await triedAgain()
    await until('it to be tried again', async () => tries > 0)
    sends = () => undefined
    await becomes(scope, signed, 'queued')
    await signedAgain()
    await becomes(scope, signed, 'accepted')
  })

  it('queued → failed as build_refused for an empresa that declared no resolución to send under', async () => {
    const { resolucion: _, ...body } = DESCRIBED
    const scope = await folios.empresa({ body })
    await folios.grant(scope, { first_folio: 1, last_folio: 5, authorised_on: day(-1) })
    const made = await create(scope)
    const failed = await becomes(scope, made.body.id, 'failed')
    expect(failed.body).toMatchObject({ folio: 1, failure: { code: 'build_refused' } })
  })
})
