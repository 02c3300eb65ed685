import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { firstRefusal, parseXml, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORT, LIQUIDACION } from '../../../../../dte/test/support/unissued.ts'
import { type Buyer, openBuyer, SUPPLIER } from '../../../../test/support/buyer.ts'
import { unissuedFile } from '../../../../test/support/supplier-file.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { listReceivedIn } from './lookup.ts'

let world: World
let buyer: Buyer
beforeAll(async () => {
  world = await openWorld()
  buyer = await openBuyer(world)
})
afterAll(() => world.close())

const LIST = '/v1/received_documents'
const idsOf = (sent: { body: { data: { id: string }[] } }) => sent.body.data.map(({ id }) => id)

describe('GET /received_documents', () => {
  it('200 lists newest first, page by page, and every filter finds what it names', async () => {
    const nota = { tipo_dte: 61, references: [{ tipo_dte: 33, folio: 9, date: '2026-11-01', code: 3 }] }
    const other = { emisor: { ...SUPPLIER, rut: '78901234-2' }, issue_date: '2026-10-02' }
    const made = [await buyer.receive(), await buyer.receive(other), await buyer.receive(nota)].map(({ body }) => body)
    const [first, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
    await buyer.act(first.id, 'accept')
    const all = made.map(({ id }) => id).reverse()
    expect(idsOf(await buyer.get(LIST))).toEqual(all)
    const page = await buyer.get(`${LIST}?limit=2`)
    expect([idsOf(page), page.body.has_more]).toEqual([all.slice(0, 2), true])
    expect(idsOf(await buyer.get(`${LIST}?limit=2&cursor=${page.body.next_cursor}`))).toEqual(all.slice(2))
    const found = {
      'status=accepted': [first.id],
      'status=pending': [second.id],
      'status=accepted_tacitly': [],
      'emisor_rut=78901234-2': [second.id],
      'tipo_dte=61': [third.id],
      [`folio=${second.folio}`]: [second.id],
      'issue_date[lte]=2026-10-31': [second.id],
      [`issue_date[gte]=${first.issue_date}`]: [third.id, first.id],
      [`deadline_at[gte]=${second.deadline_at}`]: [second.id],
      [`deadline_at[lte]=${first.deadline_at}`]: [first.id],
      [`received_at[gte]=${third.received_at}`]: [third.id],
      [`received_at[lte]=${first.received_at}`]: [first.id],
    }
    for (const [query, ids] of Object.entries(found))
      expect([query, idsOf(await buyer.get(`${LIST}?${query}`))]).toEqual([query, ids])
  })

  it('200 lists by the date it is asked about, page by page', async () => {
    const months = await openBuyer(world)
    const dates = ['2026-10-05', '2026-09-05', '2026-10-20', '2026-10-05']
    for (const issue_date of dates) await months.receive({ issue_date })
    const path = `${LIST}?limit=1&issue_date[gte]=2026-10-01`
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await months.get(path + cursor)
      seen.push(...page.body.data.map(({ issue_date }: { issue_date: string }) => issue_date))
      if (!page.body.has_more) break
      cursor = `&cursor=${page.body.next_cursor}`
    }
    expect(seen).toEqual(['2026-10-20', '2026-10-05', '2026-10-05'])
    const due = await months.get(`${LIST}?limit=3&deadline_at[gte]=2026-01-01T00:00:00Z`)
    const rest = await months.get(
      `${LIST}?deadline_at[gte]=2026-01-01T00:00:00Z&limit=3&cursor=${due.body.next_cursor}`,
    )
    expect(new Set([...idsOf(due), ...idsOf(rest)]).size).toBe(4)
  })

  it('400 invalid_cursor for one of other filters, 404 received_document_not_found for another empresa', async () => {
    const page = await buyer.get(`${LIST}?limit=1`)
    const moved = await buyer.get(`${LIST}?limit=1&status=pending&cursor=${page.body.next_cursor}`)
    expect([moved.status, moved.body.error.code]).toEqual([400, 'invalid_cursor'])
    const stranger = await openBuyer(world)
    for (const end of ['', '/xml', '/pdf']) {
      const sent = await stranger.get(`${LIST}/${idsOf(page)[0]}${end}`)
      expect([sent.status, sent.body.error.code]).toEqual([404, 'received_document_not_found'])
    }
  })

  it('gives those of a month to the registers', async () => {
    const [row] = await world.db.sql<{ account_id: string }>`
      select account_id from empresa where id = ${buyer.empresa_id}`
    const scope = {
      account_id: row?.account_id ?? '',
      empresa_id: buyer.empresa_id,
      mode: 'test',
      rut: buyer.rut,
    } as const
    const days = { from: '2026-10-01', before: '2026-11-01' }
    const october = await listReceivedIn(world.db.sql, scope, days, [33])
    expect(october.map(({ issue_date }) => issue_date)).toEqual(['2026-10-02'])
    expect(await listReceivedIn(world.db.sql, { ...scope, empresa_id: 'emp_other' }, days, [33])).toEqual([])
  })
})

