import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CLIENT,
  codesOf,
  fillMonth,
  MONTH,
  openFitMonth,
  openMonth,
  PROPOSALS,
  SUPPLIER,
  syncMonth,
} from '../../../../test/support/f29-month.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import { groupEntries } from './lineage-store.ts'

const PERIOD = '2025-10'
const ONE = `${PROPOSALS}/${PERIOD}`
const GIVEN = { ppm_rate: 0.25, payroll_tax: 12_000, honorarios_withheld: 15_250, previous_remanente: 10_000 }

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  issuer = await openMonth(world, PERIOD)
})
afterAll(() => world.close())

const recompute = (body: object, whose = issuer, period = PERIOD) =>
  whose.post(`${PROPOSALS}/${period}/recompute`, body)
const refusal = (sent: { status: number; body: { error: { code: string; param?: string } } }) => [
  sent.status,
  sent.body.error.code,
  sent.body.error.param,
]
async function eventsOf(whose: Issuer, type: string) {
  const key = await world.key(whose.account, { scopes: ['webhooks:read'] })
  const sent = await world.get(`/v1/events?type=${type}&limit=100&empresa_rut=${whose.rut}`, { key })
  return sent.body.data
}

describe('the sums of a month', () => {
  it('read each entry once, however many sums and other taxes there are', async () => {
    const plan = await world.db.transact(async (sql) => {
      const explained = (strings: readonly string[], ...values: unknown[]) =>
        sql(
          Object.assign([`explain ${strings[0]}`, ...strings.slice(1)], { raw: [] }) as TemplateStringsArray,
          ...values,
        )
      const { account, empresa_id, rut } = issuer
      const scope = { account_id: account, empresa_id, rut, mode: 'test' } as const
      return groupEntries(explained as Sql, scope, PERIOD)
    })
    const lines = plan.map((line) => Object.values(line).join())
    expect(lines.filter((line) => / on rcv_entry\b/.test(line))).toHaveLength(1)
    expect(lines.filter((line) => / on counted\b/.test(line))).toEqual([])
    // The other taxes are gathered once, and not for each sum again.
    expect(lines).toContain('  CTE taxes')
  })
})

describe('a proposal of a month that was read', () => {
  it('200 is the month by hand arithmetic, code by code', async () => {
    const sent = await recompute(GIVEN)
    expect(sent.status).toBe(200)
    expect(codesOf(sent)).toMatchObject({
      503: 2, // two facturas of 1,000,000 and 500,000
      502: 285_000, // 190,000 + 95,000
      586: 1,
      142: 300_000,
      110: 40,
      111: 76_000,
      509: 1,
      510: 19_000,
      538: 342_000, // 285,000 + 76,000 - 19,000
      519: 3, // two facturas del giro and the 46
      520: 171_000, // 114,000 + 19,000 + 38,000
      761: 1,
      762: 1_900,
      524: 1,
      525: 57_000,
      527: 1,
      528: 9_500,
      531: 1,
      532: 1_900,
      564: 1,
      521: 20_000,
      514: 3_800,
      584: 2, // the exempt factura and the exempt part of another
      562: 130_000, // 80,000 + 50,000
      511: 222_300, // 171,000 + 1,900 + 57,000 + 1,900 - 9,500
      504: 10_040, // 10,000 x 69,542 / 69,265, the UTM of November and October
      537: 232_340, // 222,300 + 10,040
      89: 109_660, // 342,000 - 232,340
      77: 0,
      563: 2_100_000, // 1,500,000 + 300,000 + 400,000 - 100,000
      115: 0.25,
      62: 5_250,
      48: 12_000,
      151: 15_250,
      595: 142_160, // 109,660 + 5,250 + 12,000 + 15,250
      39: 38_000,
      596: 38_000,
      547: 180_160,
      91: 180_160,
    })
    expect(sent.body).toMatchObject({
      total: 180_160,
      remanente: 0,
      due_date: '2025-11-20',
      status: 'open',
      filing: null,
    })
    const pending = sent.body.warnings.find((one: { code: string }) => one.code === 'pending_entries')
    expect(pending).toMatchObject({ count: 1, amount: 19_000, blocks_filing: false })
    expect((await issuer.get(ONE)).body).toEqual(sent.body)
  })

  it('200 opens each code to the very entries behind it, page by page', async () => {
    const all = await issuer.get(`${ONE}/codes/520`)
    expect(all.body.data.map((entry: { folio: number }) => entry.folio).sort()).toEqual([11, 12, 13])
    const first = await issuer.get(`${ONE}/codes/520?limit=2`)
    const rest = await issuer.get(`${ONE}/codes/520?limit=2&cursor=${first.body.next_cursor}`)
    expect([...first.body.data, ...rest.body.data]).toEqual(all.body.data)
    const { body } = await issuer.get(ONE)
    for (const { code, entries } of body.codes as { code: number; entries: number }[]) {
      const behind = await issuer.get(`${ONE}/codes/${code}?limit=100`)
      expect([code, behind.body.data.length]).toEqual([code, entries])
    }
    const folios = async (code: number) =>
      (await issuer.get(`${ONE}/codes/${code}`)).body.data.map((entry: { folio: number }) => entry.folio).sort()
    expect([await folios(39), await folios(562), await folios(91)]).toEqual([[13], [12, 19], []])
    expect(refusal(await issuer.get(`${ONE}/codes/528?cursor=${first.body.next_cursor}`)).slice(0, 2)).toEqual([
      400,
      'invalid_cursor',
    ])
    expect(refusal(await issuer.get(`${ONE}/codes/1234`))).toEqual([400, 'invalid_field', 'code'])
    const never = await issuer.get('/v1/tax/f29/proposals/2019-01/codes/520/export')
    expect(refusal(never).slice(0, 2)).toEqual([404, 'f29_proposal_not_found'])
  })

  it('200 is a file that the SII takes, named after the RUT', async () => {
    const sent = await issuer.get(`${ONE}/upload_file`)
    expect(sent.headers['content-type']).toBe('text/plain')
    expect(sent.headers['content-disposition']).toContain(`${issuer.rut.slice(0, -2).padStart(8, '0')}.txt`)
    const { body } = await issuer.get(ONE)
    const total = String(body.codes.find((one: { code: number }) => one.code === 520).amount)
    expect(sent.text).toContain(`0520+${total.padStart(15, '0')}`)
    expect(sent.text).not.toContain('0537+')
  })

  it('tells once that it is ready, with the very body of a GET', async () => {
    const other = await openMonth(world, PERIOD)
    const ready = (await eventsOf(other, 'tax.f29.proposal_ready')).filter(
      (event: { data: { object: { period: string } } }) => event.data.object.period === PERIOD,
    )
    expect(ready).toHaveLength(1)
    expect((await other.get(ONE)).body).toEqual(ready[0].data.object)
  })
})

