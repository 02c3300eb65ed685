import { addDays, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, useTool } from '../../../../test/support/agent-grant.ts'
import { line, movementOf, openBankWorld, tell } from '../../../../test/support/bank-movements.ts'
import { credit, amount as crediting } from '../../../../test/support/credit-note.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { accepted, settle } from '../../../../test/support/settle-document.ts'
import type { Sent, World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'

let world: World
beforeAll(async () => {
  world = await openBankWorld()
})
afterAll(() => world.close())

const TODAY = santiagoDate(new Date(systemNow()))
// 2 × 2.500 = 5.000 net; IVA 19 % 950; in all 5.950.
const TOTAL = 5_950
const SUPPLIER = '76192083-9'

const pay = (whose: Issuer, id: string, body: object = {}) => whose.post(`/v1/documents/${id}/payments`, body)
const stateOf = async (whose: Issuer, id: string, of = 'documents') => {
  const { pending_amount, paid, paid_at } = (await whose.get(`/v1/${of}/${id}`)).body
  expect(paid_at !== null).toBe(paid)
  return [pending_amount, paid]
}
const refusal = ({ status, body }: Sent) => [status, body.error.code, body.error.param ?? body.error.details?.reason]
const told = async ({ account }: Issuer, type: string) => {
  const key = await world.key(account, { scopes: ['webhooks:read'] })
  return (await world.get(`/v1/events?type=${type}`, { key })).body.data
}

describe('payments outside the bank', () => {
  it('201 until nothing is pending; told once; one taken back is pending again', async () => {
    const own = await openIssuer(world)
    const made = await accepted(world, own, FACTURA)
    // Ley 19.983, art. 2: thirty days where nothing else was agreed.
    expect(made).toMatchObject({ due_date: addDays(made.issue_date, 30), paid: false, pending_amount: TOTAL })
    const first = await pay(own, made.id, { amount: 2_000, method: 'cash', note: 'Caja chica' })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ object: 'payment', document_id: made.id, amount: 2_000, paid_on: TODAY })
    // 5.950 − 2.000 = 3.950.
    expect(await stateOf(own, made.id)).toEqual([3_950, false])
    const over = await pay(own, made.id, { amount: 3_951 })
    expect(refusal(over)).toEqual([422, 'payment_exceeds_pending', 'amount'])
    expect(over.body.error.details).toEqual({ pending_amount: 3_950 })
    const rest = await pay(own, made.id)
    expect(rest.body.amount).toBe(3_950)
    expect(await stateOf(own, made.id)).toEqual([0, true])
    expect(refusal(await pay(own, made.id))).toEqual([409, 'nothing_pending', 'paid'])
    expect(await told(own, 'document.paid')).toMatchObject([
      { data: { object: { id: made.id, paid: true, pending_amount: 0 } } },
    ])
    const path = `/v1/documents/${made.id}/payments`
    expect((await own.get(path)).body.data).toEqual([rest.body, first.body])
    expect((await own.delete(`${path}/${rest.body.id}`)).status).toBe(204)
    expect(await stateOf(own, made.id)).toEqual([3_950, false])
    expect(refusal(await own.delete(`${path}/${rest.body.id}`)).slice(0, 2)).toEqual([404, 'payment_not_found'])
    const ahead = await pay(own, made.id, { paid_on: addDays(TODAY, 3) })
    expect(refusal(ahead)).toEqual([400, 'invalid_field', 'paid_on'])
  })

  it('two at once never pay more than is pending, and a replay pays once', async () => {
    const own = await openIssuer(world)
    const { id } = await accepted(world, own, FACTURA)
    // Twice 4.000 is more than 5.950.
    const both = await Promise.all([pay(own, id, { amount: 4_000 }), pay(own, id, { amount: 4_000 })])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
    const headers = { 'idempotency-key': 'pago-1' }
    const again = [1, 2].map(() => own.post(`/v1/documents/${id}/payments`, { amount: 1_000 }, { headers }))
    const [one, two] = await Promise.all(again)
    const made = [one, two].filter((sent) => sent?.status === 201)
    expect(new Set(made.map((sent) => sent?.body.id)).size).toBe(1)
    // 5.950 − 4.000 − 1.000 = 950.
    expect(await stateOf(own, id)).toEqual([950, false])
  })

  it('an agent records none beyond the caps of its grant, by document or by day', async () => {
    const own = await openIssuer(world)
    const { id } = await accepted(world, own, FACTURA)
    const { token } = await grantTo(world, own.account, { max_clp_per_document: 3_000, max_clp_per_day: 4_000 })
    const record = async (amount?: number) => {
      const args = { empresa_rut: own.rut, document_id: id, ...(amount !== undefined && { amount }) }
      const { structuredContent } = await useTool(world, token, 'documents_payments_create', args)
      return structuredContent.error?.details?.limit ?? structuredContent.error?.code ?? structuredContent.amount
    }
    expect([await record(), await record(3_000), await record(1_001), await record(1_000)]).toEqual([
      'max_clp_per_document',
      3_000,
      'max_clp_per_day',
      1_000,
    ])
  })

  it('a boleta, and what was rejected or annulled, owes nothing', async () => {
    const own = await openIssuer(world)
    const boleta = await accepted(world, own, { tipo_dte: 39, items: [{ description: 'Café', unit_price: 1_990 }] })
    expect(boleta).toMatchObject({ due_date: null, paid: false, pending_amount: 0 })
    expect(refusal(await pay(own, boleta.id))).toEqual([409, 'nothing_pending', 'not_owed'])
    const { id } = await accepted(world, own, FACTURA)
    for (const status of ['rejected', 'failed', 'annulled'] as const) {
      await settle(world, id, status)
      expect(await stateOf(own, id)).toEqual([0, false])
    }
    expect((await own.get('/v1/receivables')).body.data).toEqual([])
  })
})

