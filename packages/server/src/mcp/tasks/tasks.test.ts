import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc, useTool } from '../../../test/support/agent-grant.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../test/support/issuer.ts'
import { moveClock } from '../../../test/support/move-clock.ts'
import { accepted } from '../../../test/support/settle-document.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import type { Document } from '../../domain/issuing/document/schema.ts'
import { systemNow } from '../../kernel/clock.ts'
import { TASKS } from './all.ts'
import { readReference } from './find.ts'

let world: World
let issuer: Issuer
let token: string
let factura: Document

const use = async (tool: string, given: object = {}) => (await useTool(world, token, tool, given)).structuredContent
/** Both steps of an act: what was shown, then what was done. */
async function agreed(tool: string, given: object) {
  const shown = await use(tool, given)
  expect(shown.confirmation_required, JSON.stringify(shown)).toBe(true)
  return use(tool, { ...given, confirmation: shown.confirmation.token })
}

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  token = (await grantTo(world, issuer.account)).token
  const body = { ...FACTURA, payment: { form: 'credit', due_date: '2030-01-31' } }
  factura = await accepted(world, issuer, body)
})
afterAll(() => world.close())

describe('a document as people name it', () => {
  it('is a kind and a number in many spellings', () => {
    expect(readReference('factura 1.234')).toEqual({ tipo_dte: 33, folio: 1234 })
    expect(readReference('la Factura exenta N° 7')).toEqual({ tipo_dte: 34, folio: 7 })
    expect(readReference('Guía de despacho 12')).toEqual({ tipo_dte: 52, folio: 12 })
    expect(readReference('nota de crédito 3')).toEqual({ tipo_dte: 61, folio: 3 })
    expect(readReference('39-15')).toEqual({ tipo_dte: 39, folio: 15 })
    expect(readReference('33')).toEqual({ folio: 33 })
    expect(readReference('la última')).toBeNull()
  })

  it('comes with its state and a link to its PDF, which is read as a resource under the same scopes', async () => {
    const { content, structuredContent } = await useTool(world, token, 'get_document', {
      document: `factura ${factura.folio}`,
    })
    expect(structuredContent).toMatchObject({
      id: factura.id,
      status: 'accepted',
      said: expect.stringContaining('aceptada'),
    })
    const link = content[1] as unknown as { type: string; uri: string }
    expect(link.type).toBe('resource_link')
    const read = await rpc(world, token, 'resources/read', { uri: link.uri })
    const [file] = read.body.result.contents
    expect(Buffer.from(file.blob, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
    const { token: blind } = await grantTo(world, issuer.account, { scopes: ['empresas:read'] })
    expect((await rpc(world, blind, 'resources/read', { uri: link.uri })).body.error.message).toContain(
      'insufficient_scope',
    )
  })

  it('404 document_not_found where there is none, 400 invalid_field where it is no name', async () => {
    expect((await use('get_document', { document: 'factura 999999' })).error.code).toBe('document_not_found')
    expect((await use('get_document', { document: 'la última' })).error).toMatchObject({
      code: 'invalid_field',
      param: 'document',
    })
  })
})

describe('a time that is none', () => {
  const taking = (...names: string[]) =>
    TASKS.filter(({ listed }) => names.every((name) => name in (listed.inputSchema.properties as object)))

  it('400 invalid_field at `from` where it is later than `to`, by every task that takes both', async () => {
    const tasks = taking('from', 'to').map(({ listed }) => listed.name)
    expect(tasks).toEqual(expect.arrayContaining(['find_documents', 'find_received_documents', 'reconcile_payments']))
    for (const name of tasks) {
      const { error } = await use(name, { from: '2026-02-01', to: '2026-01-01' })
      expect([name, error?.code, error?.param]).toEqual([name, 'invalid_field', 'from'])
      expect((await use(name, { from: '2026-01-01', to: '2026-01-01' })).error).toBeUndefined()
    }
  })

  it('400 invalid_field in words for a month that does not exist', async () => {
    for (const { listed } of taking('period')) {
      const { error } = await use(listed.name, { period: '2026-13', ...(listed.name === 'file_f29' && { total: 0 }) })
      expect([listed.name, error]).toMatchObject([
        listed.name,
        { code: 'invalid_field', param: 'period', message: 'period: it must be a month that exists, as YYYY-MM.' },
      ])
    }
  })
})

describe('money', () => {
  it('is told by who owes it, in pesos as people write them, and a payment takes it down', async () => {
    const before = await use('who_owes_me')
    expect(before).toMatchObject({ count: 1, pending_amount: factura.totals.total, clients: [{ rut: RECEPTOR.rut }] })
    expect(before.said).toContain('$ 5.950')
    const paid = await use('record_payment', { document: `factura ${factura.folio}`, amount: 950, method: 'cash' })
    expect(paid).toMatchObject({ amount: 950, left: factura.totals.total - 950 })
    expect((await use('who_owes_me', { client: 'Pérez' })).documents).toMatchObject([
      { id: factura.id, pending_amount: 5000 },
    ])
    expect((await use('who_owes_me', { client: 'Gómez' })).count).toBe(0)
  })
})

describe('a client', () => {
  it('is found by RUT and by name, with what is missing for a factura, also where no register is loaded', async () => {
    const rut = '76086428-5'
    expect((await use('find_receptor', { who: rut })).missing_for_a_factura).toEqual([
      'legal_name',
      'giro',
      'street',
      'comuna',
    ])
    const given = { rut, legal_name: 'Maderas del Sur SpA', giro: 'Maderas', street: 'Los Pinos 120', comuna: 'Talca' }
    await agreed('save_receptor', given)
    expect((await use('find_receptor', { who: 'maderas sur' })).found).toMatchObject([{ rut }])
    expect((await use('find_receptor', { who: '76.086.428-5' })).said).toContain('se le puede facturar')
  })

  it('is invoiced by name alone once it is in the address book, and refused by a name that nobody has', async () => {
    const items = [{ description: 'Tablas', quantity: 1, unit_price: 10_000 }]
    const done = await agreed('issue_document', { tipo_dte: 33, receptor: 'Maderas', items })
    expect(done).toMatchObject({ total: 11_900, said: expect.stringContaining('Maderas del Sur SpA') })
    const nobody = await use('issue_document', { tipo_dte: 33, receptor: 'Nadie', items })
    expect(nobody.error).toMatchObject({ code: 'invalid_field', param: 'receptor' })
  })
})

describe('a supplier', () => {
  it('is answered by the number of its document, in two steps', async () => {
    const emisor = { rut: '76543210-3', legal_name: 'Molinos del Maipo S.A.', giro: 'Molienda' }
    const document = { tipo_dte: 33, folio: 8120, emisor, payment: { form: 'credit' } }
    expect((await issuer.post('/v1/test_helpers/received_documents', { document })).status).toBeLessThan(300)
    await expect.poll(async () => (await use('documents_to_answer')).count).toBe(1)
    expect((await use('documents_to_answer')).documents[0]).toMatchObject({
      folio: 8120,
      days_left: expect.any(Number),
    })
    const done = await agreed('answer_supplier', { document: 'factura 8120', supplier: 'Molinos', answer: 'accept' })
    expect(done).toMatchObject({ done: 'Aceptada', status: 'accepted' })
    expect((await use('documents_to_answer')).count).toBe(0)
  })
})

describe('lists', () => {
  it('add up what they show, over several statuses in one question, and tell all of it when asked', async () => {
    const found = await use('find_documents', { status: ['accepted', 'rejected'], receptor: RECEPTOR.rut })
    expect(found).toMatchObject({ count: 1, total: factura.totals.total, by_status: { accepted: { count: 1 } } })
    expect(found.documents[0].receptor).toBeUndefined()
    const full = await use('find_documents', { receptor: RECEPTOR.rut, detail: 'full' })
    expect(full.documents[0].receptor.rut).toBe(RECEPTOR.rut)
  })

  it('over several statuses come newest first, also of documents made at one instant of a clock that stands still', async () => {
    const own = await openIssuer(world)
    await moveClock(world, own.key, { frozen_time: new Date(systemNow() + 3_600_000).toISOString() })
    const made: string[] = []
    for (let i = 0; i < 3; i++) made.unshift((await own.create(FACTURA)).body.id)
    const { token: theirs } = await grantTo(world, own.account)
    const found = await useTool(world, theirs, 'find_documents', { status: ['accepted', 'queued', 'sent'] })
    expect(found.structuredContent.documents.map(({ id }: Document) => id)).toEqual(made)
  })

  it('of what needs a person, of folios and of the month answer for an empresa with little in it', async () => {
    expect((await use('needs_attention')).said).toEqual(expect.any(String))
    expect((await use('folios_left')).folios.map(({ tipo_dte }: { tipo_dte: number }) => tipo_dte)).toContain(33)
    expect(await use('reconcile_payments')).toMatchObject({ count: 0, total: 0 })
    expect((await use('refused_documents')).count).toBe(0)
    expect((await use('whom_i_owe')).said).toContain('Debes')
    expect((await use('my_empresas')).empresas).toMatchObject([{ rut: issuer.rut }])
  })
})

it('a boleta for nobody in particular is told without the RUT that stands for nobody', async () => {
  const own = await openIssuer(world)
  const { token: theirs } = await grantTo(world, own.account)
  await own.create({ tipo_dte: 39, items: [{ description: 'Pan', quantity: 1, unit_price: 500 }] })
  const [{ said }] = (await useTool(world, theirs, 'find_documents', {})).structuredContent.documents
  expect(said).toMatch(/^Boleta electrónica (?:\d+|sin folio todavía) por \$/)
})

it('what needs a person is told as one thing where it is one', async () => {
  const own = await openIssuer(world)
  const { token: theirs } = await grantTo(world, own.account)
  const told = async () => (await useTool(world, theirs, 'needs_attention', {})).structuredContent.said
  for (const words of [
    '1 documento rechazado o que no se pudo enviar',
    '2 documentos rechazados o que no se pudieron enviar',
  ]) {
    const { id } = (await own.create(FACTURA)).body
    await world.db.sql`update document set status = 'failed' where id = ${id}`
    expect(await told()).toContain(words)
  }
})

it('the IVA of a month is not zero but unknown until the register was read from the SII', async () => {
  const unread = await use('tax_month', { period: '2026-10' })
  expect(unread).toMatchObject({ period: '2026-10', next: expect.stringContaining('tax_sync') })
  expect(unread.said).toBe('IVA de 2026-10: todavía no se sabe, porque el registro de ese mes no se ha leído del SII')
  expect(Object.keys(unread)).not.toContain('iva_debit')
  await world.db.sql`
    insert into rcv_sync (account_id, empresa_id, mode, period, last_synced_at)
    values (${issuer.account}, ${issuer.empresa_id}, 'test', '2026-10', now())`
  expect(await use('tax_month', { period: '2026-10' })).toMatchObject({ iva_debit: 0, iva_credit: 0, iva_net: 0 })
})

describe('a mistake', () => {
  it('400 invalid_field names an argument that no task takes, and one that lacks', async () => {
    expect((await use('who_owes_me', { cliente: 'x' })).error).toMatchObject({
      code: 'invalid_field',
      param: 'cliente',
    })
    expect((await use('issue_document', { tipo_dte: 39 })).error).toMatchObject({
      code: 'invalid_field',
      param: 'items',
    })
  })
})