describe('the files of a received document', () => {
  it('200 gives the XML as it was signed', async () => {
    const { body } = await buyer.receive()
    const sent = await buyer.get(`${LIST}/${body.id}/xml`)
    expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/xml'])
    expect(sent.headers['content-disposition']).toContain(`76543210-3-T33-F${body.folio}.xml`)
    const parsed = parseXml(sent.bytes)
    expect(parsed.ok && firstRefusal(verifySignatures(parsed.value))).toBeNull()
  })

  it('200 prints a PDF, and the same one again without printing it twice', async () => {
    const { body } = await buyer.receive()
    const first = await buyer.get(`${LIST}/${body.id}/pdf`)
    expect([first.status, first.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    expect((await world.artifacts()).filter((name) => name.includes(body.id))).toHaveLength(1)
    expect((await buyer.get(`${LIST}/${body.id}/pdf`)).bytes.equals(first.bytes)).toBe(true)
  })

  it('200 prints a liquidación and an export, also one that came before they were read', async () => {
    for (const dte of [LIQUIDACION, EXPORT]) {
      const { body } = await buyer.receive()
      await world.db.sql`
        update received_document_xml set dte = null, xml = ${unissuedFile(buyer.rut, dte)}
        where received_document_id = ${body.id}`
      const sent = await buyer.get(`${LIST}/${body.id}/pdf`)
      expect([sent.status, sent.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
  })

  it('409 artifact_not_available where only the heading was read', async () => {
    const { body } = await buyer.receive()
    await world.db.sql`update received_document_xml set dte = null where received_document_id = ${body.id}`
    const sent = await buyer.get(`${LIST}/${body.id}/pdf`)
    expect([sent.status, sent.body.error.code]).toEqual([409, 'artifact_not_available'])
  })
})

const SAMPLES = fileURLToPath(new URL('../../../../../../../shared/sii/samples/dte/', import.meta.url))
const REAL = {
  'DTE--60910000-1--33--2336600.xml': '76555835-2',
  'DTE--76354771-K--33--170--cleaned.xml': '96790240-3',
  'DTE--76399752-9--33--25568--cleaned.xml': '96874030-K',
}
const absent = !existsSync(SAMPLES)
if (absent) console.warn(`skipped: real documents are not at ${SAMPLES}`)

describe.skipIf(absent)('real documents of suppliers', () => {
  for (const [file, rut] of Object.entries(REAL)) {
    it(`${file} is taken in and printed, amounts as written`, async () => {
      const receptor = await openBuyer(world, { empresa: { rut } })
      const xml = readFileSync(SAMPLES + file).toString('base64')
      const sent = await world.post('/v1/test_helpers/received_documents', {
        key: receptor.key,
        empresa: rut,
        body: { xml },
      })
      expect([sent.status, sent.body.status]).toEqual([201, 'pending'])
      const pdf = await world.get(`${LIST}/${sent.body.id}/pdf`, { key: receptor.key, empresa: rut })
      expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    })
  }
})