describe('POST /tax/f29/proposals/{period}/recompute', () => {
  it('200 tells what changed, once, and a compute that changes nothing makes no version and no event', async () => {
    const own = await openFitMonth(world, PERIOD)
    const before = (await own.get(ONE)).body
    const sent = await recompute({ payroll_tax: 700 }, own)
    expect(sent.body.version).toBe(before.version + 1)
    expect(sent.body.diff).toEqual([
      { code: 48, before: 0, after: 700 },
      { code: 595, before: before.total - 38_000, after: before.total - 38_000 + 700 },
      { code: 547, before: before.total, after: before.total + 700 },
      { code: 91, before: before.total, after: before.total + 700 },
    ])
    const again = await recompute({ payroll_tax: 700 }, own)
    expect([again.body.version, again.body.diff]).toEqual([sent.body.version, sent.body.diff])
    const told = await eventsOf(own, 'tax.f29.proposal_changed')
    const changed = told.filter(
      ({ data }: { data: { object: { version: number } } }) => data.object.version > before.version,
    )
    expect(changed).toHaveLength(1)
    expect(changed[0].data.object).toEqual(sent.body)
    expect(changed[0].data.previous_attributes).toMatchObject({ version: before.version, total: before.total })
  })

  it('200 keeps what was said before, takes back what is null, and replaces all overrides at once', async () => {
    const own = await openMonth(world, PERIOD)
    await recompute({ ...GIVEN, overrides: [{ code: 520, amount: 1, reason: 'prueba' }] }, own)
    const kept = await recompute({}, own)
    expect(kept.body.inputs).toMatchObject(GIVEN)
    expect(codesOf(kept)[520]).toBe(1)
    const shown = kept.body.codes.find((one: { code: number }) => one.code === 520)
    expect(shown).toMatchObject({ source: 'override', computed_amount: 171_000, override_reason: 'prueba' })
    const taken = await recompute({ payroll_tax: null, overrides: [] }, own)
    expect([taken.body.inputs.payroll_tax, codesOf(taken)[48], codesOf(taken)[520]]).toEqual([null, 0, 171_000])
  })

  it('200 makes a proposal of a period that was never read, and says that it is not fit to be filed', async () => {
    const fresh = await openIssuer(world)
    expect(refusal(await fresh.get(ONE)).slice(0, 2)).toEqual([404, 'f29_proposal_not_found'])
    const sent = await recompute({}, fresh)
    expect(sent.body).toMatchObject({ version: 1, total: 0, diff: [] })
    const codes = sent.body.warnings.map((one: { code: string }) => one.code)
    expect(codes).toEqual(['never_synced', 'previous_remanente_unknown'])
  })

  it('400 invalid_field for an override of a sum, an unknown code, the rate, a repetition or a bad amount', async () => {
    const over = (code: number, amount: unknown = 1) => ({ code, amount, reason: 'x' })
    for (const [body, param] of [
      [{ overrides: [over(48), over(537)] }, 'overrides[1].code'],
      ...[538, 89, 77, 595, 596, 547, 91, 62, 94].map(
        (code) => [{ overrides: [over(code)] }, 'overrides[0].code'] as const,
      ),
      [{ overrides: [over(999)] }, 'overrides[0].code'],
      [{ overrides: [over(115)] }, 'overrides[0].code'],
      [{ overrides: [over(48), over(48)] }, 'overrides[1].code'],
      [{ overrides: [over(48, -1)] }, 'overrides[0].amount'],
      [{ overrides: [over(48, 1.5)] }, 'overrides[0].amount'],
      [{ overrides: [{ code: 48, amount: 1 }] }, 'overrides[0].reason'],
      [{ ppm_rate: 0.1234 }, 'ppm_rate'],
      [{ ppm_rate: 101 }, 'ppm_rate'],
      [{ common_use_factor: 0.12345 }, 'common_use_factor'],
      [{ common_use_factor: 1.1 }, 'common_use_factor'],
      [{ payroll_tax: -5 }, 'payroll_tax'],
      [{ payrol_tax: 5 }, 'payrol_tax'],
    ] as const) {
      expect(refusal(await recompute(body))).toEqual([400, 'invalid_field', param])
    }
  })

  it('400 invalid_field for a period that has not begun, is before the registers, or is none', async () => {
    for (const period of ['2099-01', '2017-07', '2025-13', '202510']) {
      expect(refusal(await recompute({}, issuer, period))).toEqual([400, 'invalid_field', 'period'])
    }
  })

  it('says of the month that runs that it is not over', async () => {
    const now = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Santiago' }).format(Date.now()).slice(0, 7)
    const { body } = await recompute({}, issuer, now)
    expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'period_open', blocks_filing: true }))
  })
})

