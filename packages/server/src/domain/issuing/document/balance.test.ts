import type { DteDraft } from '@timbre/dte/draft'
import { describe, expect, it } from 'vitest'
import { pendingOf } from './balance.ts'
import { asksForMoney, dueDateOf } from './due-date.ts'

const draft = (more: Partial<DteDraft>) => ({ tipo_dte: 33, issue_date: '2026-11-01', ...more }) as DteDraft

describe('when a document falls due', () => {
  it.each([
    ['thirty days after its date (Ley 19.983, art. 2)', {}, '2026-12-01'],
    ['the day that it names', { payment: { form: 'credit', due_date: '2026-11-20' } }, '2026-11-20'],
    ['at once in cash', { payment: { form: 'cash' } }, '2026-11-01'],
    [
      'with its last instalment',
      { payment: { instalments: [{ date: '2027-01-31' }, { date: '2026-12-31' }] } },
      '2027-01-31',
    ],
    ['never, free of charge', { payment: { form: 'free' } }, null],
    ['never, a boleta', { tipo_dte: 39 }, null],
    ['never, a nota de crédito', { tipo_dte: 61 }, null],
  ])('%s', (_, more, due) => {
    expect(dueDateOf(draft(more as Partial<DteDraft>))).toBe(due)
  })

  it('a nota de débito asks for money unless it is about a nota de crédito', () => {
    const about = (tipo_dte: number) =>
      asksForMoney(draft({ tipo_dte: 56, references: [{ tipo_dte }] } as Partial<DteDraft>))
    expect([about(33), about(61)]).toEqual([true, false])
  })
})

describe('what is pending', () => {
  const row = {
    status: 'accepted',
    due_date: null,
    owed_amount: 11_900,
    credited_amount: 1_190,
    paid_amount: 710,
    paid_at: null,
    cesion_status: null,
  }
  it('is what it asks for less notas and payments, and never below nothing', () => {
    // 11.900 − 1.190 − 710 = 10.000.
    expect(pendingOf(row)).toBe(10_000)
    expect(pendingOf({ ...row, paid_amount: 11_900 })).toBe(0)
  })

  it('is nothing where the SII refused it or a nota annulled it', () => {
    for (const status of ['rejected', 'failed', 'annulled']) expect(pendingOf({ ...row, status })).toBe(0)
  })

  it('leaves out what was ceded, once the cesión is registered (Ley 19.983, art. 7)', () => {
    const cesion = { amount: 6_000 }
    expect(pendingOf({ ...row, cesion_status: 'submitted', cesion })).toBe(10_000)
    expect(pendingOf({ ...row, cesion_status: 'confirmed', cesion })).toBe(4_000)
  })
})
