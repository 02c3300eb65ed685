import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { watchPlans } from '../../../../test/support/plan-of.ts'
import { openWorld, type Sent, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { type Fragment, part } from '../../../kernel/db.ts'
import { listDocuments } from './list-store.ts'
import { insertJournal } from './store.ts'

let world: World
let issuer: Issuer
const ids: string[] = []
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
  for (let n = 0; n < 7; n++) {
    const { body } = await issuer.create(n % 2 ? FACTURA : { ...BOLETA, external_id: `n-${n}` })
    ids.push(body.id)
    await world.db.sql`
      update document set folio = ${n + 1}, created_at = ${new Date(Date.UTC(2026, 0, 10 + n))},
        issue_date = ${`2026-01-${10 + n}`}, status = ${n < 5 ? 'accepted' : 'rejected'}
      where id = ${body.id}`
  }
})
afterAll(() => world.close())

const list = (query: Record<string, string> = {}) => issuer.get(`/v1/documents?${new URLSearchParams(query)}`)
const places = ({ body }: Sent) => body.data.map(({ id }: { id: string }) => ids.indexOf(id))

describe('GET /v1/documents', () => {
  it('200 lists newest first, page by page, without gap or repetition, and never says when to poll', async () => {
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const sent: Sent = await list({ limit: '3', ...(cursor && { cursor }) })
      expect(sent.headers['svc-poll-after']).toBeUndefined()
      seen.push(...places(sent))
      cursor = sent.body.next_cursor
    } while (cursor)
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0])
  })

  it.each([
    [{ status: 'rejected' }, [6, 5]],
    [{ status: 'accepted', tipo_dte: '33' }, [3, 1]],
    [{ tipo_dte: '39' }, [6, 4, 2, 0]],
    [{ folio: '4' }, [3]],
    [{ receptor_rut: RECEPTOR.rut }, [5, 3, 1]],
    [{ external_id: 'n-2' }, [2]],
    [{ 'issue_date[gte]': '2026-01-12', 'issue_date[lte]': '2026-01-13' }, [3, 2]],
    [{ 'created_at[gte]': '2026-01-15T00:00:00Z' }, [6, 5]],
    [{ 'created_at[lte]': '2026-01-11T00:00:00Z' }, [1, 0]],
    [{ status: 'queued' }, []],
  ])('200 filters by %o, bounds included', async (query, wanted) => {
    expect(places(await list(query as Record<string, string>))).toEqual(wanted)
  })

  it('200 finds a folio by its index, whatever its tipo', async () => {
    const plans = await world.db.transact(async (sql) => {
      await sql`
        insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
          receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
        select account_id, empresa_id, mode, id || n, status, tipo_dte, 100 + n, issue_date, net, iva, exempt, total,
          receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at
        from document, generate_series(1, 2000) n where id = ${ids[0]}`
      await sql`analyze document`
      const watched = watchPlans(sql)
      const scope = {
        account_id: issuer.account,
        empresa_id: issuer.empresa_id,
        rut: issuer.rut,
        mode: 'test',
      } as const
      await listDocuments(watched.sql, scope, { folio: 4 }, { place: null, take: 20 })
      await sql`delete from document where folio > 100`
      return watched.plans.flat() as { readonly 'Index Cond'?: string }[]
    })
    expect(plans.flatMap((step) => step['Index Cond'] ?? [])).toEqual([
      expect.stringMatching(/tipo_dte = wanted\.tipo_dte.*folio =/),
    ])
  })

  it.each([
    [{ status: 'lost' }, 'status'],
    [{ tipo_dte: '35' }, 'tipo_dte'],
    [{ folio: '0' }, 'folio'],
    [{ receptor_rut: '1-1' }, 'receptor_rut'],
    [{ 'created_at[gt]': '2026-01-01T00:00:00Z' }, 'created_at[gt]'],
    [{ limit: '101' }, 'limit'],
  ])('400 refuses %o by its name', async (query, param) => {
    expect((await list(query as Record<string, string>)).body.error.param).toBe(param)
  })

  it('200 goes on from a cursor whichever order the filters are written in', async () => {
    const { next_cursor } = (await list({ status: 'accepted', tipo_dte: '39', limit: '1' })).body
    expect(places(await list({ cursor: next_cursor, tipo_dte: '39', status: 'accepted' }))).toEqual([2, 0])
  })

  it.each([
    ['created_at[gte]', 'ayer', /RFC 3339/],
    ['issue_date[lte]', '2026-02-30', /YYYY-MM-DD/],
  ])('400 invalid_field of %s says what is asked for, not the name of a format', async (param, value, says) => {
    const { error } = (await list({ [param]: value })).body
    expect([error.code, error.param]).toEqual(['invalid_field', param])
    expect(error.message).toMatch(says)
  })

  it('400 invalid_cursor under other filters and on another empresa', async () => {
    const cursor = (await list({ limit: '2' })).body.next_cursor
    expect((await list({ cursor, status: 'accepted' })).body.error.code).toBe('invalid_cursor')
    const other = await openIssuer(world, { account: issuer.account })
    expect((await other.get(`/v1/documents?cursor=${cursor}`)).body.error.code).toBe('invalid_cursor')
    expect((await other.get('/v1/documents')).body.data).toEqual([])
  })
})

