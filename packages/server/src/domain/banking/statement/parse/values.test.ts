import { describe, expect, it } from 'vitest'
import { parseAmount } from './parse-amount.ts'
import { parseDate } from './parse-date.ts'
import { parseRutCell } from './parse-row.ts'
import { textOf } from './sheet.ts'

describe('an amount', () => {
  it.each([
    ['1234', 1234],
    ['$ 1.234.567', 1_234_567],
    ['1.234', 1234],
    ['1,234,567', 1_234_567],
    ['1.234,00', 1234],
    ['1,234.00', 1234],
    ['-1.234', -1234],
    ['−1.234', -1234],
    ['1.234-', -1234],
    ['(1.234)', -1234],
    ['($1.234)', -1234],
    ['$-1.234', -1234],
    ['+ 500', 500],
    ['CLP 12.000', 12_000],
    [' 9\u00a0500 ', 9_500],
    ['0', 0],
    ['-', null],
    ['', null],
    [1234, 1234],
    [-1234.0000000001, -1234],
  ])('of pesos written %j is %j', (cell, amount) => {
    expect(parseAmount(cell, 0)).toBe(amount)
  })

  it.each([
    ['1.234,56', 123_456],
    ['1,234.56', 123_456],
    ['US$ 20,5', 2_050],
    ['USD 20', 2_000],
    ['-49,99', -4_999],
    [0.1 + 0.2, 30],
  ])('of dollars written %j is %j cents', (cell, amount) => {
    expect(parseAmount(cell, 2)).toBe(amount)
  })

  it.each([
    ['12,50', 'has decimals, and pesos have none'],
    [12.5, 'has decimals, and pesos have none'],
    ['1.23.456', 'is not an amount'],
    ['0.125', 'is not an amount'],
    ['doce mil', 'is not an amount'],
    ['1e5', 'is not an amount'],
    ['9999999999999999', 'is larger than any amount of a bank'],
    ['=SUMA(B2:B9)', 'is a formula, and formulas are not calculated'],
    ['=1+1', 'is a formula, and formulas are not calculated'],
    ['+A1+B1', 'is a formula, and formulas are not calculated'],
    ['-1+5', 'is a formula, and formulas are not calculated'],
    ['@SUM(A1)', 'is a formula, and formulas are not calculated'],
    [{ formula: 'SUM(B2:B9)', shown: '500' }, 'is a formula, and formulas are not calculated'],
  ])('written %j is refused: it %s', (cell, reason) => {
    expect(() => parseAmount(cell, 0)).toThrow(reason)
  })
})

describe('a date', () => {
  const context = { end: '2026-11-20', epoch1904: false }

  it.each([
    ['05/11/2026', '2026-11-05', 'dd/mm/yyyy'],
    ['5-11-26', '2026-11-05', 'dd-mm-yy'],
    ['05.11.2026', '2026-11-05', 'dd.mm.yyyy'],
    ['05/11', '2026-11-05', 'dd/mm'],
    ['31/12', '2025-12-31', 'dd/mm'],
    ['2026-11-05', '2026-11-05', 'yyyy-mm-dd'],
    ['2026-11-05T13:45:00', '2026-11-05', 'yyyy-mm-dd'],
    ['05/11/2026 13:45', '2026-11-05', 'dd/mm/yyyy'],
    ['05 nov 2026', '2026-11-05', 'dd mmm yyyy'],
    ['05-Nov-26', '2026-11-05', 'dd mmm yy'],
    ['5 de septiembre de 2026', '2026-09-05', 'dd mmm yyyy'],
    ['05112026', '2026-11-05', 'ddmmyyyy'],
    ['20261105', '2026-11-05', 'yyyymmdd'],
    [46_331, '2026-11-05', 'excel'],
    [46_331.75, '2026-11-05', 'excel'],
    ['46331', '2026-11-05', 'excel'],
    ['29/02/2024', '2024-02-29', 'dd/mm/yyyy'],
  ])('written %j is %s', (cell, date, format) => {
    expect(parseDate(cell, context)).toEqual({ date, format })
  })

  it('of an old Mac counts from 1904', () => {
    expect(parseDate(46_331 - 1462, { ...context, epoch1904: true })?.date).toBe('2026-11-05')
  })

  it('has the day before the month even where both would do', () => {
    expect(parseDate('03/04/2026', context)?.date).toBe('2026-04-03')
  })

  it.each([
    ['31/02/2026', 'is no day of the calendar'],
    ['29/02/2026', 'is no day of the calendar'],
    ['00/11/2026', 'is no day of the calendar'],
    ['11/25/2026', 'there is no month 25'],
    ['05/11/1926', 'is in the year 1926'],
    ['ayer', 'is not a date'],
    ['05 xyz 2026', 'is not a date'],
    [12, 'is not a date'],
    [-1, 'is not a date'],
    [0.5, 'is not a date'],
    [99_999_999, 'is not a date'],
    [1e9, 'is not a date'],
    [-1e9, 'is not a date'],
    [1e15 + 0.5, 'is not a date'],
    [1e308, 'is not a date'],
    [Number.NaN, 'is not a date'],
    ['1e9', 'is not a date'],
    [{ formula: 'TODAY()', shown: '46331' }, 'is a formula, and formulas are not calculated'],
  ])('written %j is refused: it %s', (cell, reason) => {
    expect(() => parseDate(cell, context)).toThrow(reason)
  })
})

describe('text', () => {
  it('that was encoded twice is read as it was meant, and other text is left alone', () => {
    expect(textOf('DescripciÃ³n')).toBe('Descripción')
    expect(textOf('Ã³ y Ω')).toBe('Ã³ y Ω')
    expect(textOf('PANADERÃ\u008dA Ã‘ANDÃš')).toBe('PANADERÍA ÑANDÚ')
    expect(textOf('Compañía')).toBe('Compañía')
  })

  it('stands on one line, without control characters', () => {
    expect(textOf('Pago\r\nde \u0000luz')).toBe('Pago de  luz')
  })
})

describe('a RUT in a cell', () => {
  it.each([
    ['76.192.083-9', '76192083-9'],
    ['0761920839', '76192083-9'],
    ['76192083-0', null],
    ['transferencia', null],
  ])('written %s is %s', (text, rut) => {
    expect(parseRutCell(text)).toBe(rut)
  })
})
