import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROPOSALS } from '../../../../test/support/f29-month.ts'
import { bought, openRegister, PERIOD, type Register, SUPPLIER } from '../../../../test/support/rcv-register.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { SiiRefused, SiiUnreachable } from '../../../ports/sii.ts'
import { lockPeriod, unlockPeriod } from './period-lock.ts'

let world: World
const sii: { away: boolean; refuses: number | null } = { away: false, refuses: null }
beforeAll(async () => {
  world = await openWorld({
    test_sii: (sandbox) => ({
      ...sandbox,
      characterize: async (order) => {
        if (sii.away) throw new SiiUnreachable('away')
        if (order.folio === sii.refuses) throw new SiiRefused('not this one')
        return sandbox.characterize(order)
      },
    }),
  })
})
afterAll(() => world.close())

/** A register with these purchases in it, read, and their ids by folio. */
async function withPurchases(...purchases: ReturnType<typeof bought>[]) {
  const register = await openRegister(world)
  await register.seed({ purchases })
  await register.sync()
  const { data } = (await register.purchases()).body
  const ids = new Map<number, string>(data.map((one: { folio: number; id: string }) => [one.folio, one.id]))
  const path = (folio: number, act = '') => `/v1/tax/purchases/${ids.get(folio)}${act}`
  return {
    register,
    id: (folio: number) => ids.get(folio) ?? '',
    show: async (folio: number) => (await register.get(path(folio))).body,
    characterize: (folio: number, body: object) => register.post(path(folio, '/characterize'), body),
    revert: (folio: number) => register.post(path(folio, '/characterize/revert')),
    move: (folio: number, estado_contable: string) =>
      register.post(path(folio, '/estado_contable'), { estado_contable }),
  }
}

const scopeOf = ({ account, empresa_id, rut }: Register) => ({
  account_id: account,
  mode: 'test' as const,
  empresa_id,
  rut,
})
const untilTold = (show: () => Promise<{ pending_at_sii: boolean }>) =>
  expect.poll(async () => (await show()).pending_at_sii, { interval: 30 }).toBe(false)

