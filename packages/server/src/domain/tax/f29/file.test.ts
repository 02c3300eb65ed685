import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codesOf, FIT, openFitMonth, openMonth, PROPOSALS } from '../../../../test/support/f29-month.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { OPERATOR_SECRET, openWorld, type Sent, type World } from '../../../../test/support/world.ts'
import { type Sii, SiiUnreachable } from '../../../ports/sii.ts'

const PERIOD = '2025-10'
const ONE = `${PROPOSALS}/${PERIOD}`
const FILINGS = '/v1/tax/f29/filings'

let world: World
const away = new Set<string>()
const forgetful = new Set<string>()
beforeAll(async () => {
  const falters = (sandbox: Sii): Sii => ({
    ...sandbox,
    async fileF29(order) {
      if (away.has(order.empresa.rut)) throw new SiiUnreachable('connection refused')
      const taken = await sandbox.fileF29(order)
      // The SII has it, and the answer is lost on the way.
      if (forgetful.delete(order.empresa.rut)) throw new SiiUnreachable('connection reset')
      return taken
    },
  })
  world = await openWorld({ test_sii: falters, quick: true })
})
afterAll(() => world.close())

const file = (whose: Issuer, body: object = { period: PERIOD }) => whose.post(FILINGS, body)
const refusal = (sent: { status: number; body: { error: { code: string } } }) => [sent.status, sent.body.error.code]

async function settled(whose: Issuer, id: string) {
  const read = () => whose.get(`${FILINGS}/${id}`)
  await expect.poll(async () => (await read()).body.status).toMatch(/accepted|failed|operator/)
  return read()
}
async function eventsOf(whose: Issuer, mode: 'test' | 'live' = 'test') {
  const key = await world.key(whose.account, { mode, scopes: ['webhooks:read'] })
  const sent = await world.get(`/v1/events?type=tax.f29.*&limit=100&empresa_rut=${whose.rut}`, { key })
  return sent.body.data.filter((event: { type: string }) => event.type.startsWith('tax.f29.filing')).reverse()
}

