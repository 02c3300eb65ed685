import { describe, expect, it } from 'vitest'
import type { Indicator, Indicators } from '../../platform/indicator/indicators.ts'
import { addSurcharge, type Payment } from './surcharge.ts'

// The IPC of June 2025 at 108.00 and of July at 108.97 is 0.898 % more, so 0.9 %; August is lower. The interest is that of
// Res. Ex. SII 75 of 2025 for its second half, and one of 0.03 % a day for the first half of 2026.
const FIGURES: Readonly<Record<string, number>> = {
  'ipc 2025-05': 108_0000,
  'ipc 2025-06': 108_0000,
  'ipc 2025-07': 108_9700,
  'ipc 2025-08': 107_5000,
  'ipc 2025-11': 108_0000,
  'ipc 2026-04': 108_0000,
  'interest 2025-07': 222_222_222,
  'interest 2026-01': 300_000_000,
}
const KNOWN: Indicators = {
  of(indicator: Indicator, period: string) {
    const units = FIGURES[`${indicator} ${period}`]
    return units === undefined ? null : { units, invented: false }
  },
}

/** A declaration of 1,000,000 of IVA and 200,000 of PPM. */
const OWED = { 89: 1_000_000, 62: 200_000, 91: 1_200_000 }

function late(
  paid_on: string,
  options: { owed?: object; filed?: object; overridden?: Record<number, number>; due_date?: string } = {},
) {
  const mapOf = (codes: object) => new Map(Object.entries(codes).map(([code, amount]) => [Number(code), amount]))
  const { overridden = {}, owed = OWED, due_date = '2025-08-20' } = options
  const sums = mapOf({ ...owed, ...overridden })
  const plain = mapOf(owed)
  const payment: Payment = { due_date, paid_on, filed: options.filed ? mapOf(options.filed) : null }
  const by_hand = Object.keys(overridden).map(Number)
  const warnings = addSurcharge({ sums, plain }, payment, { indicators: KNOWN, overridden: by_hand })
  return {
    codes: [92, 93, 94].map((code) => sums.get(code) ?? null),
    plain: [92, 93, 94].map((code) => plain.get(code) ?? null),
    warnings: warnings.map(({ code, concerns }) => [code, ...concerns]),
  }
}

describe('what is paid late', () => {
  it('is nothing more on its very day', () => {
    expect(late('2025-08-20')).toMatchObject({ codes: [null, null, null], warnings: [] })
  })

  it('has interest by the day and a fine of 10 %, and within the month no readjustment', () => {
    // Art. 53: no readjustment within the month of the due date. 10 days x 0.0222222222 % = 0.222222222 % of 1,200,000 =
    // 2,666.67. Art. 97 no. 11: 10 % of what was charged on prices, 1,000,000, and not of the PPM = 100,000.
    const { codes, warnings } = late('2025-08-30')
    expect(codes).toEqual([0, 102_667, 1_302_667])
    expect(warnings).toEqual([['late', '92', '93', '94']])
  })

  it('is readjusted by the IPC from the second month before it was due to the second before it is paid, then charged', () => {
    // 0.9 % of 1,200,000 = 10,800. 21 days x 0.0222222222 % = 0.4666666662 % of 1,210,800 = 5,650.40; a month later the
    // fine is 12 % of 1,009,000 = 121,080.
    expect(late('2025-09-10').codes).toEqual([10_800, 126_730, 1_337_530])
  })

  it('is never lowered by an IPC that fell, and the fine ends at 30 %', () => {
    // 107.50 / 108.00 is less than one. 61 days (11 of August, 30 of September, 20 of October) x 0.0222222222 % of
    // 1,200,000 = 16,266.67; 14 % of 1,000,000.
    expect(late('2025-10-20').codes).toEqual([0, 156_267, 1_356_267])
    // 133 days of 2025, 24 of January 2026: 133 x 0.0222222222 % + 24 x 0.03 % = 3.6755555526 % of 1,200,000 = 44,106.67;
    // five months: 20 %.
    expect(late('2026-01-24').codes).toEqual([0, 244_107, 1_444_107])
    // Eleven months would be 32 %. 163 x 0.0222222222 % + 176 x 0.03 % = 8.9022222186 % of 1,200,000 = 106,826.67.
    expect(late('2026-06-25', { due_date: '2025-07-21' }).codes).toEqual([0, 406_827, 1_606_827])
  })

  it('cannot be worked out without a figure: it says which, until both codes are filled by a person', () => {
    expect(late('2026-07-02').warnings).toEqual([['surcharge_unknown', 'ipc 2026-05', 'interest 2026-07']])
    expect(late('2026-07-02', { overridden: { 93: 5 } }).warnings[0]?.[0]).toBe('surcharge_unknown')
    const filled = late('2026-07-02', { overridden: { 92: 7, 93: 5 } })
    expect(filled).toMatchObject({ codes: [7, 5, 1_200_012], warnings: [['late', '92', '93', '94']] })
  })

  it('is nothing where nothing is paid', () => {
    expect(late('2026-07-02', { owed: { 91: 0, 77: 500 } })).toMatchObject({ codes: [0, 0, null], warnings: [] })
  })

  it('of a correction is late for what it adds to what was declared, which it keeps', () => {
    // 300,000 more, of which 100,000 are PPM: 10 days of interest on 300,000 = 666.67, 10 % of 200,000.
    const filed = { 62: 100_000, 91: 900_000, 92: 11, 93: 22 }
    expect(late('2025-08-30', { filed }).codes).toEqual([11, 22 + 667 + 20_000, 1_200_000 + 11 + 20_689])
    // One that lowers the tax adds nothing, and the figures of long ago are not needed.
    expect(late('2026-07-02', { filed: { 91: 1_500_000 } })).toMatchObject({ codes: [0, 0, null], warnings: [] })
  })
})