describe('notas', () => {
  it('a nota de crédito takes off what it says once the SII took it, and gives it back when it is annulled', async () => {
    const own = await openIssuer(world)
    const { id } = await accepted(world, own, FACTURA)
    const nota = (await credit(own, { id }, crediting(1_000))).body
    expect(await stateOf(own, id)).toEqual([TOTAL, false])
    await settle(world, nota.id)
    // 1.000 and its IVA 190: 5.950 − 1.190 = 4.760.
    expect(await stateOf(own, id)).toEqual([4_760, false])
    expect(await stateOf(own, nota.id)).toEqual([0, false])
    await pay(own, id, { amount: 4_760 })
    expect(await stateOf(own, id)).toEqual([0, true])
    await settle(world, nota.id, 'annulled')
    expect(await stateOf(own, id)).toEqual([1_190, false])
  })

  it('a nota de débito is owed beside its factura; one that gives a nota de crédito back is not', async () => {
    const own = await openIssuer(world)
    const factura = await accepted(world, own, FACTURA)
    const nota = (await credit(own, factura, crediting(1_000))).body
    await settle(world, nota.id)
    const debit = (document_id: string, code: number) => ({
      ...FACTURA,
      tipo_dte: 56,
      items: [{ description: 'Diferencia', unit_price: 1_000 }],
      references: [{ document_id, code, reason: 'Diferencia' }],
    })
    const more = await accepted(world, own, debit(factura.id, 3))
    expect(await stateOf(own, more.id)).toEqual([1_190, false])
    const back = await accepted(world, own, debit(nota.id, 3))
    expect(await stateOf(own, back.id)).toEqual([0, false])
    expect(await stateOf(own, factura.id)).toEqual([TOTAL, false])
    const [one] = (await own.get('/v1/receivables')).body.data
    // 5.950 of the factura and 1.190 of the nota de débito.
    expect(one).toMatchObject({ documents: 2, pending_amount: 7_140, not_due: 7_140 })
  })
})

