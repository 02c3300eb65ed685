import { parseXml, readDte, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaFault } from '../../../../../dte/test/support/envelope-xsd.ts'
import { describeWithReference } from '../../../../../dte/test/support/shared.ts'
import { EIGHT } from '../../../../test/support/bodies-by-tipo.ts'
import { amount, credit, refusal, TEXT } from '../../../../test/support/credit-note.ts'
import { headingOf, issue, journal, settled, told } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Document } from '../document/schema.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ quick: true })
  issuer = await openIssuer(world)
  // Who buys without a name, for notas over boletas.
  const book = `/v1/empresas/${issuer.empresa_id}/counterparties/66666666-6`
  const { legal_name, giro, address } = RECEPTOR
  await world.patch(book, { key: issuer.key, body: { legal_name, giro, address } })
})
afterAll(() => world.close())

const script = (id: string, status: string) => issuer.post(`/v1/test_helpers/documents/${id}/estado`, { status })
const retry = (id: string) => issuer.post(`/v1/documents/${id}/retry`)

describe('accepted → annulled: a credit note annuls it', () => {
  it('once the SII took the nota, in one moment with it, and the event says what it was before', async () => {
    const { body: original } = await issue(issuer, FACTURA)
    const { body: note } = await credit(issuer, original)
    const annulled = await settled(issuer, original.id, ['annulled'])
    expect((await issuer.get(`/v1/documents/${note.id}`)).body).toMatchObject({
      status: 'accepted',
      annuls: original.id,
    })
    const last = (await told(world, original.id)).at(-1)
    expect([last?.type, last?.object]).toEqual(['document.annulled', headingOf(annulled)])
    expect(last?.data.previous_attributes).toEqual({
      status: 'accepted',
      cesion: { ...annulled.body.cesion, cedible: true },
    })
    expect((await journal(issuer, original.id)).at(-1)).toMatchObject({
      type: 'document.annulled',
      detail: { document_id: note.id },
    })
    expect(refusal(await credit(issuer, original))).toEqual([409, 'document_not_creditable', 'annulled'])
  })

  it('not when the SII rejected the nota: the original is free for another', async () => {
    const { body: original } = await issue(issuer, FACTURA)
    const { body: note } = await credit(issuer, original)
    await script(note.id, 'rejected')
    await settled(issuer, note.id, ['rejected'])
    expect((await issuer.get(`/v1/documents/${original.id}`)).body).toEqual(original)
    expect((await credit(issuer, original)).status).toBe(201)
    await settled(issuer, original.id, ['annulled'])
  })

  it('not by a nota that corrects its text or its amounts, were it all of it', async () => {
    const { body: original } = await issue(issuer, FACTURA)
    const { body: text } = await credit(issuer, original, TEXT)
    const { body: whole } = await credit(issuer, original, amount(original.totals.net))
    for (const { id } of [text, whole]) await settled(issuer, id, ['accepted'])
    // It is not annulled, and nothing is left to pay.
    expect((await issuer.get(`/v1/documents/${original.id}`)).body).toEqual({ ...original, pending_amount: 0 })
  })

  it('not one that was observed, which stays `reparo` and is annulled all the same', async () => {
    const made = await issuer.create(FACTURA)
    await script(made.body.id, 'reparo')
    const { body: original } = await settled(issuer, made.body.id, ['reparo'])
    const { body: note } = await credit(issuer, original)
    await settled(issuer, note.id, ['accepted'])
    expect((await issuer.get(`/v1/documents/${original.id}`)).body.status).toBe('reparo')
    expect(refusal(await credit(issuer, original))).toEqual([409, 'document_not_creditable', 'annulled'])
  })
})