describe('POST /tax/purchases/{entry_id}/characterize', () => {
  const PLACES: [number, object][] = [
    [1, { iva: 190, iva_not_recoverable: 0, iva_common_use: 0, iva_fixed_assets: 0, net_fixed_assets: 0 }],
    [2, { iva: 190, iva_not_recoverable: 0, iva_common_use: 0, iva_fixed_assets: 0, net_fixed_assets: 0 }],
    [3, { iva: 190, iva_not_recoverable: 0, iva_common_use: 0, iva_fixed_assets: 0, net_fixed_assets: 0 }],
    [4, { iva: 190, iva_not_recoverable: 0, iva_common_use: 0, iva_fixed_assets: 190, net_fixed_assets: 1000 }],
    [5, { iva: 0, iva_not_recoverable: 0, iva_common_use: 190, iva_fixed_assets: 0, net_fixed_assets: 0 }],
    [6, { iva: 0, iva_not_recoverable: 190, iva_not_recoverable_code: 9, iva_common_use: 0, iva_fixed_assets: 0 }],
    [7, { iva: 0, iva_not_recoverable: 190, iva_not_recoverable_code: 9, estado_contable: 'NO_INCLUIR' }],
  ]

  it('200 puts the IVA where each tipo has it, whatever the tipo before it was', async () => {
    const { characterize } = await withPurchases(bought(1))
    for (const [tipo_compra, places] of PLACES) {
      const sent = await characterize(1, { tipo_compra })
      expect(sent.body).toMatchObject({ tipo_compra, characterized_by: 'caller', total: 1190, net: 1000, ...places })
    }
    const back = await characterize(1, { tipo_compra: 1 })
    expect(back.body.estado_contable).toBe('REGISTRO')
  })

  it('200 holds at once, reaches the SII after, and outlives the next reading, which then changes nothing of it', async () => {
    const { register, characterize, show } = await withPurchases(bought(1))
    const sent = await characterize(1, { tipo_compra: 6, iva_not_recoverable_code: 3 })
    expect([sent.body.tipo_compra, sent.body.pending_at_sii]).toEqual([6, true])
    await untilTold(() => show(1))
    const told = await world.db.sql`
      select tipo_compra, iva_not_recoverable_code from sandbox_rcv where empresa_id = ${register.empresa_id}`
    expect(told).toEqual([{ tipo_compra: 6, iva_not_recoverable_code: 3 }])
    await register.sync()
    expect(await show(1)).toMatchObject({
      tipo_compra: 6,
      iva_not_recoverable: 190,
      iva_not_recoverable_code: 3,
      iva: 0,
    })
    expect((await register.sync()).result.updated).toBe(0)
  })

  it('200 outlives a reading in which the SII still says otherwise', async () => {
    const { register, characterize, show } = await withPurchases(bought(1), bought(2))
    await characterize(1, { tipo_compra: 5 })
    await characterize(2, { tipo_compra: 7 })
    await untilTold(() => show(2))
    // The register is filled anew, as if nobody had told it anything, and with other amounts.
    await register.seed({ purchases: [bought(1, { net: 2000, iva: 380 }), bought(2)] })
    await register.sync()
    expect(await show(1)).toMatchObject({ tipo_compra: 5, iva_common_use: 380, iva: 0, characterized_by: 'caller' })
    expect(await show(2)).toMatchObject({ tipo_compra: 7, estado_contable: 'NO_INCLUIR' })
  })

  it('200 while the SII is away: it stays pending there and is told when it answers', async () => {
    const { characterize, show } = await withPurchases(bought(1))
    sii.away = true
    await characterize(1, { tipo_compra: 2 })
    const job = async () =>
      (
        await world.db.sql<{ id: string; attempts: number }>`
      select id, attempts from job where name = 'rcv.tell' and status = 'queued' and attempts > 0`
      )[0]
    await expect.poll(job).toBeTruthy()
    expect((await show(1)).pending_at_sii).toBe(true)
    sii.away = false
    await world.db.sql`update job set run_at = now(), parked = false where id = ${(await job())?.id}`
    world.app.worker.wake()
    await untilTold(() => show(1))
  })

  it('200 for several of which the SII refuses one: the others are told all the same', async () => {
    const { register, id, show } = await withPurchases(bought(1), bought(2), bought(3))
    // The one that it is told of first.
    const [first = 0, ...others] = [1, 2, 3].sort((a, b) => (id(a) < id(b) ? -1 : 1))
    sii.refuses = first
    const entries = [1, 2, 3].map((folio) => ({ entry_id: id(folio), tipo_compra: 2 }))
    expect((await register.post('/v1/tax/purchases/characterize', { entries })).status).toBe(200)
    for (const folio of others) await untilTold(() => show(folio))
    expect(await show(first)).toMatchObject({
      pending_at_sii: true,
      sii_refusal: { sentence: 'not this one', refused_at: expect.any(String) },
    })
    sii.refuses = null
    // Whatever is decided next is told anew, and has been refused by nobody.
    await register.post('/v1/tax/purchases/characterize', { entries: [{ entry_id: id(first), tipo_compra: 3 }] })
    expect((await show(first)).sii_refusal).toBeNull()
    await untilTold(() => show(first))
  })

  it('400 invalid_field for a code without tipo 6, an unknown code and an eighth tipo', async () => {
    const { characterize } = await withPurchases(bought(1))
    const refused: [object, string][] = [
      [{ tipo_compra: 1, iva_not_recoverable_code: 1 }, 'iva_not_recoverable_code'],
      [{ tipo_compra: 6, iva_not_recoverable_code: 5 }, 'iva_not_recoverable_code'],
      [{ tipo_compra: 8 }, 'tipo_compra'],
      [{}, 'tipo_compra'],
    ]
    for (const [body, param] of refused) {
      const sent = await characterize(1, body)
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', param])
    }
  })

  it('404 rcv_entry_not_found for a sale, for nothing, and on every act', async () => {
    const { register } = await withPurchases(bought(1))
    await register.seed({ sales: [bought(5, { counterparty_rut: randomRut() })] })
    await register.sync()
    const [sale] = (await register.sales()).body.data
    for (const id of [sale.id, 'rcv_nothing']) {
      const base = `/v1/tax/purchases/${id}`
      const answers = [
        await register.get(base),
        await register.post(`${base}/characterize`, { tipo_compra: 1 }),
        await register.post(`${base}/characterize/revert`),
        await register.post(`${base}/estado_contable`, { estado_contable: 'REGISTRO' }),
      ]
      for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'rcv_entry_not_found'])
    }
  })

  it('409 period_locked once the F29 of the period is filed, on every act, and not after it is opened again', async () => {
    const { register, characterize, revert, move } = await withPurchases(bought(1))
    await lockPeriod(world.db.sql, scopeOf(register), PERIOD, new Date(0))
    for (const { status, body } of [
      await characterize(1, { tipo_compra: 4 }),
      await revert(1),
      await move(1, 'NO_INCLUIR'),
    ])
      expect([status, body.error.code, body.error.details.period]).toEqual([409, 'period_locked', PERIOD])
    await unlockPeriod(world.db.sql, scopeOf(register), PERIOD)
    expect((await characterize(1, { tipo_compra: 4 })).status).toBe(200)
  })

  it('409 rcv_entry_closed for what was claimed and for what is no longer in the register', async () => {
    const { register, characterize, revert, move } = await withPurchases(
      bought(1, { estado_contable: 'RECLAMADO' }),
      bought(2),
    )
    await register.seed({ remove: [{ side: 'purchase', tipo_doc: 33, folio: 2, counterparty_rut: SUPPLIER }] })
    await register.sync()
    for (const [folio, reason] of [
      [1, 'claimed'],
      [2, 'withdrawn'],
    ] as const) {
      const answers = [
        await characterize(folio, { tipo_compra: 1 }),
        await revert(folio),
        await move(folio, 'REGISTRO'),
      ]
      for (const { status, body } of answers)
        expect([status, body.error.code, body.error.details.reason]).toEqual([409, 'rcv_entry_closed', reason])
    }
  })
})