describe('movements of a bank', () => {
  it('a match pays and is told, an unmatch opens it again, and neither pays what was recorded by hand', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = await accepted(world, own, FACTURA)
    await pay(own, document_id, { amount: 950 })
    const one = line({ post_date: TODAY, amount: TOTAL, counterparty_rut: RECEPTOR.rut })
    await tell(world, own, [one])
    const { id } = (await movementOf(world, own, one.external_id)).body
    const matched = await own.post(`/v1/tax/movements/${id}/match`, { document_id })
    // 5.950 − 950 = 5.000 is all that it may pay.
    expect(matched.body.match.targets).toMatchObject([{ document_id, amount: 5_000 }])
    expect(await stateOf(own, document_id)).toEqual([0, true])
    expect(await told(own, 'document.paid')).toHaveLength(1)
    await own.post(`/v1/tax/movements/${id}/unmatch`)
    expect(await stateOf(own, document_id)).toEqual([5_000, false])
  })

  it('a movement that its bank takes back pays nothing', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = await accepted(world, own, FACTURA)
    const one = line({ post_date: TODAY, amount: 5_000, counterparty_rut: RECEPTOR.rut })
    await tell(world, own, [one])
    const { id } = (await movementOf(world, own, one.external_id)).body
    await own.post(`/v1/tax/movements/${id}/match`, { document_id })
    // 5.950 − 5.000 = 950.
    expect(await stateOf(own, document_id)).toEqual([950, false])
    await tell(world, own, [], [one.external_id ?? ''])
    expect(await stateOf(own, document_id)).toEqual([TOTAL, false])
  })
})

describe('documents of suppliers', () => {
  const receive = async (whose: Issuer, document: object) => {
    const emisor = { rut: SUPPLIER, legal_name: 'Molinos del Sur SpA' }
    const sent = await whose.post('/v1/test_helpers/received_documents', { document: { emisor, ...document } })
    expect(sent.status, sent.text).toBeLessThan(300)
    return sent.body
  }
  const goods = (unit_price: number) => [{ description: 'Harina', quantity: 1, unit_price }]

  it('are owed less their notas, paid and claimed as ours are, and fall overdue once by the clock', async () => {
    const own = await openIssuer(world)
    const factura = await receive(own, { tipo_dte: 33, folio: 901, items: goods(100_000) })
    expect(factura).toMatchObject({ due_date: addDays(factura.issue_date, 30), pending_amount: 119_000, paid: false })
    const references = [{ tipo_dte: 33, folio: 901, date: factura.issue_date, code: 3, reason: 'Merma' }]
    const nota = await receive(own, { tipo_dte: 61, folio: 11, items: goods(10_000), references })
    expect(nota.pending_amount).toBe(0)
    // 119.000 − 11.900 = 107.100.
    expect(await stateOf(own, factura.id, 'received_documents')).toEqual([107_100, false])
    const path = `/v1/received_documents/${factura.id}/payments`
    expect((await own.post(path, { amount: 7_100, method: 'cheque' })).body).toMatchObject({
      document_id: null,
      received_document_id: factura.id,
    })
    expect(refusal(await own.post(path, { amount: 100_001 }))).toEqual([422, 'payment_exceeds_pending', 'amount'])
    const open = (await own.get(`/v1/payables?counterparty_rut=${SUPPLIER}`)).body.data
    expect(open).toMatchObject([{ object: 'payable', documents: 1, pending_amount: 100_000, not_due: 100_000 }])

    const key = await world.key(own.account)
    const move = (advance: string) => moveClock(world, key, { empresa_rut: own.rut, advance })
    const overdue = () => told(own, 'received_document.overdue')
    await move('P29D')
    expect(await overdue()).toEqual([])
    for (const days of ['P3D', 'P5D']) {
      await move(days)
      await expect.poll(async () => (await overdue()).length).toBe(1)
    }
    expect((await overdue())[0].data.object).toMatchObject({ id: factura.id, pending_amount: 100_000 })
    expect((await own.get('/v1/payables')).body.data).toMatchObject([{ overdue_1_30: 100_000, not_due: 0 }])

    const last = await own.post(path)
    expect(await stateOf(own, factura.id, 'received_documents')).toEqual([0, true])
    expect(refusal(await own.post(path))).toEqual([409, 'nothing_pending', 'paid'])
    expect(await told(own, 'received_document.paid')).toHaveLength(1)
    expect((await own.delete(`${path}/${last.body.id}`)).status).toBe(204)
    expect(refusal(await own.delete(`${path}/${last.body.id}`)).slice(0, 2)).toEqual([404, 'payment_not_found'])
    expect((await own.get(path)).body.data).toHaveLength(1)
  })

  it('400 invalid_cursor for a garbled one, in each list', async () => {
    const own = await openIssuer(world)
    const { id } = await accepted(world, own, FACTURA)
    const document = { tipo_dte: 33, emisor: { rut: SUPPLIER, legal_name: 'Papelera' }, items: FACTURA.items }
    const received = (await own.post('/v1/test_helpers/received_documents', { document })).body.id
    for (const list of [
      `documents/${id}/payments`,
      `received_documents/${received}/payments`,
      'receivables',
      'payables',
    ]) {
      expect(refusal(await own.get(`/v1/${list}?cursor=cur_x`)).slice(0, 2)).toEqual([400, 'invalid_cursor'])
    }
  })

  it('404 for one that is not here', async () => {
    const own = await openIssuer(world)
    for (const [at, code] of [
      ['documents/doc_x', 'document_not_found'],
      ['received_documents/rcd_x', 'received_document_not_found'],
    ]) {
      const path = `/v1/${at}/payments`
      for (const sent of [await own.get(path), await own.post(path, {}), await own.delete(`${path}/pay_x`)]) {
        expect(refusal(sent).slice(0, 2)).toEqual([404, code])
      }
    }
  })
})

