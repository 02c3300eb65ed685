import { describe, expect, it } from 'vitest'
import type { RcvSummary } from '../../../ports/sii-rcv.ts'
import { exportOf } from '../../../sandbox/sii/rcv-csv.ts'
import { ingestExports } from './ingest-exports.ts'

const SCOPE = { account_id: 'acc_1', empresa_id: 'emp_1', mode: 'test', rut: '76192083-9' } as const
const summary = (_: unknown, i: number): RcvSummary => ({
  side: 'sale',
  tipo_doc: i + 1,
  documents: 1,
  net: 0,
  exempt: 0,
  iva: 0,
  total: 0,
})

/** A period that nothing is stored of, and whose entries are written nowhere. */
function ingest(
  entries: number,
  most?: number,
  files: Parameters<typeof ingestExports>[3]['files'] = [],
  sql: () => Promise<readonly object[]> = async () => [],
) {
  const nothing = { created: [], updated: 0, contradicted: [] }
  const ctx = { sql, transact: async () => nothing } as unknown as Parameters<typeof ingestExports>[0]
  const summaries = Array.from({ length: entries }, summary)
  return ingestExports(ctx, SCOPE, '2026-09', { files, summaries }, most)
}

describe('a large period of the register', () => {
  async function turnsOf(work: () => Promise<unknown>): Promise<number> {
    let turns = 0
    let next = setImmediate(function count() {
      turns++
      next = setImmediate(count)
    })
    await work()
    clearImmediate(next)
    return turns
  }

  it('gives the process back between its entries', async () => {
    expect(await turnsOf(() => ingest(900))).toBeGreaterThanOrEqual(4)
  })

  it('gives the process back between lines that cannot be read, and between those that are there twice', async () => {
    const { file } = await exportOf({ side: 'sale', estado_contable: null }, [])
    const unreadable = Buffer.concat([file, Buffer.from('1;33;x\n'.repeat(900))])
    const read = () => ingest(0, 1, [{ side: 'sale', estado_contable: null, file: unreadable }])
    expect(await turnsOf(read)).toBeGreaterThanOrEqual(4)
    expect((await read()).partial_errors).toHaveLength(100)
  })

  it('gives the process back while it looks for what the SII no longer shows', async () => {
    const stored = Array.from({ length: 20_000 }, (_, i) => ({
      id: `${i}`,
      natural_key: `${i}`,
      withdrawn_at_sii: new Date(),
    }))
    const pages = Array.from({ length: 10 }, (_, i) => stored.slice(i * 2_000, (i + 1) * 2_000))
    const read = () => ingest(0, undefined, [], async () => pages.shift() ?? [])
    expect(await turnsOf(read)).toBeGreaterThanOrEqual(4)
    expect(pages).toEqual([])
  })

  it('is refused beyond its bound: the last good reading stays, and the job is not tried again', async () => {
    expect((await ingest(3, 3)).sales).toBe(3)
    await expect(ingest(4, 3)).rejects.toMatchObject({ name: 'GiveUp', code: 'rcv_too_large' })
  })
})