describe('POST /tax/purchases/{entry_id}/characterize/revert', () => {
  it('200 returns to what the SII had, there too, however often it was decided and read meanwhile', async () => {
    const mixed = { tipo_compra: 5, iva: 100, iva_common_use: 90 }
    const { register, characterize, revert, show } = await withPurchases(bought(1, mixed))
    for (const tipo_compra of [4, 7]) {
      await characterize(1, { tipo_compra })
      await untilTold(() => show(1))
      await register.sync()
    }
    const reverted = await revert(1)
    const had = { ...mixed, characterized_by: 'sii', estado_contable: 'REGISTRO', iva_not_recoverable: 0 }
    expect(reverted.body).toMatchObject({ ...had, pending_at_sii: true })
    await untilTold(() => show(1))
    await register.sync()
    expect(await show(1)).toMatchObject(had)
  })

  it('200 returns to the same again when it is decided anew before the SII heard of the last revert', async () => {
    const { register, show, characterize, revert } = await withPurchases(bought(1))
    await characterize(1, { tipo_compra: 6 })
    await untilTold(() => show(1))
    await register.sync()
    await revert(1)
    await characterize(1, { tipo_compra: 4 })
    expect((await revert(1)).body).toMatchObject({ tipo_compra: 1, iva: 190, characterized_by: 'sii' })
  })

  it('200 answers a purchase that nobody decided about as it is', async () => {
    const { revert, show } = await withPurchases(bought(1))
    const before = await show(1)
    expect((await revert(1)).body).toEqual(before)
  })
})

describe('POST /tax/purchases/characterize', () => {
  it('200 does what can be done and says of each of the others why not', async () => {
    const claimed = bought(3, { estado_contable: 'RECLAMADO' })
    const { register, id, show } = await withPurchases(bought(1), bought(2), claimed)
    const sent = await register.post('/v1/tax/purchases/characterize', {
      entries: [
        { entry_id: id(1), tipo_compra: 4 },
        { entry_id: 'rcv_nothing', tipo_compra: 1 },
        { entry_id: id(3), tipo_compra: 1 },
        { entry_id: id(1), tipo_compra: 2 },
        { entry_id: id(2), tipo_compra: 1, iva_not_recoverable_code: 1 },
      ],
    })
    expect([sent.status, sent.body.characterized, sent.body.refused]).toEqual([200, 1, 4])
    const told = sent.body.results.map((one: { status: string; error: { code: string; param: string } | null }) => [
      one.status,
      one.error?.code ?? null,
      one.error?.param ?? null,
    ])
    expect(told).toEqual([
      ['characterized', null, null],
      ['refused', 'rcv_entry_not_found', 'entries[1].entry_id'],
      ['refused', 'rcv_entry_closed', 'entries[2].entry_id'],
      ['refused', 'invalid_field', 'entries[3].entry_id'],
      ['refused', 'invalid_field', 'entries[4].iva_not_recoverable_code'],
    ])
    expect(sent.body.results[0].entry.tipo_compra).toBe(4)
    expect((await show(1)).tipo_compra).toBe(4)
    expect((await show(2)).characterized_by).toBe('sii')
  })

  it('200 leaves a locked period alone and does the rest', async () => {
    const { register, id } = await withPurchases(bought(1))
    await register.seed({ period: '2024-08', purchases: [bought(9)] })
    await register.sync('2024-08')
    const [other] = (await register.get('/v1/tax/purchases?period=2024-08')).body.data
    await lockPeriod(world.db.sql, scopeOf(register), PERIOD, new Date(0))
    const entries = [id(1), other.id].map((entry_id) => ({ entry_id, tipo_compra: 2 }))
    const { body } = await register.post('/v1/tax/purchases/characterize', { entries })
    expect(body.results.map((one: { error: { code: string } | null }) => one.error?.code ?? null)).toEqual([
      'period_locked',
      null,
    ])
  })

  it('takes 500 entries in one call, and 400 names the list of 501 or of none', async () => {
    const folios = Array.from({ length: 500 }, (_, i) => i + 1)
    const register = await openRegister(world)
    await register.seed({ purchases: folios.map((folio) => bought(folio)) })
    await register.sync()
    const rows = await world.db.sql<{ id: string }>`
      select id from rcv_entry where empresa_id = ${register.empresa_id} and period = ${PERIOD}`
    const entries = rows.map(({ id }) => ({ entry_id: id, tipo_compra: 2 }))
    const sent = await register.post('/v1/tax/purchases/characterize', { entries })
    expect([sent.status, sent.body.characterized]).toEqual([200, 500])
    for (const wrong of [[...entries, entries[0]], []]) {
      const refused = await register.post('/v1/tax/purchases/characterize', { entries: wrong })
      expect([refused.status, refused.body.error.param]).toEqual([400, 'entries'])
    }
  })
})

