import { addPeriods, santiagoPeriod } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ITEMS, RECEPTOR } from '../../../../test/support/issuer.ts'
import { bought, ended, openRegister, PERIOD, SUPPLIER, sold } from '../../../../test/support/rcv-register.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'

let world: World
const sii = { away: false, foreign: false, spoils: '' }
beforeAll(async () => {
  world = await openWorld({
    test_sii: (sandbox) => ({
      ...sandbox,
      readRcv: async (question) => {
        if (sii.away) throw new SiiUnreachable('away', { sentence: 'Servicio en mantención' })
        const exports = await sandbox.readRcv(question)
        if (sii.spoils) {
          const spoilt = (file: Uint8Array) => Buffer.from(String(Buffer.from(file)).replaceAll(sii.spoils, ';=1+1;'))
          return { ...exports, files: exports.files.map((one) => ({ ...one, file: spoilt(one.file) })) }
        }
        if (!sii.foreign) return exports
        return { ...exports, files: exports.files.map((one) => ({ ...one, file: Buffer.from('<html>Error</html>') })) }
      },
    }),
  })
})
afterAll(() => world.close())

describe('POST /tax/sync', () => {
  it('202 gives a job whose result counts what was read, created, updated and withdrawn', async () => {
    const register = await openRegister(world)
    await register.seed({
      purchases: [bought(1), bought(2)],
      sales: [sold(7), { tipo_doc: 39, net: 100, iva: 19, documents: 4 }],
    })
    const asked = await register.post('/v1/tax/sync', { period: PERIOD })
    expect([asked.status, asked.body.type, asked.body.empresa]).toEqual([202, 'rcv_sync', register.rut])
    const job = await ended(world, register, asked.body.id)
    expect(job.result).toEqual({
      period: PERIOD,
      purchases: 2,
      sales: 2,
      created: 4,
      updated: 0,
      withdrawn_at_sii: 0,
      partial_errors: [],
    })
  })

  it('202 reads the previous month of Santiago unless told otherwise', async () => {
    const register = await openRegister(world)
    const asked = await register.post('/v1/tax/sync', {})
    const job = await ended(world, register, asked.body.id)
    expect(job.result.period).toBe(addPeriods(santiagoPeriod(new Date(asked.body.created_at)), -1))
  })

  it('400 for a month that has not begun, that was before the register, or that no calendar has', async () => {
    const register = await openRegister(world)
    for (const period of ['2099-01', '2017-07', '2026-13', '2026-9', 'ayer']) {
      const sent = await register.post('/v1/tax/sync', { period })
      expect([sent.status, sent.body.error.param]).toEqual([400, 'period'])
    }
  })

  it('writes nothing when the SII says what it said before', async () => {
    const register = await openRegister(world)
    await register.seed({ purchases: [bought(1)], sales: [sold(2)] })
    await register.sync()
    const state = () => world.db.sql<{ xmin: string; changed_at: Date }>`
      select xmin::text, changed_at from rcv_entry where empresa_id = ${register.empresa_id} order by id`
    const before = await state()
    const { result } = await register.sync()
    expect(result).toMatchObject({ purchases: 1, sales: 1, created: 0, updated: 0, withdrawn_at_sii: 0 })
    expect(before).toHaveLength(2)
    expect(await state()).toEqual(before)
  })

  it('reads again each time it is asked, and shares one job while it waits or runs', async () => {
    const register = await openRegister(world)
    const first = await register.sync()
    const again = await register.sync()
    expect(again.id).not.toBe(first.id)
    sii.away = true
    const waiting = await register.post('/v1/tax/sync', { period: PERIOD })
    const shared = await register.post('/v1/tax/sync', { period: PERIOD })
    sii.away = false
    expect(shared.body.id).toBe(waiting.body.id)
  })

  it('says synced to whoever asks in the moment between the end of a reading and the end of its job', async () => {
    const register = await openRegister(world)
    const asked = await register.post('/v1/tax/sync', { period: PERIOD })
    await ended(world, register, asked.body.id)
    // As another process sees it: the reading is written, and its worker has not put the job away yet.
    await world.db.sql`
      update job set status = 'running', lease_until = '2099-01-01T00:00:00Z' where id = ${asked.body.id}`
    const shared = await register.post('/v1/tax/sync', { period: PERIOD })
    expect([shared.status, shared.body.id]).toEqual([202, asked.body.id])
    expect((await register.get(`/v1/tax/sales?period=${PERIOD}`)).body.sync.status).toBe('synced')
  })

  it('marks what the SII no longer shows as withdrawn, hides it, and takes it back when it returns', async () => {
    const register = await openRegister(world)
    await register.seed({ purchases: [bought(1), bought(2)] })
    await register.sync()
    const gone = { side: 'purchase', tipo_doc: 33, folio: 2, counterparty_rut: SUPPLIER }
    await register.seed({ remove: [gone] })
    expect((await register.sync()).result).toMatchObject({ purchases: 1, withdrawn_at_sii: 1 })
    expect((await register.purchases()).body.data.map((one: { folio: number }) => one.folio)).toEqual([1])
    const [hidden] = (await register.purchases('&withdrawn=only')).body.data
    expect([hidden.folio, typeof hidden.withdrawn_at_sii]).toEqual([2, 'string'])
    expect((await register.purchases('&withdrawn=included')).body.data).toHaveLength(2)
    await register.seed({ purchases: [bought(2)] })
    expect((await register.sync()).result).toMatchObject({ created: 0, updated: 1 })
    const back = await register.get(`/v1/tax/purchases/${hidden.id}`)
    expect(back.body.withdrawn_at_sii).toBeNull()
  })

  it('updates an entry whose amounts the SII changed, under the same id', async () => {
    const register = await openRegister(world)
    await register.seed({ purchases: [bought(1)] })
    await register.sync()
    const [before] = (await register.purchases()).body.data
    await register.seed({ purchases: [bought(1, { net: 2000, iva: 380 })] })
    expect((await register.sync()).result).toMatchObject({ created: 0, updated: 1 })
    const [after] = (await register.purchases()).body.data
    expect([after.id, after.net, after.iva, after.total]).toEqual([before.id, 2000, 380, 2380])
  })

  it('follows the SII from PENDIENTE to REGISTRO and to RECLAMADO, and never back from there', async () => {
    const register = await openRegister(world)
    const seed = (estado_contable: string) => register.seed({ purchases: [bought(1, { estado_contable })] })
    const estado = async () => (await register.purchases()).body.data[0].estado_contable
    await seed('PENDIENTE')
    await register.sync()
    expect(await estado()).toBe('PENDIENTE')
    await seed('REGISTRO')
    await register.sync()
    expect(await estado()).toBe('REGISTRO')
    await seed('RECLAMADO')
    await register.sync()
    expect(await estado()).toBe('RECLAMADO')
    await seed('REGISTRO')
    const { result } = await register.sync()
    expect(await estado()).toBe('RECLAMADO')
    expect(result.partial_errors[0].message).toContain('stays claimed')
  })

  it('tells of it with tax.rcv.synced, whose object is the sync block of the period', async () => {
    const register = await openRegister(world)
    await register.seed({ purchases: [bought(1)] })
    const job = await register.sync()
    const hooks = await world.key(register.account, { scopes: ['webhooks:read'] })
    const events = await world.get('/v1/events?type=tax.rcv.synced&limit=100', { key: hooks })
    const mine = events.body.data.find(
      (one: { data: { detail: { job_id: string } } }) => one.data.detail.job_id === job.id,
    )
    expect(mine.empresa.rut).toBe(register.rut)
    expect(mine.data.object).toEqual((await register.purchases()).body.sync)
    expect(mine.data.object).toMatchObject({ object: 'rcv_sync', status: 'synced', purchases: 1, sales: 0 })
  })

  it('asks for the twelve months before, once, after the first reading that went well', async () => {
    const register = await openRegister(world, { reads_year_before: true })
    await register.sync()
    await register.sync()
    const asked = () => world.db.sql<{ period: string }>`
      select period from rcv_sync where empresa_id = ${register.empresa_id} and period <> ${PERIOD} order by period`
    const year = Array.from({ length: 12 }, (_, i) => addPeriods(PERIOD, i - 12))
    expect((await asked()).map(({ period }) => period)).toEqual(year)
    const [jobs] = await world.db.sql<{ made: number }>`
      select count(*) as made from job where empresa_id = ${register.empresa_id} and name = 'rcv.sync'`
    expect(jobs?.made).toBe(14)
  })

  it('keeps the last good reading while the SII is away, and asks again', async () => {
    const register = await openRegister(world)
    await register.seed({ purchases: [bought(1)] })
    await register.sync()
    const good = (await register.purchases()).body
    sii.away = true
    const asked = await register.post('/v1/tax/sync', { period: PERIOD })
    const look = async () => (await register.get(`/v1/jobs/${asked.body.id}`, { empresa: '' })).body
    await expect
      .poll(async () => (await look()).error)
      .toMatchObject({
        code: 'sii_unreachable',
        message: expect.stringContaining('Servicio en mantención'),
      })
    const meanwhile = (await register.purchases()).body
    sii.away = false
    expect(meanwhile.data).toEqual(good.data)
    expect(meanwhile.sync).toEqual({ ...good.sync, status: 'syncing' })
    await world.db.sql`update job set run_at = now(), parked = false where id = ${asked.body.id}`
    world.app.worker.wake()
    expect((await ended(world, register, asked.body.id)).status).toBe('succeeded')
  })

  it('tells of a line it cannot read, reads the rest, and withdraws nothing of that side meanwhile', async () => {
    const register = await openRegister(world)
    await register.seed({ purchases: [bought(1), bought(2, { net: 4321 })] })
    await register.sync()
    sii.spoils = ';4321;'
    await register.seed({ purchases: [bought(3)] })
    const { result } = await register.sync()
    sii.spoils = ''
    expect(result).toMatchObject({ purchases: 2, created: 1, withdrawn_at_sii: 0 })
    const told = { side: 'purchase', estado_contable: 'REGISTRO', line: 3, column: 'Monto Neto' }
    expect(result.partial_errors).toMatchObject([told])
    const { data, sync } = (await register.purchases()).body
    expect(data.map(({ folio }: { folio: number }) => folio).sort()).toEqual([1, 2, 3])
    expect(sync.partial_errors).toEqual(result.partial_errors)
    expect(sync.partial_errors[0].text).toContain(';=1+1;')
  })

  it('keeps the F29 from being filed while a line that may belong in it cannot be read, and only then', async () => {
    const register = await openRegister(world)
    const filed = async () => {
      await register.sync()
      await register.post(`/v1/tax/f29/proposals/${PERIOD}/recompute`, { ppm_rate: 0, previous_remanente: 0 })
      const { body } = await register.get(`/v1/tax/f29/proposals/${PERIOD}`)
      const unread = body.warnings.filter(({ code }: { code: string }) => code === 'unreadable_lines')
      const sent = await register.post('/v1/tax/f29/filings', { period: PERIOD })
      return { unread, sent }
    }
    // The credit of the second purchase is 821 pesos (19 % of 4,321) that the declaration would lose in silence.
    await register.seed({ purchases: [bought(1), bought(2, { net: 4321, iva: 821 })] })
    sii.spoils = ';4321;'
    const stopped = await filed()
    expect(stopped.unread).toMatchObject([{ count: 1, blocks_filing: true }])
    expect([stopped.sent.status, stopped.sent.body.error.code]).toEqual([422, 'f29_proposal_incomplete'])
    // One that waits for its acknowledgement gives no credit yet: it is told, and changes no figure.
    await register.seed({ purchases: [bought(2, { net: 4321, iva: 821, estado_contable: 'PENDIENTE' })] })
    const told = await filed()
    sii.spoils = ''
    const { sync } = (await register.purchases()).body
    expect(sync.partial_errors).toMatchObject([{ estado_contable: 'PENDIENTE', blocks_filing: false }])
    expect([told.unread, told.sent.status]).toEqual([[], 202])
  })

  it('gives up an answer that is not the register, and shows the last good one', async () => {
    const register = await openRegister(world)
    await register.seed({ purchases: [bought(1)] })
    await register.sync()
    sii.foreign = true
    const job = await register.sync()
    sii.foreign = false
    expect([job.status, job.error.code]).toEqual(['failed', 'rcv_unreadable'])
    const { data, sync } = (await register.purchases()).body
    expect([data.length, sync.status]).toEqual([1, 'failed'])
    expect(sync.last_synced_at).toBeTruthy()
  })

  it('429 after ten readings a minute of one empresa', async () => {
    const strict = await openWorld({ unlimited: false })
    const register = await openRegister(strict)
    const sent = []
    for (let i = 0; i < 11; i++) sent.push((await register.post('/v1/tax/sync', { period: PERIOD })).status)
    expect(sent).toEqual([...Array(10).fill(202), 429])
    await strict.close()
  })
})

