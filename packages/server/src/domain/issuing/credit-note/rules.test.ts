import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { amount, credit, refusal, TEXT } from '../../../../test/support/credit-note.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { accepted, settle } from '../../../../test/support/settle-document.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { newId } from '../../../kernel/id.ts'
import type { DocumentStatus } from '../document/schema.ts'

// No worker: each document is put where its emission would have taken it.
let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

describe('a document that takes no nota de crédito', () => {
  const statuses: readonly DocumentStatus[] = ['queued', 'sent', 'rejected', 'failed']
  it('409 document_not_creditable until the SII accepts it, with its status', async () => {
    for (const status of statuses) {
      const made = await issuer.create(FACTURA)
      await settle(world, made.body.id, status)
      const sent = await credit(issuer, made.body)
      expect(refusal(sent)).toEqual([409, 'document_not_creditable', 'status'])
      expect(sent.body.error.details.status).toBe(status)
    }
  })

  it('201 for one that was accepted with observations', async () => {
    const original = await accepted(world, issuer, FACTURA)
    await settle(world, original.id, 'reparo')
    expect((await credit(issuer, original)).status).toBe(201)
  })

  it('409 names the nota that annuls it, on its way and afterwards, whatever is asked', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const note = await credit(issuer, original)
    for (const body of [{}, amount(1), TEXT]) {
      const sent = await credit(issuer, original, body)
      expect(refusal(sent)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
      expect(sent.body.error.existing_id).toBe(note.body.id)
    }
    await settle(world, note.body.id, 'accepted')
    // One that was observed stays `reparo`: only its nota tells that it is annulled.
    await settle(world, original.id, 'reparo')
    const after = await credit(issuer, original)
    expect([...refusal(after), after.body.error.existing_id]).toEqual([
      409,
      'document_not_creditable',
      'annulled',
      note.body.id,
    ])
    await settle(world, original.id, 'annulled')
    expect(refusal(await credit(issuer, original))).toEqual([409, 'document_not_creditable', 'annulled'])
  })

  it('409 for annulling what is partly credited: the rest is credited by its amount', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const part = await credit(issuer, original, amount(100))
    const sent = await credit(issuer, original)
    expect(refusal(sent)).toEqual([409, 'document_not_creditable', 'partly_credited'])
    expect(sent.body.error.existing_id).toBe(part.body.id)
  })

  it('201 annuls what only had its text corrected', async () => {
    const original = await accepted(world, issuer, FACTURA)
    await credit(issuer, original, TEXT)
    expect((await credit(issuer, original)).status).toBe(201)
  })

  it('409 for a nota de crédito, which a nota de débito annuls', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const note = await credit(issuer, original)
    await settle(world, note.body.id)
    expect(refusal(await credit(issuer, note.body))).toEqual([409, 'document_not_creditable', 'tipo'])
    const debit = { ...FACTURA, tipo_dte: 56, references: [{ document_id: note.body.id, code: 1 }] }
    expect((await issuer.create(debit)).body.annuls).toBe(note.body.id)
  })

  it('409 for a guía that sells nothing, 201 for one that does', async () => {
    const guia = (transfer_type: number, unit_price: number) => ({
      ...FACTURA,
      tipo_dte: 52,
      dispatch: { transfer_type },
      items: [{ description: 'Resma', quantity: 2, unit_price }],
    })
    expect(refusal(await credit(issuer, await accepted(world, issuer, guia(6, 0))))).toEqual([
      409,
      'document_not_creditable',
      'no_amount',
    ])
    expect((await credit(issuer, await accepted(world, issuer, guia(1, 500)))).status).toBe(201)
  })

  it('409 for one whose credit was ceded, unless only its text is corrected; 201 when the cesión failed', async () => {
    const original = await accepted(world, issuer, FACTURA)
    for (const status of ['queued', 'submitted', 'confirmed', 'failed']) {
      await world.db.sql`update document set cesion_status = ${status} where id = ${original.id}`
      expect((await credit(issuer, original, TEXT)).status).toBe(201)
      for (const body of [amount(1), {}]) {
        if (status !== 'failed')
          expect(refusal(await credit(issuer, original, body))).toEqual([409, 'document_not_creditable', 'ceded'])
      }
    }
    expect((await credit(issuer, original)).status).toBe(201)
  })
})

