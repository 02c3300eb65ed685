import { describe, expect, it } from 'vitest'
import { applySuggestions } from './suggest.ts'

const SCOPE = { account_id: 'acc_1', empresa_id: 'emp_1', mode: 'test', rut: '76192083-9' } as const

/** How many transactions it takes to apply them to so many entries, each of which ends as said. */
async function transactionsFor(entries: number, applies: boolean): Promise<number> {
  let transactions = 0
  const transact = async () => {
    transactions++
    return applies
  }
  const ids = Array.from({ length: entries }, (_, i) => `rcv_${i}`)
  await applySuggestions({ transact } as unknown as Parameters<typeof applySuggestions>[0], SCOPE, '2026-09', ids)
  return transactions
}

describe('suggestions for the new entries of a large month', () => {
  it('are applied a thousand at a time, each in a transaction of its own', async () => {
    expect(await transactionsFor(2_001, true)).toBe(3)
    expect(await transactionsFor(0, true)).toBe(0)
  })

  it('end with the first where the settings or the lock of the period say no', async () => {
    expect(await transactionsFor(2_001, false)).toBe(1)
  })
})