describe('what a proposal follows', () => {
  it('a new reading of the register changes it, and the entries that went no longer count', async () => {
    const own = await openMonth(world, PERIOD)
    const remove = [{ side: 'sale', tipo_doc: 33, folio: 2, counterparty_rut: CLIENT }]
    await own.post('/v1/test_helpers/rcv/seed', { period: PERIOD, remove })
    await syncMonth(own, PERIOD)
    await expect.poll(async () => codesOf(await own.get(ONE))[502]).toBe(190_000)
    const behind = await own.get(`${ONE}/codes/502`)
    expect(behind.body.data.map((entry: { folio: number }) => entry.folio)).toEqual([1])
    const [changed] = await eventsOf(own, 'tax.f29.proposal_changed')
    await expect.poll(async () => (await own.get(ONE)).body).toEqual(changed.data.object)
  })

  it('a reading that ends while a computation runs elsewhere is followed too', async () => {
    const own = await openMonth(world, PERIOD)
    // Another worker is at it, and read the register before what follows.
    await world.db.sql`
      insert into job (id, name, account_id, mode, empresa_id, key, lane, payload, due_at, run_at, max_attempts, status,
        worker, lease_until, created_at)
      values (${newId('job')}, 'f29.compute', ${own.account}, 'test', ${own.empresa_id}, ${`${own.empresa_id}:${PERIOD}`},
        ${`f29.compute|${own.empresa_id}`}, ${JSON.stringify({ period: PERIOD })}, now(), now(), 8, 'running', 'w_elsewhere',
        now() + interval '1 hour', now())`
    const remove = [{ side: 'sale', tipo_doc: 33, folio: 2, counterparty_rut: CLIENT }]
    await own.post('/v1/test_helpers/rcv/seed', { period: PERIOD, remove })
    await syncMonth(own, PERIOD)
    await expect.poll(async () => codesOf(await own.get(ONE))[502]).toBe(190_000)
  })

  it('what is left over goes into the next month, readjusted, and that one follows when it changes', async () => {
    const own = await openIssuer(world)
    const bought = { tipo_doc: 33, folio: 1, counterparty_rut: SUPPLIER, net: 100_000, iva: 19_000 }
    await fillMonth(own, '2025-09', { purchases: [bought] })
    await fillMonth(own, PERIOD, MONTH)
    // 19,000 x 69,542 / 69,265 = 19,075.98
    await expect.poll(async () => codesOf(await own.get(ONE))[504]).toBe(19_076)
    await recompute({ overrides: [{ code: 520, amount: 9_000, reason: 'x' }] }, own, '2025-09')
    // 9,000 x 69,542 / 69,265 = 9,035.99
    await expect.poll(async () => codesOf(await own.get(ONE))[504]).toBe(9_036)
  })

  it('a month that is read after the one that follows it still hands on what it left over', async () => {
    const own = await openIssuer(world)
    const bought = { tipo_doc: 33, folio: 1, counterparty_rut: SUPPLIER, net: 100_000, iva: 19_000 }
    await own.post('/v1/test_helpers/rcv/seed', { period: '2025-09', purchases: [bought] })
    // The first reading has the year before it read too, after it.
    await fillMonth(own, PERIOD, MONTH)
    await expect.poll(async () => codesOf(await own.get(ONE))[504]).toBe(19_076)
    const { warnings } = (await own.get(ONE)).body
    expect(warnings.map((one: { code: string }) => one.code)).not.toContain('previous_remanente_unknown')
  })

  it('the rate of the PPM goes on to the next month', async () => {
    const own = await openIssuer(world)
    await recompute({ ppm_rate: 0.125, payroll_tax: 5 }, own, '2025-09')
    const { body } = await recompute({}, own)
    expect(body.inputs).toMatchObject({ ppm_rate: 0.125, payroll_tax: null })
  })

  it('differences name the codes that the SII proposes otherwise', async () => {
    const own = await openMonth(world, PERIOD)
    const ours = codesOf(await own.get(ONE))
    expect((await own.get(ONE)).body.differences).toEqual([])
    const same = Object.entries(ours).map(([code, amount]) => ({ code: Number(code), amount: Math.round(amount ?? 0) }))
    const codes = same.map((one) => (one.code === 520 ? { ...one, amount: one.amount + 500 } : one))
    expect((await own.post('/v1/test_helpers/f29/proposals', { period: PERIOD, codes })).status).toBe(200)
    await expect
      .poll(async () => (await own.get(ONE)).body.differences)
      .toEqual([{ code: 520, ours: 171_000, sii: 171_500 }])
    expect(await eventsOf(own, 'tax.f29.proposal_changed')).toEqual([])
    await own.post('/v1/test_helpers/f29/proposals', { period: PERIOD, codes: [] })
    await expect.poll(async () => (await own.get(ONE)).body.differences).toEqual([])
  })

  it('400 invalid_field for a code that the sandbox SII is told to propose twice', async () => {
    const own = await openIssuer(world)
    const codes = [520, 538, 520].map((code) => ({ code, amount: 1 }))
    const { status, body } = await own.post('/v1/test_helpers/f29/proposals', { period: PERIOD, codes })
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_field', 'codes[2].code'])
  })
})

