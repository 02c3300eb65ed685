import { santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { line, movementOf, openBankWorld, tell } from '../../../../../test/support/bank-movements.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../../test/support/issuer.ts'
import { accepted } from '../../../../../test/support/settle-document.ts'
import type { World } from '../../../../../test/support/world.ts'
import { systemNow } from '../../../../kernel/clock.ts'

let world: World
beforeAll(async () => {
  world = await openBankWorld()
})
afterAll(() => world.close())

const TODAY = santiagoDate(new Date(systemNow()))
// 2 × 2.500 = 5.000; IVA 950; in all 5.950.
const TOTAL = 5_950
const paid = (more: object = {}) =>
  line({ post_date: TODAY, amount: TOTAL, description: 'TRANSFERENCIA', counterparty_rut: RECEPTOR.rut, ...more })

/** An empresa that asked for sure matches to be applied. */
async function trusting(): Promise<Issuer> {
  const own = await openIssuer(world)
  const key = await world.key(own.account, { scopes: ['empresas:write'] })
  const path = `/v1/empresas/${own.empresa_id}/automation_settings`
  await world.patch(path, { key, body: { apply_movement_matches: true } })
  return own
}
const sale = (whose: Issuer, more: object = {}) => accepted(world, whose, { ...FACTURA, ...more })
async function matchOf(whose: Issuer, one: ReturnType<typeof line>) {
  return (await movementOf(world, whose, one.external_id)).body.match
}

describe('what is sure', () => {
  it('is matched by itself where the empresa asked for it, with its confidence and its reasons', async () => {
    const own = await trusting()
    const { id } = await sale(own)
    const one = paid()
    await tell(world, own, [one])
    expect(await matchOf(own, one)).toMatchObject({
      confidence: 85,
      matched_by: 'review',
      reasons: [{ code: 'amount' }, { code: 'rut' }, { code: 'soon_after' }],
      targets: [{ document_id: id, amount: TOTAL }],
    })
  })

  it('waits for somebody where it did not', async () => {
    const own = await openIssuer(world)
    await sale(own)
    const one = paid()
    await tell(world, own, [one])
    expect(await matchOf(own, one)).toBeNull()
  })

  it('may be several documents that add up', async () => {
    const own = await trusting()
    await sale(own)
    await sale(own, { items: [{ description: 'Tinta', quantity: 1, unit_price: 1_000 }] })
    const one = paid({ amount: TOTAL + 1_190 })
    await tell(world, own, [one])
    const amounts = (await matchOf(own, one)).targets.map(({ amount }: { amount: number }) => amount)
    expect(amounts.sort()).toEqual([1_190, TOTAL])
  })

  it('is never one of two alike, whether two documents or two payments, nor what an amount alone says', async () => {
    const own = await trusting()
    await sale(own)
    const unnamed = paid({ counterparty_rut: null })
    await tell(world, own, [unnamed])
    expect(await matchOf(own, unnamed)).toBeNull()
    const rivals = [paid(), paid()]
    await tell(world, own, rivals)
    for (const one of rivals) expect(await matchOf(own, one)).toBeNull()
    await sale(own)
    const late = paid()
    await tell(world, own, [late])
    expect(await matchOf(own, late)).toBeNull()
  })

  it('is not put together again once somebody took it apart, however often it is looked at', async () => {
    const own = await trusting()
    await sale(own)
    const one = paid()
    await tell(world, own, [one])
    const { id } = (await movementOf(world, own, one.external_id)).body
    await own.post(`/v1/tax/movements/${id}/unmatch`)
    await tell(world, own, [{ ...one, description: 'TRANSFERENCIA DE TERCEROS' }])
    expect(await matchOf(own, one)).toBeNull()
  })

  it('does not pay a document twice', async () => {
    const own = await trusting()
    await sale(own)
    const [first, second] = [paid(), paid()]
    await tell(world, own, [first])
    await tell(world, own, [second])
    expect([(await matchOf(own, first)) === null, (await matchOf(own, second)) === null]).toEqual([false, true])
  })
})

describe('what changes', () => {
  it('is looked at again: what was guessed goes with an edit, and what its bank takes back pays nothing', async () => {
    const own = await trusting()
    await sale(own)
    const [one, other] = [paid(), paid({ amount: 1 })]
    await tell(world, own, [one, other])
    await tell(world, own, [{ ...one, amount: TOTAL - 1 }])
    expect(await matchOf(own, one)).toBeNull()
    await tell(world, own, [{ ...other, amount: TOTAL }])
    expect(await matchOf(own, other)).toMatchObject({ matched_by: 'review' })
    await tell(world, own, [], [other.external_id ?? ''])
    expect(await matchOf(own, other)).toBeNull()
    await tell(world, own, [{ ...one, amount: TOTAL }])
    expect(await matchOf(own, one)).toMatchObject({ matched_by: 'review' })
  })

  it('leaves what somebody said alone', async () => {
    const own = await trusting()
    const { id: document_id } = await sale(own)
    const one = paid({ amount: 3_000 })
    await tell(world, own, [one])
    const { id } = (await movementOf(world, own, one.external_id)).body
    await own.post(`/v1/tax/movements/${id}/match`, { document_id })
    await tell(world, own, [{ ...one, description: 'ABONO' }])
    expect(await matchOf(own, one)).toMatchObject({ matched_by: 'caller', targets: [{ document_id }] })
  })
})

describe('many movements', () => {
  it('are looked at page after page until none is left', async () => {
    const own = await trusting()
    await sale(own)
    const one = paid()
    const others = Array.from({ length: 4_500 }, (_, i) => paid({ amount: -(i + 1), counterparty_rut: null }))
    await tell(world, own, [...others, one])
    expect(await matchOf(own, one)).toMatchObject({ matched_by: 'review' })
    const [left] = await world.db.sql<{ count: number }>`
      select count(*)::integer from movement where empresa_id = ${own.empresa_id} and reviewed_at is null`
    expect(left?.count).toBe(0)
  })
})
