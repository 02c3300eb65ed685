import { checkCafUse } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { drawFolios } from './draw.ts'
import { ensureFolios } from './on-demand.ts'
import { readStampingCaf } from './stamping-caf.ts'

let at: FolioWorld
beforeAll(async () => {
  at = await openFolioWorld()
})
afterAll(() => at.world.close())

const ensure = (scope: EmpresaScope, wanted: number, tipo_dte = 33) =>
  at.inJob(scope, (ctx) => ensureFolios(ctx, scope, tipo_dte, wanted))

async function rangesOf(scope: EmpresaScope) {
  return at.world.db.sql<{ from_folio: number; to_folio: number; source: string }>`
    select from_folio, to_folio, source from caf where empresa_id = ${scope.empresa_id} order by from_folio`
}

/** As an emission does: until it has as many as it has documents. */
async function emit(scope: EmpresaScope, count: number): Promise<number[]> {
  return at.inJob(scope, async (ctx) => {
    const folios: number[] = []
    while (folios.length < count) {
      const wanted = count - folios.length
      await ensureFolios(ctx, scope, 33, wanted)
      const drawn = await ctx.transact((tx) => drawFolios(tx, scope, 33, wanted, day(0)))
      folios.push(...drawn.map(({ folio }) => folio))
    }
    return folios
  })
}

describe('ensureFolios', () => {
  it('grants a sandbox a thousand from folio 1, silently, and nothing more while they last', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await ensure(scope, 3)
    expect(await rangesOf(scope)).toEqual([{ from_folio: 1, to_folio: 1000, source: 'sandbox' }])
    expect(await at.folios(scope)).toMatchObject({ available: 1000, next_folio: 1, status: 'available' })
    await at.draw(scope, 997)
    await ensure(scope, 3)
    expect(await rangesOf(scope)).toHaveLength(1)
    const all = await at.world.get(`/v1/events?empresa_rut=${scope.rut}`, { key: at.test })
    expect(all.body.data.map(({ type }: { type: string }) => type)).toEqual(['folios.low', 'empresa.created'])
  })

  it('goes on right after the highest folio ever granted, and grants as many as are wanted at once', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await ensure(scope, 1)
    await at.draw(scope, 999)
    await ensure(scope, 2)
    await ensure(scope, 2500)
    expect((await rangesOf(scope)).map(({ from_folio, to_folio }) => [from_folio, to_folio])).toEqual([
      [1, 1000],
      [1001, 2000],
      [2001, 5000],
    ])
  })

  it('grants again when what is left has expired by the clock of the account', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await ensure(scope, 1)
    await moveClock(at.world, at.test, { empresa_rut: scope.rut, advance: 'P7M' })
    await ensure(scope, 1)
    expect(await at.folios(scope)).toMatchObject({
      available: 1000,
      next_folio: 1001,
      stock: {
        chain: [
          { from: 1, expired: true },
          { from: 1001, expired: false },
        ],
        stops_at_expired_range: false,
      },
    })
  })

  it('leaves no gap and gives no folio twice when several workers do it at once', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const folios = (await Promise.all(Array.from({ length: 8 }, () => emit(scope, 300)))).flat()
    expect(folios.sort((a, b) => a - b)).toEqual(Array.from({ length: 2400 }, (_, i) => i + 1))
  })

  it('does nothing for a live empresa', async () => {
    const scope = await at.empresa()
    await ensure(scope, 1)
    expect(await rangesOf(scope)).toEqual([])
  })

  it('ends by itself when the empresa is gone', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await at.world.delete(`/v1/empresas/${scope.empresa_id}`, { key: at.test })
    await ensure(scope, 1)
    expect(await rangesOf(scope)).toEqual([])
  })

  it('emits in a sandbox whose resolución the SII would refuse, too', async () => {
    const resolucion = { numero: 999_999, fecha: '2014-08-22' }
    const scope = await at.empresa({ mode: 'test', body: { resolucion } })
    expect(await emit(scope, 2)).toEqual([1, 2])
  })
})

describe('readStampingCaf', () => {
  it('opens the CAF a folio was drawn from, ready to stamp, and opens it once', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await ensure(scope, 1)
    const [drawn] = await at.draw(scope, 1)
    const caf_id = drawn?.caf_id ?? ''
    const { first, again } = await at.inJob(scope, async (ctx) => ({
      first: await readStampingCaf(ctx, scope, caf_id),
      again: await readStampingCaf(ctx, scope, caf_id),
    }))
    expect(again).toBe(first)
    expect(checkCafUse(first, { emisor_rut: scope.rut, tipo_dte: 33, folio: 1, on: day(0) })).toBeNull()
    expect(first).toMatchObject({ emisor_name: 'Viña Maule S.A.', authorised_on: day(0), last_folio: 1000 })
    expect(first.key.asymmetricKeyDetails?.modulusLength).toBe(512)
  })

  it('opens no CAF for another empresa, and none whose file was moved to another row', async () => {
    const [scope, other] = [await at.empresa({ mode: 'test' }), await at.empresa({ mode: 'test' })]
    await ensure(scope, 1)
    await ensure(other, 1)
    const [drawn] = await at.draw(scope, 1)
    const [theirs] = await at.draw(other, 1)
    const read = (of: EmpresaScope, id = '') => at.inJob(of, (ctx) => readStampingCaf(ctx, of, id))
    await read(scope, drawn?.caf_id)
    await expect(read(other, drawn?.caf_id)).rejects.toThrow('no CAF')
    await at.world.db.sql`
      update caf set sealed = (select sealed from caf where id = ${drawn?.caf_id}) where id = ${theirs?.caf_id}`
    await expect(read(other, theirs?.caf_id)).rejects.toThrow()
  })
})