describe('POST /tax/f29/filings', () => {
  it('202 files what the proposal says and the SII gives it a folio; the figures are frozen', async () => {
    const own = await openFitMonth(world, PERIOD)
    const proposal = await own.get(ONE)
    const sent = await file(own, { period: PERIOD, confirm_total: proposal.body.total })
    expect(sent.status).toBe(202)
    expect(sent.body).toMatchObject({ object: 'f29_filing', status: 'queued', folio: null, total: proposal.body.total })
    expect(codesOf(sent)).toEqual(codesOf(proposal))
    const accepted = await settled(own, sent.body.id)
    expect(accepted.body).toMatchObject({ status: 'accepted', folio: expect.stringMatching(/^7\d{9}$/), failure: null })
    const told = await eventsOf(own)
    expect(told.map((event: { type: string }) => event.type)).toEqual([
      'tax.f29.filing_submitted',
      'tax.f29.filing_accepted',
    ])
    expect(told[1].data.object).toEqual(accepted.body)
    expect(told[1].data.previous_attributes).toMatchObject({ status: 'submitted', folio: null })
    const after = await own.get(ONE)
    expect(after.body).toMatchObject({ status: 'filed', filing: { id: sent.body.id, status: 'accepted' } })
    expect([codesOf(after), after.body.version]).toEqual([codesOf(proposal), proposal.body.version])
  })

  it('a filed period is closed: neither its entries nor its figures are changed by anybody here', async () => {
    const own = await openFitMonth(world, PERIOD)
    const { id } = (await file(own)).body
    const purchases = await own.get(`/v1/tax/purchases?period=${PERIOD}&tipo_doc=33`)
    const entry = purchases.body.data[0].id
    const change = () => own.post(`/v1/tax/purchases/${entry}/characterize`, { tipo_compra: 2 })
    expect(refusal(await change())).toEqual([409, 'period_locked'])
    expect(refusal(await own.post(`${ONE}/recompute`, {}))).toEqual([409, 'period_locked'])
    await settled(own, id)
    expect(refusal(await change())).toEqual([409, 'period_locked'])
    const before = await own.get(ONE)
    await own.post('/v1/test_helpers/f29/proposals', { period: PERIOD, codes: [{ code: 520, amount: 5 }] })
    await expect.poll(async () => (await own.get(ONE)).body.sii_read_at).not.toBe(before.body.sii_read_at)
    const after = await own.get(ONE)
    expect(codesOf(after)).toEqual(codesOf(before))
    expect(after.body).toMatchObject({ version: before.body.version, changes_since_filing: [] })
  })

  it('409 f29_already_filed while it is filed or being filed, also when many file at once', async () => {
    const own = await openFitMonth(world, PERIOD)
    const sent = await Promise.all([file(own), file(own), file(own)])
    const made = sent.filter(({ status }) => status === 202)
    expect(made).toHaveLength(1)
    const refused = sent.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.error.existing_id)).toEqual([made[0]?.body.id, made[0]?.body.id])
    await settled(own, made[0]?.body.id)
    expect(refusal(await file(own))).toEqual([409, 'f29_already_filed'])
  })

  it('a filing that the SII finds wrong fails in its words, opens the period again and may be made anew', async () => {
    const own = await openFitMonth(world, PERIOD)
    const errors = [{ code: 'E-538', message: 'El total de débitos no cuadra con el registro de ventas.' }]
    await own.post('/v1/test_helpers/f29/validations', { period: PERIOD, errors })
    const failed = await settled(own, (await file(own)).body.id)
    expect(failed.body).toMatchObject({ status: 'failed', folio: null, errors, failure: { code: 'f29_refused' } })
    expect((await eventsOf(own)).at(-1)).toMatchObject({ type: 'tax.f29.filing_failed', data: { object: failed.body } })
    expect((await own.get(ONE)).body).toMatchObject({ status: 'open', filing: null })
    expect((await own.post(`${ONE}/recompute`, { payroll_tax: 1 })).status).toBe(200)
    const again = await settled(own, (await file(own)).body.id)
    expect(again.body).toMatchObject({ status: 'accepted', errors: [] })
    const list = await own.get(`${FILINGS}?period=${PERIOD}`)
    expect(list.body.data.map((one: { status: string }) => one.status)).toEqual(['accepted', 'failed'])
  })

  it('a filing that never reached the SII fails after every try, on the clock of the account', async () => {
    const own = await openFitMonth(world, PERIOD)
    away.add(own.rut)
    const { id } = (await file(own)).body
    const key = await world.key(own.account)
    await moveClock(world, key, { empresa_rut: own.rut, advance: 'P1D' })
    const failed = await settled(own, id)
    expect(failed.body).toMatchObject({ status: 'failed', failure: { code: 'sii_unreachable' }, submitted_at: null })
    away.delete(own.rut)
    expect((await file(own)).status).toBe(202)
  })

  it('a filing whose answer was lost on the way is handed over again as the same one, and decided once', async () => {
    const own = await openFitMonth(world, PERIOD)
    const errors = [{ code: 'E-1', message: 'No cuadra.' }]
    await own.post('/v1/test_helpers/f29/validations', { period: PERIOD, errors })
    forgetful.add(own.rut)
    const { id } = (await file(own)).body
    const key = await world.key(own.account)
    await moveClock(world, key, { empresa_rut: own.rut, advance: 'PT10M' })
    expect((await settled(own, id)).body).toMatchObject({ status: 'failed', errors })
    expect(forgetful.has(own.rut)).toBe(false)
    expect(await eventsOf(own)).toHaveLength(2)
  })

  it('409 f29_total_mismatch when another total was confirmed, and nothing is filed', async () => {
    const own = await openFitMonth(world, PERIOD)
    const { total } = (await own.get(ONE)).body
    const sent = await file(own, { period: PERIOD, confirm_total: total + 1 })
    expect([...refusal(sent), sent.body.error.details]).toEqual([409, 'f29_total_mismatch', { total }])
    expect((await own.get(FILINGS)).body.data).toEqual([])
  })

  it('422 f29_proposal_incomplete for what was never read or has not ended', async () => {
    const own = await openIssuer(world)
    await own.post(`${ONE}/recompute`, {})
    const sent = await file(own)
    expect(refusal(sent)).toEqual([422, 'f29_proposal_incomplete'])
    expect(sent.body.error.details.warnings.map((one: { code: string }) => one.code)).toEqual(['never_synced'])
  })

  it('422 f29_proposal_incomplete with income and no PPM rate; 0 is one', async () => {
    const own = await openMonth(world, PERIOD)
    await own.post(`${ONE}/recompute`, { overrides: FIT.overrides })
    const sent = await file(own)
    expect(refusal(sent)).toEqual([422, 'f29_proposal_incomplete'])
    expect(sent.body.error.details.warnings.map((one: { code: string }) => one.code)).toEqual(['ppm_rate_missing'])
    await own.post(`${ONE}/recompute`, { ppm_rate: 0 })
    expect((await file(own)).status).toBe(202)
  })

  it('409 f29_proposal_changed where filing would change a code nobody saw, though the total stays', async () => {
    const own = await openFitMonth(world, PERIOD)
    const before = (await own.get(ONE)).body
    // The fixed assets of the month, 57,000 of IVA, become purchases del giro: 525 goes to 0, 520 to 171,000 + 57,000; the
    // créditos and all that is paid stay.
    await world.db.sql`update rcv_entry set tipo_compra = 1 where empresa_id = ${own.empresa_id} and folio = 15`
    const sent = await file(own, { period: PERIOD, confirm_total: before.total_due, version: before.version })
    expect(refusal(sent)).toEqual([409, 'f29_proposal_changed'])
    expect(sent.body.error.details).toMatchObject({ version: before.version + 1, total_due: before.total_due })
    expect(sent.body.error.details.diff).toContainEqual({ code: 520, before: 171_000, after: 228_000 })
    expect((await own.get(FILINGS)).body.data).toEqual([])
    const seen = (await own.post(`${ONE}/recompute`, {})).body
    expect((await file(own, { period: PERIOD, version: seen.version })).status).toBe(202)
  })

  it('a characterization is in the proposal soon after, and the version from before it is not filed', async () => {
    const own = await openFitMonth(world, PERIOD)
    const before = (await own.get(ONE)).body
    const { data } = (await own.get(`/v1/tax/purchases?period=${PERIOD}&tipo_doc=33`)).body
    const entry = data.find(({ folio }: { folio: number }) => folio === 11)
    await own.post(`/v1/tax/purchases/${entry.id}/characterize`, { tipo_compra: 2 })
    const now = async () => (await own.get(ONE)).body
    await expect.poll(async () => (await now()).stale).toBe(false)
    const after = await now()
    const figures = Object.fromEntries(
      after.codes.map((one: { code: number; amount: number }) => [one.code, one.amount]),
    )
    // Folio 11: 114,000 of IVA go from purchases del giro (520) to those of supermarkets (762), beside the 1,900.
    expect([figures[520], figures[762]]).toEqual([57_000, 115_900])
    const sent = await file(own, { period: PERIOD, version: before.version })
    expect([...refusal(sent), sent.body.error.param]).toEqual([409, 'f29_proposal_changed', 'version'])
    expect((await file(own, { period: PERIOD, version: after.version })).status).toBe(202)
  })

  it('404 f29_proposal_not_found without a proposal, 400 invalid_field for what is no period', async () => {
    const own = await openIssuer(world)
    expect(refusal(await file(own))).toEqual([404, 'f29_proposal_not_found'])
    expect(refusal(await file(own, { period: 'octubre' }))).toEqual([400, 'invalid_field'])
    expect(refusal(await file(own, { period: PERIOD, confirm_total: -1 }))).toEqual([400, 'invalid_field'])
  })
})