describe('what the sandbox holds by itself', () => {
  it('shows accepted facturas among the sales with our id, boletas by the month, and a 46 among the purchases', async () => {
    const register = await openRegister(world)
    const made = []
    for (const tipo_dte of [33, 39, 39, 46]) {
      const items = tipo_dte === 46 ? [{ ...ITEMS[0], additional_tax: 15 }] : ITEMS
      const receptor = tipo_dte === 39 ? {} : { receptor: RECEPTOR }
      const created = await register.create({ tipo_dte, items, ...receptor })
      expect(created.status).toBe(201)
      made.push(created.body)
    }
    const accepted = async () => (await register.get('/v1/documents?status=accepted')).body.data.length
    await expect.poll(accepted).toBe(4)
    const period = made[0].issue_date.slice(0, 7)
    await register.sync(period)
    const sales = (await register.get(`/v1/tax/sales?period=${period}`)).body.data
    const factura = sales.find((one: { tipo_doc: number }) => one.tipo_doc === 33)
    expect([factura.document_id, factura.total]).toEqual([made[0].id, made[0].totals.total])
    const boletas = sales.find((one: { tipo_doc: number }) => one.tipo_doc === 39)
    expect([boletas.documents, boletas.folio, boletas.total]).toEqual([2, null, 2 * made[1].totals.total])
    const [compra] = (await register.get(`/v1/tax/purchases?period=${period}`)).body.data
    expect([compra.tipo_doc, compra.document_id, compra.estado_contable]).toEqual([46, made[3].id, 'REGISTRO'])
  })
})
