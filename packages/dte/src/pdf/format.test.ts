import { describe, expect, it } from 'vitest'
import { decimal, longDate, pesos, shortDate, shortMoment, thousands } from './format.ts'

describe('numbers and dates as Chile prints them', () => {
  it('thousands have dots and decimals a comma', () => {
    expect([0, 999, 1000, 1234567, -1234].map(thousands)).toEqual(['0', '999', '1.000', '1.234.567', '-1.234'])
    expect([1, 0.435, 1250.75, 812.4025, 1e6].map(decimal)).toEqual(['1', '0,435', '1.250,75', '812,4025', '1.000.000'])
    expect([1500, -1500].map(pesos)).toEqual(['$ 1.500', '-$ 1.500'])
  })

  it('dates go from day to year, in figures or in words', () => {
    expect(shortDate('2026-11-05')).toBe('05-11-2026')
    expect(longDate('2026-11-05')).toBe('5 de noviembre de 2026')
  })

  it('an instant is told in the time of Santiago', () => {
    expect(shortMoment('2026-11-15T11:30:00Z')).toBe('15-11-2026 08:30')
    expect(shortMoment('2026-11-15T08:30:00')).toBe('15-11-2026 08:30')
    expect(shortMoment('2026-11-15')).toBe('15-11-2026')
  })
})