describe('a rectificatoria', () => {
  it('409 f29_nothing_to_rectify where nothing was filed, or nothing differs', async () => {
    const own = await openFitMonth(world, PERIOD)
    const first = await file(own, { period: PERIOD, rectifies: 'f29_x' })
    expect([...refusal(first), first.body.error.param]).toEqual([409, 'f29_nothing_to_rectify', 'rectifies'])
    const { id } = (await file(own)).body
    await settled(own, id)
    expect(refusal(await file(own, { period: PERIOD, rectifies: id }))).toEqual([409, 'f29_nothing_to_rectify'])
    expect(refusal(await file(own, { period: PERIOD, rectifies: 'f29_x' }))).toEqual([409, 'f29_already_filed'])
  })

  it('202 corrects what a document dated into the filed month changed, which the proposal told by itself', async () => {
    const own = await openFitMonth(world, PERIOD)
    const { id } = (await file(own)).body
    const original = await settled(own, id)
    // One exempt factura more, of 5,000: 142 is 300,000 + 5,000, and so is the PPM base. The SII has it in the register of
    // its date.
    const issued = await own.create({ ...FACTURA, tipo_dte: 34, issue_date: '2025-10-15' })
    expect(issued.status, issued.text).toBe(201)
    const changes = async () => (await own.get(ONE)).body.changes_since_filing
    await expect.poll(changes).toContainEqual({ code: 142, before: 300_000, after: 305_000 })
    const proposal = (await own.get(ONE)).body
    expect(proposal).toMatchObject({ status: 'filed', filing: { id }, total: original.body.total })
    expect(await changes()).toContainEqual({ code: 563, before: 2_100_000, after: 2_105_000 })
    const told = await world.get(`/v1/events?type=tax.f29.proposal_changed&limit=1&empresa_rut=${own.rut}`, {
      key: await world.key(own.account, { scopes: ['webhooks:read'] }),
    })
    expect(told.body.data[0].data.object.changes_since_filing).toEqual(proposal.changes_since_filing)

    expect(refusal(await file(own))).toEqual([409, 'f29_already_filed'])
    const sent = await file(own, { period: PERIOD, rectifies: id, version: proposal.version })
    expect(sent.status, sent.text).toBe(202)
    expect(sent.body).toMatchObject({ rectifies: id, corrections: proposal.changes_since_filing })
    expect(refusal(await file(own, { period: PERIOD, rectifies: id }))).toEqual([409, 'f29_already_filed'])
    expect((await settled(own, sent.body.id)).body).toMatchObject({ status: 'accepted', rectifies: id })
    expect((await settled(own, id)).body).toEqual(original.body)
    expect((await own.get(ONE)).body).toMatchObject({ filing: { id: sent.body.id }, changes_since_filing: [] })
  })

  it('opens the month by hand, and closes it again; what is left over is what was declared until then', async () => {
    const own = await openFitMonth(world, PERIOD)
    await own.post(`${ONE}/recompute`, { previous_remanente: 1_000_000 })
    const next = `${PROPOSALS}/2025-11`
    await own.post(`${next}/recompute`, FIT)
    const { id } = (await file(own)).body
    expect(refusal(await own.post(`${ONE}/recompute`, { rectify: true }))).toEqual([409, 'period_locked'])
    await settled(own, id)
    const before = (await own.post(`${next}/recompute`, {})).body
    const opened = await own.post(`${ONE}/recompute`, { rectify: true, previous_remanente: 900_000 })
    expect(opened.status, opened.text).toBe(200)
    expect(opened.body.changes_since_filing.map(({ code }: { code: number }) => code)).toContain(77)
    expect((await own.post(`${next}/recompute`, {})).body).toMatchObject({
      version: before.version,
      codes: before.codes,
    })
    const sent = await file(own, { period: PERIOD, rectifies: id, version: opened.body.version })
    expect(sent.status, sent.text).toBe(202)
    // The remanente of October fell, and with it the 504 of November.
    const left = codesOf(await own.post(`${next}/recompute`, {}))[504] ?? 0
    expect(left).toBeLessThan(codesOf({ body: before } as Sent)[504] ?? 0)
    expect(refusal(await own.post(`${ONE}/recompute`, {}))).toEqual([409, 'period_locked'])
  })
})