describe('what the request itself may not say', () => {
  it('400 invalid_field names what does not fit the code', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const paramOf = async (body: object) => (await credit(issuer, original, body)).body.error.param
    expect(await paramOf({ code: 1, ...amount(1) })).toBe('items')
    expect(await paramOf({ code: 3 })).toBe('items')
    expect(await paramOf({ code: 2 })).toBe('reason')
    expect(await paramOf({ code: 4 })).toBe('code')
    expect(await paramOf({ code: 3, ...amount(0) })).toBe('items')
    expect(await paramOf(amount(1.00001))).toBe('items[0].unit_price')
    expect(await paramOf({ reason: 'x'.repeat(91) })).toBe('reason')
    expect(await paramOf({ reason: 'con emoji 😀' })).toBe('reason')
    expect(await paramOf({ items: [] })).toBe('items')
  })

  it('404 document_not_found for one of another empresa', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const other = await openIssuer(world, { account: issuer.account })
    expect((await credit(other, original, {})).body.error.code).toBe('document_not_found')
  })

  it('409 external_id_exists names the document that has it', async () => {
    const original = await accepted(world, issuer, { ...FACTURA, external_id: 'pedido-7' })
    const sent = await credit(issuer, original, { external_id: 'pedido-7' })
    expect([sent.status, sent.body.error.code, sent.body.error.existing_id]).toEqual([
      409,
      'external_id_exists',
      original.id,
    ])
    const others = await Promise.all([1, 2, 3].map(() => accepted(world, issuer, FACTURA)))
    const raced = await Promise.all(others.map((one) => credit(issuer, one, { external_id: 'una-sola' })))
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('422 tipo_not_declared for an empresa that issues no notas', async () => {
    const by = await openIssuer(world, { empresa: { doc_types: [33] } })
    const sent = await credit(by, await accepted(world, by, FACTURA), {})
    expect([sent.status, sent.body.error.code]).toEqual([422, 'tipo_not_declared'])
  })
})

describe('in live mode', () => {
  /** A document accepted by the real SII, which this version cannot reach: put there as if it had been. */
  async function liveDocument(plan: string) {
    const account = await world.account({ plan })
    const by = await openIssuer(world, { mode: 'live', account })
    const copied = await accepted(world, issuer, FACTURA)
    const id = newId('document')
    await world.db.sql`
      insert into document select (jsonb_populate_record(d, ${JSON.stringify({ id, account_id: account, empresa_id: by.empresa_id, mode: 'live' })}::jsonb)).*
      from document d where d.id = ${copied.id}`
    return { by, id }
  }

  it('402 subscription_required without a subscription', async () => {
    const { by, id } = await liveDocument('starter')
    const sent = await credit(by, { id }, {})
    expect([sent.status, sent.body.error.code]).toEqual([402, 'subscription_required'])
  })

  it('422 empresa_not_emitting, then empresa_incomplete, for an empresa that cannot emit a nota', async () => {
    const { by, id } = await liveDocument('house')
    const waiting = await credit(by, { id }, {})
    expect([waiting.status, waiting.body.error.code]).toEqual([422, 'empresa_not_emitting'])
    await world.db
      .sql`update empresa set emitting_since = now(), certified_tipos = doc_types, certificate_until = '2099-01-01' where id = ${by.empresa_id}`
    const owner = await world.key(by.account, { mode: 'live', scopes: ['empresas:write'] })
    await world.patch(`/v1/empresas/${by.empresa_id}`, { key: owner, body: { acteco: [620100] } })
    const lacking = await credit(by, { id }, {})
    expect([lacking.status, lacking.body.error.code, lacking.body.error.details]).toEqual([
      422,
      'empresa_incomplete',
      { field: 'giro' },
    ])
  })
})
