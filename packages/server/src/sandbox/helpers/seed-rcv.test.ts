import { describe, expect, it } from 'vitest'
import { seedRcv } from './seed-rcv.ts'

const empresa = { account_id: 'acc_1', empresa_id: 'emp_1', mode: 'test', rut: '76192083-9' } as const

describe('a seed of very many entries', () => {
  it('gives the process back between them, and is written a thousand at a time', async () => {
    const written: number[] = []
    const sql = async (_: unknown, ...values: unknown[]) => {
      written.push(JSON.parse(values.at(-1) as string).length)
      return []
    }
    const ctx = { sql, empresa, now: () => new Date('2026-10-05T12:00:00Z') } as unknown as Parameters<
      typeof seedRcv
    >[0]
    const purchases = Array.from({ length: 2_500 }, (_, i) => ({
      tipo_doc: 33,
      folio: i + 1,
      counterparty_rut: '77123456-9',
      net: 1_000,
      iva: 190,
    }))
    let [turns, done] = [0, false]
    const count = () => {
      turns++
      if (!done) setImmediate(count)
    }
    setImmediate(count)
    // The last one of a key counts, wherever it stands.
    expect(await seedRcv(ctx, { purchases: [...purchases, { ...purchases[0], net: 2_000 } as never] })).toMatchObject({
      period: '2026-09',
      purchases: 2_501,
    })
    done = true
    expect(turns).toBeGreaterThanOrEqual(5)
    expect(written).toEqual([1_000, 1_000, 500])
  })
})