describe('GET /tax/f29/filings', () => {
  it('404 f29_filing_not_found for a filing of another empresa, 400 invalid_cursor for a garbled one', async () => {
    const own = await openFitMonth(world, PERIOD)
    const { id } = (await file(own)).body
    const other = await openIssuer(world, { account: own.account })
    expect(refusal(await other.get(`${FILINGS}/${id}`))).toEqual([404, 'f29_filing_not_found'])
    expect((await other.get(FILINGS)).body.data).toEqual([])
    expect(refusal(await own.get(`${FILINGS}?cursor=cur_x`))).toEqual([400, 'invalid_cursor'])
    expect((await own.get(`${FILINGS}?status=failed`)).body.data).toEqual([])
  })
})

describe('a live filing', () => {
  const as = { 'svc-operator-secret': OPERATOR_SECRET }

  /** A live empresa with a proposal, as if its register had been read. */
  async function live(): Promise<{ own: Issuer; id: string; outcome: string }> {
    const own = await openIssuer(world, { mode: 'live' })
    await world.db.sql`
      insert into rcv_sync (account_id, empresa_id, mode, period, last_synced_at)
      values (${own.account}, ${own.empresa_id}, 'live', ${PERIOD}, now())`
    await own.post(`${ONE}/recompute`, { payroll_tax: 9_000, overrides: FIT.overrides })
    const { id } = (await file(own)).body
    const outcome = `/v1/empresas/${own.empresa_id}/f29/filings/${id}/outcome`
    expect((await settled(own, id)).body).toMatchObject({
      status: 'awaiting_operator',
      total: 9_000,
      submitted_at: null,
    })
    return { own, id, outcome }
  }

  it('200 waits for the operator, who says what came of it', async () => {
    const { own, id, outcome } = await live()
    const body = { confirm: true, outcome: 'accepted', folio: '8123456789' }
    const sent = await world.post(outcome, { headers: as, body })
    expect(sent.body).toMatchObject({ id, status: 'accepted', folio: '8123456789' })
    const told = await eventsOf(own, 'live')
    expect(told.map((event: { type: string }) => event.type)).toEqual([
      'tax.f29.filing_submitted',
      'tax.f29.filing_accepted',
    ])
    expect(refusal(await world.post(outcome, { headers: as, body }))).toEqual([409, 'f29_filing_settled'])
  })

  it('422 f29_proposal_incomplete without the UTM of both months, until the operator loads it or 504 is overridden', async () => {
    const own = await openIssuer(world, { mode: 'live' })
    await world.db.sql`
      insert into rcv_sync (account_id, empresa_id, mode, period, last_synced_at)
      values (${own.account}, ${own.empresa_id}, 'live', '2026-02', now())`
    const recompute = (body: object) => own.post(`${PROPOSALS}/2026-02/recompute`, body)
    type Told = { code: string; concerns: string[] }[]
    const utmMissing = (told: Told) => told.find(({ code }) => code === 'utm_missing')?.concerns
    await recompute({ previous_remanente: 100_000 })
    const sent = await file(own, { period: '2026-02' })
    expect(refusal(sent)).toEqual([422, 'f29_proposal_incomplete'])
    // Of February and March the program carries the first alone.
    expect(utmMissing(sent.body.error.details.warnings)).toEqual(['2026-03'])
    const overrides = [{ code: 504, amount: 100_399, reason: 'UTM de febrero y marzo' }]
    expect(utmMissing((await recompute({ overrides })).body.warnings)).toBeUndefined()
    const indicators = [{ indicator: 'utm', period: '2026-03', value: '69889' }]
    expect((await world.post('/v1/indicators', { headers: as, body: { indicators } })).status).toBe(200)
    // D.L. 825, art. 27: 100,000 x 69,889 / 69,611 = 100,399.36
    const after = await recompute({ overrides: [] })
    expect([codesOf(after)[504], utmMissing(after.body.warnings)]).toEqual([100_399, undefined])
  })

  it('422 f29_proposal_incomplete past its day without what 92 and 93 follow from, until it is loaded', async () => {
    const own = await openIssuer(world, { mode: 'live' })
    const period = '2025-11'
    await world.db.sql`
      insert into rcv_sync (account_id, empresa_id, mode, period, last_synced_at)
      values (${own.account}, ${own.empresa_id}, 'live', ${period}, now())`
    // It was due on 22 December 2025, since the 20th was a Saturday.
    await own.post(`${PROPOSALS}/${period}/recompute`, { payroll_tax: 9_000 })
    const sent = await file(own, { period })
    expect(refusal(sent)).toEqual([422, 'f29_proposal_incomplete'])
    const [told] = sent.body.error.details.warnings
    expect([told.code, told.concerns]).toEqual(['surcharge_unknown', expect.arrayContaining(['ipc 2025-10'])])
    const given = [92, 93].map((code) => ({ code, amount: code, reason: 'según el SII' }))
    const proposal = (await own.post(`${PROPOSALS}/${period}/recompute`, { overrides: given })).body
    expect(proposal).toMatchObject({ total: 9_000, total_due: 9_185 })
    expect(refusal(await file(own, { period, confirm_total: 9_000 }))).toEqual([409, 'f29_total_mismatch'])
    const filed = await file(own, { period, confirm_total: 9_185 })
    expect([filed.status, filed.body.total, filed.body.total_due]).toEqual([202, 9_000, 9_185])
  })

  it('200 fails in the words of the operator and opens the period again', async () => {
    const { own, outcome } = await live()
    const body = { confirm: true, outcome: 'failed', message: 'La clave del SII no funciona.' }
    const sent = await world.post(outcome, { headers: as, body })
    expect(sent.body).toMatchObject({ status: 'failed', failure: { code: 'operator_failed', message: body.message } })
    expect((await file(own)).status).toBe(202)
  })

  it('401 without the secret, 400 without a confirmation or with half an answer, 404 for another filing', async () => {
    const { outcome } = await live()
    const good = { confirm: true, outcome: 'accepted', folio: '1' }
    expect(refusal(await world.post(outcome, { body: good }))).toEqual([401, 'operator_authentication_required'])
    const say = async (body: object, path = outcome) => refusal(await world.post(path, { headers: as, body }))
    expect(await say({ ...good, confirm: false })).toEqual([400, 'confirmation_required'])
    for (const body of [
      { confirm: true, outcome: 'accepted' },
      { confirm: true, outcome: 'failed' },
      { ...good, message: 'x' },
      { confirm: true, outcome: 'failed', message: 'x', folio: '1' },
      { ...good, folio: 'doce' },
    ]) {
      expect(await say(body)).toEqual([400, 'invalid_field'])
    }
    expect(await say(good, outcome.replace(/f29_[^/]+/, 'f29_x'))).toEqual([404, 'f29_filing_not_found'])
  })
})