describe('GET /tax/f29/proposals', () => {
  it('200 lists the newest period first, page by page, and 400 invalid_cursor for a foreign one', async () => {
    const own = await openIssuer(world)
    for (const period of ['2025-06', '2025-08', '2025-07']) await recompute({}, own, period)
    const first = await own.get(`${PROPOSALS}?limit=2`)
    const rest = await own.get(`${PROPOSALS}?limit=2&cursor=${first.body.next_cursor}`)
    const periods = [...first.body.data, ...rest.body.data].map((one: { period: string }) => one.period)
    expect(periods).toEqual(['2025-08', '2025-07', '2025-06'])
    // July came after August, which is worked out again by itself, at a moment of its own.
    await world.until(async () => {
      const listed = (await own.get(`${PROPOSALS}?limit=1`)).body.data[0]
      return isDeepStrictEqual(listed, (await own.get(`${PROPOSALS}/2025-08`)).body)
    })
    expect(refusal(await own.get(`${PROPOSALS}?cursor=cur_x`)).slice(0, 2)).toEqual([400, 'invalid_cursor'])
  })

  it('404 f29_proposal_not_found for whatever is asked of a period that has none', async () => {
    const own = await openIssuer(world)
    for (const path of [ONE, `${ONE}/codes/520`, `${ONE}/upload_file`]) {
      expect(refusal(await own.get(path)).slice(0, 2)).toEqual([404, 'f29_proposal_not_found'])
    }
  })
})
