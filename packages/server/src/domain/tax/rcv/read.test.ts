import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codesOf, PROPOSALS } from '../../../../test/support/f29-month.ts'
import { ITEMS, RECEPTOR } from '../../../../test/support/issuer.ts'
import { bought, ended, openRegister, PERIOD, type Register, sold } from '../../../../test/support/rcv-register.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'

let world: World
let register: Register
const other = randomRut()
beforeAll(async () => {
  world = await openWorld()
  register = await openRegister(world)
  await register.seed({
    purchases: [
      bought(1),
      bought(2, { tipo_doc: 34, net: 0, iva: 0, exempt: 500 }),
      bought(3, { estado_contable: 'PENDIENTE' }),
      bought(4, { tipo_compra: 4 }),
      bought(5, { counterparty_rut: other }),
      bought(6, { tipo_doc: 61 }),
    ],
    sales: [sold(1), sold(2, { tipo_doc: 61 }), { tipo_doc: 39, net: 1000, iva: 190, documents: 12 }],
  })
  await register.sync()
})
afterAll(() => world.close())

const folios = (sent: { body: { data: { folio: number }[] } }) => sent.body.data.map(({ folio }) => folio).sort()

describe('GET /tax/purchases and GET /tax/sales', () => {
  it('200 filters by tipo, counterparty, estado and tipo_compra, each and together', async () => {
    expect(folios(await register.purchases())).toEqual([1, 2, 3, 4, 5, 6])
    expect(folios(await register.purchases('&tipo_doc=34'))).toEqual([2])
    expect(folios(await register.purchases(`&counterparty_rut=${other}`))).toEqual([5])
    expect(folios(await register.purchases('&estado_contable=PENDIENTE'))).toEqual([3])
    expect(folios(await register.purchases('&tipo_compra=4'))).toEqual([4])
    expect(folios(await register.purchases('&tipo_doc=33&tipo_compra=1&estado_contable=REGISTRO'))).toEqual([1, 5])
    expect((await register.sales('&tipo_doc=39')).body.data).toMatchObject([
      { documents: 12, folio: null, counterparty_rut: null },
    ])
    expect(folios(await register.sales('&tipo_doc=61'))).toEqual([2])
  })

  it('200 says with `sign` that a nota de crédito takes away', async () => {
    const [nota] = (await register.purchases('&tipo_doc=61')).body.data
    expect([nota.sign, nota.iva, nota.total]).toEqual([-1, 190, 1190])
  })

  it('200 pages through everything once, and 400 invalid_cursor for a cursor of another list or filter', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await register.purchases(`&limit=2${cursor}`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : ''
    } while (cursor)
    expect([seen.length, new Set(seen).size]).toEqual([6, 6])
    const { next_cursor } = (await register.purchases('&limit=2')).body
    for (const sent of [
      await register.sales(`&cursor=${next_cursor}`),
      await register.purchases(`&tipo_doc=33&cursor=${next_cursor}`),
      await register.get(`/v1/tax/purchases?period=2026-08&cursor=${next_cursor}`),
    ])
      expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_cursor'])
  })

  it('200 tells a period that was never read from one that is empty', async () => {
    const fresh = await openRegister(world)
    expect((await fresh.purchases()).body).toMatchObject({
      data: [],
      sync: { status: 'never_read', last_synced_at: null },
    })
    await fresh.sync()
    const { data, sync } = (await fresh.purchases()).body
    expect([data, sync.status, sync.period]).toEqual([[], 'synced', PERIOD])
    expect(sync.last_synced_at).toBeTruthy()
  })

  it('400 without a period, and for one that is no month', async () => {
    for (const path of ['purchases', 'sales', 'summary']) {
      for (const query of ['', '?period=2026-13', '?period=2026', '?period=2026-09-01']) {
        const sent = await register.get(`/v1/tax/${path}${query}`)
        expect([sent.status, sent.body.error.param]).toEqual([400, 'period'])
      }
    }
  })

  it('serves every filter from an index, however many entries there are', async () => {
    for (const filter of ['', `and counterparty_rut = 'x'`, 'and tipo_doc = 33']) {
      for (const side of ['purchase', 'sale']) await expectIndex(`side = '${side}' ${filter}`)
    }
    for (const filter of [`and estado_contable = 'PENDIENTE'`, 'and tipo_compra = 4'])
      await expectIndex(`side = 'purchase' ${filter}`)
  })
})