describe('GET /receivables', () => {
  it('sums what each counterparty owes by the days since it fell due', async () => {
    const own = await openIssuer(world)
    const issue_date = addDays(TODAY, -120)
    // Exempt, so that the total is the price; a digit for each document.
    const ages: readonly (readonly [number, number])[] = [
      [0, 1],
      [1, 10],
      [30, 100],
      [31, 1_000],
      [60, 10_000],
      [61, 100_000],
      [90, 1_000_000],
      [91, 10_000_000],
    ]
    for (const [days, unit_price] of ages) {
      const payment = { form: 'credit', due_date: addDays(TODAY, -days) }
      const items = [{ description: 'Asesoría', quantity: 1, unit_price }]
      await accepted(world, own, { tipo_dte: 34, receptor: RECEPTOR, items, issue_date, payment })
    }
    await accepted(world, own, { ...FACTURA, receptor: { ...RECEPTOR, rut: '76543210-3' } })
    const { body } = await own.get('/v1/receivables')
    expect(body.data).toHaveLength(2)
    expect(
      body.data.find(({ counterparty }: { counterparty: { rut: string } }) => counterparty.rut === RECEPTOR.rut),
    ).toEqual({
      object: 'receivable',
      counterparty: { rut: RECEPTOR.rut, legal_name: RECEPTOR.legal_name },
      as_of: TODAY,
      documents: 8,
      first_due_date: addDays(TODAY, -91),
      pending_amount: 11_111_111,
      not_due: 1,
      overdue_1_30: 110,
      overdue_31_60: 11_000,
      overdue_61_90: 1_100_000,
      overdue_over_90: 10_000_000,
    })
    const first = await own.get('/v1/receivables?limit=1')
    const second = await own.get(`/v1/receivables?limit=1&cursor=${first.body.next_cursor}`)
    expect([...first.body.data, ...second.body.data]).toEqual(body.data)
    const wrong = await own.get(`/v1/payables?cursor=${first.body.next_cursor}`)
    expect(refusal(wrong).slice(0, 2)).toEqual([400, 'invalid_cursor'])
    expect((await own.get('/v1/payables')).body.data).toEqual([])
    const file = await own.get(`/v1/receivables/export?counterparty_rut=${RECEPTOR.rut}`)
    const [head, ...rows] = file.text.replace('\ufeff', '').trim().split('\r\n')
    expect(head).toMatch(/^counterparty\.rut,counterparty\.legal_name,as_of,documents,first_due_date,pending_amount,/)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain(',8,')
    expect((await own.get('/v1/payables/export')).text.trim().split('\r\n')).toHaveLength(1)
  })
})