describe('a nota that failed', () => {
  async function failedNote(body: object) {
    const { body: original } = await issue(issuer, FACTURA)
    const { body: note } = await credit(issuer, original, body)
    await script(note.id, 'failed')
    await settled(issuer, note.id, ['failed'])
    return { original, note }
  }

  it('422 credit_exceeds_original on its retry, when others used its room', async () => {
    const { original, note } = await failedNote(amount(3_000))
    expect((await credit(issuer, original, amount(2_001))).status).toBe(201)
    const sent = await retry(note.id)
    expect([sent.status, sent.body.error.code]).toEqual([422, 'credit_exceeds_original'])
    expect((await issuer.get(`/v1/documents/${note.id}`)).body.status).toBe('failed')
  })

  it('409 document_not_creditable on its retry, when another annulled the original', async () => {
    const { original, note } = await failedNote(amount(1))
    const { body: other } = await credit(issuer, original)
    const sent = await retry(note.id)
    expect([sent.status, sent.body.error.code, sent.body.error.existing_id]).toEqual([
      409,
      'document_not_creditable',
      other.id,
    ])
  })

  it('200 comes back where there is room, and annuls its original', async () => {
    const { original, note } = await failedNote({})
    await credit(issuer, original, TEXT)
    expect((await retry(note.id)).status).toBe(200)
    await settled(issuer, original.id, ['annulled'])
  })
})

describeWithReference('the XML of a nota', () => {
  const many = Array.from({ length: 61 }, (_, n) => ({ description: `Ítem ${n}`, unit_price: 990 + n }))
  const mixed = many.map((item, n) => ({ ...item, exempt: n % 3 === 0 }))
  const annulled = EIGHT.filter(([tipo_dte]) => tipo_dte !== 61)
  const cases: readonly { readonly title: string; readonly body: object; readonly asked: object }[] = [
    ...annulled.map(([tipo_dte, body]) => ({
      title: `annuls a tipo ${tipo_dte}`,
      body: { tipo_dte, ...body },
      asked: {},
    })),
    {
      title: 'annuls a boleta of 61 lines',
      body: { tipo_dte: 39, items: mixed, discounts: [{ percent: 5 }] },
      asked: {},
    },
    { title: 'annuls a factura of last year', body: { ...FACTURA, issue_date: '2024-12-30' }, asked: {} },
    { title: 'corrects the text of a factura', body: FACTURA, asked: TEXT },
    { title: 'corrects the text of an exempt boleta', body: { tipo_dte: 41, items: many }, asked: TEXT },
    { title: 'corrects the amounts of a boleta', body: { tipo_dte: 39, items: many }, asked: amount(340) },
    { title: 'corrects the amounts of a compra', body: { ...EIGHT[4]?.[1], tipo_dte: 46 }, asked: amount(340) },
  ]
  let made: { readonly original: Document; readonly note: Document; readonly xml: Buffer }[]
  beforeAll(async () => {
    const one = async ({ body, asked }: (typeof cases)[number]) => {
      const { body: original } = await issue(issuer, body)
      const sent = await credit(issuer, original, asked)
      expect(sent.status, sent.text).toBe(201)
      const { body: note } = await settled(issuer, sent.body.id, ['accepted'])
      const xml = await storedXml(world, note.id)
      return { original, note, xml: xml ?? Buffer.alloc(0) }
    }
    made = await Promise.all(cases.map(one))
  })

  it.each(cases.map(({ title }, n) => [title, n] as const))(
    'is valid by the official schema and signed: it %s',
    (_, n) => {
      const xml = made[n]?.xml ?? Buffer.alloc(0)
      expect(schemaFault(xml.toString('latin1'), 'DTE_v10.xsd')).toBeNull()
      const parsed = parseXml(xml)
      if (!parsed.ok) throw new Error(parsed.refusal.message)
      const checked = verifySignatures(parsed.value)
      expect(checked.ok && checked.value.map(({ refusal }) => refusal)).toEqual([null])
    },
  )

  it('names its original, carries its amounts where it annuls, and says when it comes too late', () => {
    for (const [n, { original, note, xml }] of made.entries()) {
      const parsed = parseXml(xml)
      const read = parsed.ok && readDte(parsed.value.root)
      if (read === false || !read.ok) throw new Error('it cannot be read back')
      const { dte } = read.value
      const { tipo_dte, folio, issue_date, totals } = original
      expect(dte.references).toMatchObject([{ tipo_dte, folio, date: issue_date }])
      expect(dte.totals.total).toBe(note.totals.total)
      if (Object.keys(cases[n]?.asked ?? {}).length === 0) expect(note.totals).toEqual(totals)
      expect(dte.no_debit_reduction).toBe(issue_date === '2024-12-30' ? true : undefined)
    }
  })
})
