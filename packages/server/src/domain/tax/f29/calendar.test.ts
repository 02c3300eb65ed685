import { describe, expect, it } from 'vitest'
import { easterOf, holidaysOf, nextBusinessDay } from '../../../kernel/business-days.ts'
import { dueDateOf } from './calendar.ts'

describe('holidays of Chile', () => {
  it.each([
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2038, '2038-04-25'],
  ])('Easter of %i is %s', (year, day) => {
    expect(easterOf(year).toISOString().slice(0, 10)).toBe(day)
  })

  it('are those that were decreed for 2024, the movable ones moved', () => {
    expect([...holidaysOf(2024)].sort()).toEqual([
      '2024-01-01',
      '2024-03-29',
      '2024-03-30',
      '2024-05-01',
      '2024-05-21',
      '2024-06-20',
      '2024-06-29',
      '2024-07-16',
      '2024-08-15',
      '2024-09-18',
      '2024-09-19',
      '2024-09-20',
      '2024-10-12',
      '2024-10-31',
      '2024-11-01',
      '2024-12-08',
      '2024-12-25',
    ])
  })

  it.each([
    ['2023-06-26', 'San Pedro y San Pablo of a Thursday goes back to Monday'],
    ['2023-10-09', 'the Encuentro de Dos Mundos too'],
    ['2029-07-02', 'San Pedro y San Pablo of a Friday goes on to Monday'],
    ['2023-10-27', 'the Iglesias Evangélicas of a Tuesday go back to Friday'],
    ['2018-11-02', 'and of a Wednesday on to Friday'],
    ['2018-09-17', 'a Monday before the Fiestas Patrias'],
    ['2021-09-17', 'a Friday before a weekend of Fiestas Patrias'],
    ['2023-01-02', 'a Monday after a New Year of a Sunday'],
    ['2021-06-21', 'the first Pueblos Indígenas'],
    ['2025-06-20', 'Pueblos Indígenas on the solstice'],
  ])('%s: %s', (day) => {
    expect(holidaysOf(Number(day.slice(0, 4))).has(day)).toBe(true)
  })

  it('count no Saturday and no last day of the year as a business day', () => {
    expect(nextBusinessDay('2026-10-31')).toBe('2026-11-02')
    expect(nextBusinessDay('2026-12-31')).toBe('2027-01-04')
  })
})

describe('the day a declaration is due', () => {
  it.each([
    ['2026-09', '2026-10-20'],
    ['2026-08', '2026-09-21'], // a Sunday
    ['2024-08', '2024-09-23'], // a Friday of Fiestas Patrias, then a weekend
    ['2024-05', '2024-06-21'], // Pueblos Indígenas
    ['2025-12', '2026-01-20'],
  ])('of %s is %s', (period, day) => {
    expect(dueDateOf(period)).toBe(day)
  })

  it('is the 12th for whoever does not invoice electronically', () => {
    expect(dueDateOf('2026-10', 'other')).toBe('2026-11-12')
    expect(dueDateOf('2026-08', 'other')).toBe('2026-09-14')
  })
})