describe('POST /tax/purchases/{entry_id}/estado_contable', () => {
  const young = { estado_contable: 'PENDIENTE', received_at: new Date().toISOString() }

  it('200 leaves a purchase out as tipo 7 and brings it back as the tipo it had', async () => {
    const { move } = await withPurchases(bought(1, { tipo_compra: 4 }))
    expect((await move(1, 'NO_INCLUIR')).body).toMatchObject({ tipo_compra: 7, estado_contable: 'NO_INCLUIR', iva: 0 })
    const back = {
      tipo_compra: 4,
      estado_contable: 'REGISTRO',
      iva: 190,
      iva_fixed_assets: 190,
      characterized_by: 'sii',
    }
    expect((await move(1, 'REGISTRO')).body).toMatchObject(back)
  })

  it('200 brings back as del giro what the SII itself left out', async () => {
    const { move } = await withPurchases(bought(1, { tipo_compra: 7, estado_contable: 'NO_INCLUIR' }))
    const back = { tipo_compra: 1, estado_contable: 'REGISTRO', iva: 190, characterized_by: 'caller' }
    expect((await move(1, 'REGISTRO')).body).toMatchObject(back)
  })

  it('200 registers what was acknowledged or is eight days old, and the SII then shows it so', async () => {
    const acknowledged = bought(2, { ...young, estado_contable: 'PENDIENTE' })
    const { register, move, show } = await withPurchases(bought(1, { estado_contable: 'PENDIENTE' }), acknowledged)
    expect((await move(1, 'REGISTRO')).body).toMatchObject({ estado_contable: 'REGISTRO', characterized_by: 'sii' })
    await world.db
      .sql`update rcv_entry set acknowledged_at = now() where empresa_id = ${register.empresa_id} and folio = 2`
    expect((await move(2, 'REGISTRO')).body.estado_contable).toBe('REGISTRO')
    await untilTold(() => show(1))
    await untilTold(() => show(2))
    // Months after: their credit is of now, unless the SII then says that it is of that month (D.L. 825, art. 23 no. 7).
    const proposed = async () => (await register.post(`${PROPOSALS}/${PERIOD}/recompute`, {})).body
    const { warnings } = await proposed()
    expect(warnings.find(({ code }: { code: string }) => code === 'pending_entries')).toMatchObject({
      count: 2,
      amount: 380,
    })
    await register.sync()
    const { codes } = await proposed()
    expect(codes.find(({ code }: { code: number }) => code === 520).amount).toBe(380)
    expect([(await show(1)).estado_contable, (await show(2)).estado_contable]).toEqual(['REGISTRO', 'REGISTRO'])
  })

  it('200 to where it is already changes nothing', async () => {
    const { move, show } = await withPurchases(bought(1))
    const before = await show(1)
    expect((await move(1, 'REGISTRO')).body).toEqual(before)
  })

  it('200 puts off what counts to PENDIENTE, there too, and brings it back whenever it is asked to', async () => {
    const fresh = { ...young, estado_contable: 'REGISTRO' }
    const { register, move, show, characterize, revert } = await withPurchases(bought(1, fresh), bought(2, fresh))
    expect((await move(1, 'PENDIENTE')).body).toMatchObject({ estado_contable: 'PENDIENTE', characterized_by: 'sii' })
    await untilTold(() => show(1))
    await register.sync()
    expect((await show(1)).estado_contable).toBe('PENDIENTE')
    await characterize(1, { tipo_compra: 4 })
    expect((await revert(1)).body).toMatchObject({ estado_contable: 'PENDIENTE', tipo_compra: 1 })
    expect((await move(1, 'REGISTRO')).body.estado_contable).toBe('REGISTRO')
    await characterize(2, { tipo_compra: 7 })
    expect((await move(2, 'PENDIENTE')).body).toMatchObject({ estado_contable: 'PENDIENTE', tipo_compra: 1 })
    await untilTold(() => show(2))
    expect((await move(2, 'REGISTRO')).body.estado_contable).toBe('REGISTRO')
    for (const folio of [1, 2]) await untilTold(() => show(folio))
    await register.sync()
    expect([(await show(1)).estado_contable, (await show(2)).estado_contable]).toEqual(['REGISTRO', 'REGISTRO'])
  })

  it('409 estado_contable_not_allowed for what still waits, and PENDIENTE is where it returns to', async () => {
    const { move } = await withPurchases(bought(1, young), bought(3, young))
    const refused = async (folio: number, to: string) => {
      const { status, body } = await move(folio, to)
      return [status, body.error.code, body.error.details.reason]
    }
    const code = 'estado_contable_not_allowed'
    expect(await refused(1, 'REGISTRO')).toEqual([409, code, 'not_acknowledged'])
    await move(3, 'NO_INCLUIR')
    expect(await refused(3, 'REGISTRO')).toEqual([409, code, 'not_acknowledged'])
    expect((await move(3, 'PENDIENTE')).body.estado_contable).toBe('PENDIENTE')
  })

  it('400 for RECLAMADO: a claim is made on the received document', async () => {
    const { move } = await withPurchases(bought(1))
    const sent = await move(1, 'RECLAMADO')
    expect([sent.status, sent.body.error.param]).toEqual([400, 'estado_contable'])
  })
})