/** The plan without a walk of the table or a sort, which PostgreSQL would prefer for a handful of rows. */
async function expectIndex(filter: string): Promise<void> {
  const plan = await world.db.transact(async (_sql, client) => {
    await client.query('set local enable_seqscan = off; set local enable_sort = off; set local enable_bitmapscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select * from rcv_entry where account_id = 'a' and empresa_id = 'e' and mode = 'test' and period = '2026-09'
       and ${filter} and withdrawn_at_sii is null order by id desc limit 21`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Index Scan')
  expect(plan).not.toContain('Sort')
}

describe('amounts that add up to more than a number holds', () => {
  it('422 amounts_too_large from the summary and the proposal, and the job that computes it ends at once', async () => {
    const huge = await openRegister(world)
    const line = (folio: number) => sold(folio, { tipo_doc: 34, net: 0, iva: 0, exempt: 1000 })
    await huge.seed({ sales: Array.from({ length: 10 }, (_, i) => line(i + 1)) })
    await huge.sync()
    await world.db.sql`update rcv_entry set exempt = 999999999999999 where empresa_id = ${huge.empresa_id}`
    expect((await huge.sync()).status).toBe('succeeded')
    for (const sent of [
      await huge.get(`/v1/tax/summary?period=${PERIOD}`),
      await huge.post(`${PROPOSALS}/${PERIOD}/recompute`, {}),
    ]) {
      expect([sent.status, sent.body.error?.code]).toEqual([422, 'amounts_too_large'])
    }
    // One of the first reading too, where it came to its turn after the amounts had grown.
    const computed = () => world.db.sql<{ attempts: number }>`
      select attempts from job where empresa_id = ${huge.empresa_id} and name = 'f29.compute' and status = 'failed'
        and payload ->> 'period' = ${PERIOD}`
    await expect.poll(computed).toContainEqual({ attempts: 1 })
    for (const { attempts } of await computed()) expect(attempts).toBe(1)
    expect((await huge.sales()).body.data).toHaveLength(10)
  })
})

describe('GET /tax/summary', () => {
  it('200 adds up by side, tipo and estado, and takes notas de crédito away from the IVA', async () => {
    const { body } = await register.get(`/v1/tax/summary?period=${PERIOD}`)
    const line = (side: string, tipo_doc: number, estado_contable: string | null) =>
      body.lines.find(
        (one: { side: string; tipo_doc: number; estado_contable: string | null }) =>
          one.side === side && one.tipo_doc === tipo_doc && one.estado_contable === estado_contable,
      )
    expect(line('purchase', 33, 'REGISTRO')).toMatchObject({
      entries: 3,
      documents: 3,
      net: 3000,
      iva: 570,
      total: 3570,
    })
    expect(line('purchase', 33, 'PENDIENTE')).toMatchObject({ entries: 1, iva: 190 })
    expect(line('sale', 39, null)).toMatchObject({ entries: 1, documents: 12, iva: 190 })
    // 33: 190 + 190 + 190, less the nota's 190; what waits does not count.
    expect([body.iva_debit, body.iva_credit]).toEqual([190 - 190 + 190, 3 * 190 - 190])
  })

  it('200 says as the IVA of the sales what code 538 of the declaration says', async () => {
    const fresh = await openRegister(world)
    await fresh.seed({
      sales: [
        sold(1), // 190
        sold(2, { tipo_doc: 46, total: 1000 }), // 0: the buyer kept the 190 to pay them itself (D.L. 825, art. 3)
        sold(3, { tipo_doc: 46, total: 1110 }), // 110: it kept 80
        sold(4, { tipo_doc: 61, total: 500, net: 500, iva: 95, reference_tipo_doc: 46 }), // 0: none of it was ours
        sold(5, { tipo_doc: 61, total: 555, net: 500, iva: 95, reference_tipo_doc: 46 }), // -55: 40 were kept
        sold(6, { tipo_doc: 61, net: 100, iva: 19 }), // -19
        sold(7, { tipo_doc: 110, net: 0, iva: 0, exempt: 9000 }),
        sold(8, { tipo_doc: 106, net: 0, iva: 0, exempt: 2000 }),
        sold(9, { tipo_doc: 999 }), // the form has no line for it
        { tipo_doc: 39, net: 1000, iva: 190, documents: 12 }, // 190
      ],
    })
    await fresh.sync()
    const { body } = await fresh.get(`/v1/tax/summary?period=${PERIOD}`)
    const owed = 190 + 110 - 55 - 19 + 190
    const codes = codesOf(await fresh.post(`${PROPOSALS}/${PERIOD}/recompute`, { ppm_rate: 0 }))
    expect([body.iva_debit, codes[538]]).toEqual([owed, owed])
    // The net of what was bought from us with all of its IVA kept is informed: 1000 less the 500 of its nota.
    expect([codes[587], codes[720], codes[510]]).toEqual([500, 500, 55 + 19])
    // A nota de crédito takes away, on paper and of an export too.
    const nota = body.lines.find(({ tipo_doc }: { tipo_doc: number }) => tipo_doc === 106)
    const [entry] = (await fresh.sales('&tipo_doc=106')).body.data
    expect([nota.sign, entry.sign, codes[20]]).toEqual([-1, -1, 7000])
  })

  it('200 shows where our own accepted documents and the register of sales differ, with the ids of both', async () => {
    const issuer = await openRegister(world)
    const made = []
    // The third sells a machine of its own: TpoTranVenta 2.
    for (const more of [{}, {}, { sale_type: 2 }])
      made.push((await issuer.create({ tipo_dte: 33, receptor: RECEPTOR, items: ITEMS, ...more })).body)
    const accepted = async () => (await issuer.get('/v1/documents?status=accepted')).body.data
    await expect.poll(async () => (await accepted()).length).toBe(3)
    const documents = new Map<number, { id: string; issue_date: string }>(
      (await accepted()).map((one: { folio: number }) => [one.folio, one]),
    )
    const period = made[0].issue_date.slice(0, 7)
    const summary = async () => (await issuer.get(`/v1/tax/summary?period=${period}`)).body
    expect((await summary()).differences).toEqual([])
    await issuer.sync(period)
    expect((await summary()).differences).toEqual([])
    const { data } = (await issuer.get(`/v1/tax/sales?period=${period}`)).body
    const tipos = data.map((one: { folio: number; tipo_venta: number }) => [one.folio, one.tipo_venta])
    expect(tipos.sort()).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
    ])
    const key = { tipo_doc: 33, counterparty_rut: RECEPTOR.rut }
    await issuer.seed({
      period,
      sales: [{ ...bought(2), ...key, folio: 2, net: 1, iva: 0 }, sold(99)],
      remove: [{ side: 'sale', ...key, folio: 1 }],
    })
    await issuer.sync(period)
    const { differences, differences_total } = await summary()
    expect(differences_total).toBe(3)
    expect(differences).toMatchObject([
      { kind: 'missing_at_sii', folio: 1, document_id: documents.get(1)?.id, entry_id: null, sii: null },
      { kind: 'amounts', folio: 2, document_id: documents.get(2)?.id, ours: { net: 5000 }, sii: { net: 1 } },
      { kind: 'missing_here', folio: 99, document_id: null, ours: null, sii: { net: 1000 } },
    ])
    expect(differences[1].entry_id).toMatch(/^rcv_/)
  })
})

describe('POST /test_helpers/rcv/seed', () => {
  it('200 counts what it took, and replaces an entry with the same tipo, folio and counterparty', async () => {
    const fresh = await openRegister(world)
    const sent = await fresh.seed({ purchases: [bought(1)], sales: [sold(1)], remove: [] })
    expect(sent.body).toEqual({ object: 'rcv_seed', period: PERIOD, purchases: 1, sales: 1, removed: 0 })
    await fresh.seed({ purchases: [bought(1, { net: 5 })] })
    await fresh.sync()
    expect((await fresh.purchases()).body.data).toMatchObject([{ net: 5 }])
  })

  it('200 fills the month that POST /tax/sync reads unless told otherwise', async () => {
    const fresh = await openRegister(world)
    const { issue_date: _, ...undated } = bought(1)
    const sent = await fresh.post('/v1/test_helpers/rcv/seed', { purchases: [undated] })
    const asked = await fresh.post('/v1/tax/sync', {})
    const { result } = await ended(world, fresh, asked.body.id)
    expect([sent.status, result.period, result.purchases]).toEqual([200, sent.body.period, 1])
  })

  it('200 carries several taxes and references through the export', async () => {
    const fresh = await openRegister(world)
    const other_taxes = [
      { code: 24, rate: 31.5, amount: 315 },
      { code: 271, rate: 18, amount: 180 },
    ]
    const references = { reference_tipo_doc: 52, reference_folios: ['10', '11'] }
    // The register of purchases names no document that a nota refers to, but marks the ones about a factura de compra.
    const about_46 = bought(2, { tipo_doc: 61, reference_tipo_doc: 46, reference_folios: ['9'], total: 1000 })
    await fresh.seed({
      sales: [sold(1, { other_taxes, ...references }), sold(2, { tipo_doc: 61, iva_late: 190 })],
      purchases: [bought(1, { other_taxes }), about_46],
    })
    expect((await fresh.sync()).result.partial_errors).toEqual([])
    const [sale] = (await fresh.sales('&tipo_doc=33')).body.data
    const [late] = (await fresh.sales('&tipo_doc=61')).body.data
    const [nota] = (await fresh.purchases('&tipo_doc=61')).body.data
    expect([late.iva, late.iva_late, nota.reference]).toEqual([190, 190, { tipo_doc: 46, folios: [] }])
    const codes = codesOf(await fresh.post(`${PROPOSALS}/${PERIOD}/recompute`, {}))
    // 1,000 and 190 of IVA that are no longer withheld (736); the late nota of 190 lowers no debit (510).
    expect([codes[736], codes[510], codes[538]]).toEqual([190, 0, 190])
    expect([sale.other_taxes, sale.reference, sale.total]).toEqual([
      other_taxes,
      { tipo_doc: 52, folios: ['10', '11'] },
      1685,
    ])
    expect((await fresh.purchases('&tipo_doc=33')).body.data[0].other_taxes).toEqual(other_taxes)
  })

  it('400 invalid_field names the entry that lacks its folio, and the summary that has one', async () => {
    const fresh = await openRegister(world)
    const wrong: [object, string][] = [
      [{ purchases: [bought(1), { ...bought(2), folio: undefined }] }, 'purchases[1].folio'],
      [{ sales: [{ tipo_doc: 39, folio: 3 }] }, 'sales[0].folio'],
      [{ remove: [{ side: 'sale', tipo_doc: 33, folio: 3 }] }, 'remove[0].counterparty_rut'],
      [{ purchases: [bought(1, { received_at: '2026-02-31T00:00:00Z' })] }, 'purchases[0].received_at'],
      [{ purchases: [bought(1, { issue_date: '2026-02-31' })] }, 'purchases[0].issue_date'],
      [{ sales: [sold(1, { other_taxes: [{ code: 0, rate: null, amount: 1 }] })] }, 'sales[0].other_taxes[0].code'],
      [{ sales: [sold(1, { other_taxes: [{ code: 24, rate: 1e9, amount: 1 }] })] }, 'sales[0].other_taxes[0].rate'],
    ]
    for (const [body, param] of wrong) {
      const sent = await fresh.seed(body)
      expect([sent.status, sent.body.error.param]).toEqual([400, param])
    }
  })
})