describe('GET /v1/documents/export', () => {
  const rowsOf = ({ text }: Sent) => text.trim().split('\r\n')

  it('200 is the list as a file: its rows, its filters, its order, and those of nobody else', async () => {
    const sent = await issuer.get('/v1/documents/export?tipo_dte=39')
    expect(sent.headers['content-type']).toMatch(/^text\/csv; ?charset=utf-8/)
    expect(sent.headers['content-disposition']).toBe(`attachment; filename="${issuer.rut}-documents.csv"`)
    const [head, ...rows] = rowsOf(sent)
    expect(head).toMatch(/^\ufeff?id,mode,status,tipo_dte,folio,issue_date,totals\.net,/)
    const listed = (await list({ tipo_dte: '39' })).body.data.map(({ id }: { id: string }) => id)
    expect(rows.map((row) => row.split(',')[0])).toEqual(listed)
    const other = await openIssuer(world, { account: issuer.account })
    expect(rowsOf(await other.get('/v1/documents/export'))).toHaveLength(1)
  })

  it('200 reads page after page, and as XLSX', async () => {
    const one = (await issuer.create({ ...BOLETA, receptor: { rut: '12345678-5', legal_name: '=HYPERLINK("x")' } }))
      .body.id
    await world.db.sql`
      insert into document (account_id, empresa_id, mode, id, status, tipo_dte, issue_date, net, iva, exempt, total, receptor_rut,
        draft, receptor_sources, metadata, pdf_cedible, emission_channel, created_at)
      select account_id, empresa_id, mode, id || lpad(n::text, 4, '0'), status, tipo_dte, issue_date, net, iva, exempt,
        total, receptor_rut, draft, receptor_sources, metadata, pdf_cedible, emission_channel, created_at + n * interval '1 second'
      from document, generate_series(1, 450) as n where id = ${one}`
    const rows = rowsOf(await issuer.get('/v1/documents/export?receptor_rut=12345678-5')).slice(1)
    expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(451)
    expect(rows[0]).toContain(`"'=HYPERLINK(""x"")"`)
    const book = await issuer.get('/v1/documents/export?receptor_rut=12345678-5&format=xlsx')
    expect(book.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(book.headers['content-disposition']).toContain('-documents.xlsx')
    expect(book.bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    await world.db.sql`delete from document where receptor_rut = '12345678-5'`
    const refused = await issuer.get('/v1/documents/export?limit=5')
    expect([refused.status, refused.body.error.param]).toEqual([400, 'limit'])
  })
})

describe('GET /v1/documents/{document_id}', () => {
  it('200 shows all of it as issued: lines, discounts, taxes, references, terms, dispatch and who the receptor is abroad', async () => {
    const { body: made } = await issuer.create({
      tipo_dte: 33,
      receptor: { ...RECEPTOR, code: 'C-17', contact: 'Eva', foreign: { id: 'X-900', nationality: '225' } },
      items: [
        { description: 'Cerveza', quantity: 10, unit: 'CJ', unit_price: 1000, additional_tax: 26 },
        {
          description: 'Libro',
          unit_price: 2000,
          exempt: true,
          discount: { percent: 10 },
          code: { type: 'INT', value: '7' },
        },
      ],
      discounts: [{ percent: 5, reason: 'Volumen' }],
      references: [{ document_type: '801', folio: 'OC-4', date: '2026-01-05', reason: 'Orden' }],
      payment: { form: 'credit', due_date: '2026-12-31', instalments: [{ date: '2026-12-31', amount: 500 }] },
      dispatch: { dispatch_type: 2, plate: 'ABCD12', destination: { street: 'Norte 1' } },
      sale_type: 1,
    })
    const { body } = await issuer.get(`/v1/documents/${made.id}`)
    // Net 10.000 − 5 % = 9.500; IVA 19 % = 1.805; beer (code 26, DL 825 art. 42 c) 20,5 % of 9.500 = 1.947,5 → 1.948;
    // exempt 2.000 − 10 % = 1.800. Total 9.500 + 1.805 + 1.948 + 1.800 = 15.053 (SII, Formato DTE v2.4.2, Totales).
    const totals = {
      net: 9_500,
      iva: 1_805,
      exempt: 1_800,
      taxes: 1_948,
      deposit: 0,
      construction_credit: 0,
      total: 15_053,
    }
    expect(body.totals).toEqual(totals)
    expect(made.totals).toEqual(totals)
    expect(body.taxes).toEqual([{ code: 26, rate: 20.5, amount: 1_948 }])
    expect(body.items).toMatchObject([
      {
        description: 'Cerveza',
        quantity: 10,
        unit: 'CJ',
        unit_price: 1000,
        additional_tax: 26,
        amount: 10_000,
        exempt: false,
      },
      {
        description: 'Libro',
        quantity: null,
        discount: { percent: 10, amount: null },
        discount_amount: 200,
        amount: 1_800,
      },
    ])
    expect(body.discounts).toEqual([{ percent: 5, amount: null, applies_to: 'taxed', reason: 'Volumen', applied: 500 }])
    expect(body.references).toMatchObject([{ tipo_dte: null, document_type: '801', folio: 'OC-4', reason: 'Orden' }])
    expect(body.payment).toMatchObject({
      form: 'credit',
      due_date: '2026-12-31',
      instalments: [{ amount: 500, note: null }],
    })
    expect(body.dispatch).toMatchObject({
      dispatch_type: 2,
      plate: 'ABCD12',
      destination: { street: 'Norte 1', city: null },
    })
    expect(body.receptor).toMatchObject({ code: 'C-17', contact: 'Eva', foreign: { id: 'X-900', nationality: '225' } })
    expect(body.sale_type).toBe(1)
    const listed = await list({ expand: 'items', limit: '1' })
    expect(listed.body.data[0]).toEqual(body)
    expect((await list({ limit: '1' })).body.data[0].items).toBeUndefined()
    await world.db.sql`delete from document where id = ${made.id}`
  })

  it('404 document_not_found for one of another empresa of the same account, here and in its journal', async () => {
    const other = await openIssuer(world, { account: issuer.account })
    for (const path of [`/v1/documents/${ids[0]}`, `/v1/documents/${ids[0]}/events`, '/v1/documents/doc_nothing']) {
      const sent = await other.get(path)
      expect([sent.status, sent.body.error.code]).toEqual([404, 'document_not_found'])
    }
  })

  it.each([
    ['accepted', undefined],
    ['reparo', undefined],
    ['rejected', undefined],
    ['annulled', undefined],
    ['queued', '1'],
    ['sent', '1'],
    ['failed', '1'],
  ])('200 of one that is %s says when to poll: %s', async (status, seconds) => {
    const { body } = await issuer.create(BOLETA)
    await world.db.sql`update document set status = ${status} where id = ${body.id}`
    const sent = await issuer.get(`/v1/documents/${body.id}`)
    expect([sent.body.status, sent.headers['svc-poll-after']]).toEqual([status, seconds])
    await world.db.sql`delete from document where id = ${body.id}`
  })
})

describe('GET /v1/documents/{document_id}/events', () => {
  const append = (document_id: string, type: string, of = issuer) => {
    const scope = { account_id: of.account, empresa_id: of.empresa_id, mode: 'test', rut: of.rut } as const
    return world.db.sql`${insertJournal(scope, [{ document_id, type, detail: { n: 1 } }], new Date(systemNow()))}`
  }

  it('200 tells entries that were written together, and what a migration left as plain text', async () => {
    const { body } = await issuer.create(BOLETA)
    const scope = { account_id: issuer.account, empresa_id: issuer.empresa_id, mode: 'test', rut: issuer.rut } as const
    const at = new Date('2026-03-01T12:00:00.123Z')
    const plain = Buffer.from('{"type":"document.older","detail":{"glosa":"Ñandú"}}')
    const head = Buffer.alloc(10)
    head.writeUIntBE(at.getTime(), 1, 6)
    head.writeUIntBE(plain.length, 7, 3)
    await world.db.sql`
      insert into document_journal (account_id, empresa_id, mode, document_id, entries)
      values (${issuer.account}, ${issuer.empresa_id}, 'test', ${body.id}, ${Buffer.concat([head, plain])})`
    const two = ['document.folio_allocated', 'document.x'].map((type) => ({ document_id: body.id, type, detail: {} }))
    await world.db.sql`${insertJournal(scope, two, at)}`
    expect((await issuer.get(`/v1/documents/${body.id}/events`)).body.data).toEqual([
      { type: 'document.older', at: at.toISOString(), detail: { glosa: 'Ñandú' } },
      { type: 'document.folio_allocated', at: at.toISOString(), detail: {} },
      { type: 'document.x', at: at.toISOString(), detail: {} },
    ])
  })

  it('leaves the journal of another account alone, whoever names its document', async () => {
    const other = await openIssuer(world)
    const { body } = await issuer.create(BOLETA)
    await append(body.id, 'document.signed')
    await append(body.id, 'document.accepted', other)
    const { data } = (await issuer.get(`/v1/documents/${body.id}/events`)).body
    expect(data).toMatchObject([{ type: 'document.signed' }])
  })

  it('200 starts empty, because the journal starts at the folio; then pages oldest first', async () => {
    const { body } = await issuer.create(BOLETA)
    const path = `/v1/documents/${body.id}/events`
    expect((await issuer.get(path)).body).toMatchObject({ data: [], has_more: false })
    for (const type of ['folio_allocated', 'signed', 'submitted']) await append(body.id, `document.${type}`)
    const first = await issuer.get(`${path}?limit=2`)
    const second = await issuer.get(`${path}?limit=2&cursor=${first.body.next_cursor}`)
    const types = [...first.body.data, ...second.body.data].map(({ type }) => type)
    expect(types).toEqual(['document.folio_allocated', 'document.signed', 'document.submitted'])
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null })
    expect((await issuer.get(`${path}?cursor=cur_x`)).body.error.code).toBe('invalid_cursor')
  })

  it('refuses to be rewritten', async () => {
    const { body } = await issuer.create(BOLETA)
    await append(body.id, 'document.signed')
    const rewrite = (entries: Fragment) =>
      world.db.sql`update document_journal set entries = ${entries} where document_id = ${body.id}`
    await expect(rewrite(part`substr(entries, 1, 4)`)).rejects.toThrow(/append only/)
    await expect(rewrite(part`set_byte(entries, 12, 0)`)).rejects.toThrow(/append only/)
    await rewrite(part`entries || entries`)
  })
})