describe('suggestions', () => {
  it('say what a supplier was decided to be, how often, and of how many, and change nothing unasked', async () => {
    const { register, characterize, show } = await withPurchases(bought(1), bought(2), bought(3))
    await characterize(1, { tipo_compra: 4 })
    expect((await show(3)).suggested_tipo_compra).toBeNull()
    await characterize(2, { tipo_compra: 4 })
    const suggestion = { tipo_compra: 4, agreeing: 2, of: 2, reason: expect.stringContaining('2 of the last 2') }
    expect((await show(3)).suggested_tipo_compra).toEqual(suggestion)
    expect((await show(1)).suggested_tipo_compra).toBeNull()
    const other = bought(1, { counterparty_rut: randomRut() })
    await register.seed({ purchases: [other, bought(4)] })
    await register.sync()
    const { data } = (await register.purchases()).body
    const fresh = data.find((one: { folio: number }) => one.folio === 4)
    expect([fresh.tipo_compra, fresh.suggested_tipo_compra]).toEqual([1, suggestion])
    const stranger = data.find((one: { counterparty_rut: string }) => one.counterparty_rut === other.counterparty_rut)
    expect(stranger.suggested_tipo_compra).toBeNull()
  })

  it('say nothing where the decisions about a supplier disagree', async () => {
    const { characterize, show } = await withPurchases(bought(1), bought(2), bought(3), bought(4), bought(5))
    for (const [folio, tipo_compra] of [
      [1, 4],
      [2, 4],
      [3, 2],
      [4, 3],
    ] as const)
      await characterize(folio, { tipo_compra })
    expect((await show(5)).suggested_tipo_compra).toBeNull()
  })

  it('are applied to new entries, and told to the SII, where the automation settings say so', async () => {
    const { register, characterize } = await withPurchases(bought(1), bought(2), bought(3))
    await characterize(1, { tipo_compra: 5 })
    await characterize(2, { tipo_compra: 5 })
    const settings = `/v1/empresas/${register.empresa_id}/automation_settings`
    await world.patch(settings, { key: register.key, body: { apply_characterization_suggestions: true } })
    await register.seed({ purchases: [bought(4)] })
    await register.sync()
    const { data } = (await register.purchases()).body
    const by = (folio: number) => data.find((one: { folio: number }) => one.folio === folio)
    expect(by(4)).toMatchObject({ tipo_compra: 5, characterized_by: 'suggestion', iva_common_use: 190, iva: 0 })
    // What was there before it was turned on still waits for a person.
    expect(by(3)).toMatchObject({ tipo_compra: 1, characterized_by: 'sii' })
    const reverted = await register.post(`/v1/tax/purchases/${by(4).id}/characterize/revert`)
    expect(reverted.body).toMatchObject({ tipo_compra: 1, characterized_by: 'sii', iva: 190 })
  })
})
