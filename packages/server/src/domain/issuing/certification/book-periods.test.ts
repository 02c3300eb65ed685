import { expect, it } from 'vitest'
import { bookPeriods } from './book-periods.ts'

it('gives a book that went before the month before, one more for each attempt, and leaves others to their documents', () => {
  const first = { kind: 'libro_ventas', period: '2026-01' } as const
  const second = { kind: 'libro_ventas', period: '2025-12' } as const
  expect(bookPeriods('2026-01', [])).toEqual({})
  expect(bookPeriods('2026-01', [first])).toEqual({ libro_ventas: '2025-12' })
  expect(bookPeriods('2026-01', [first, second])).toEqual({ libro_ventas: '2025-11' })
  expect(bookPeriods('2026-01', [first, second, { kind: 'libro_guias', period: '2026-01' }])).toEqual({
    libro_ventas: '2025-11',
    libro_guias: '2025-12',
  })
})

it('gives it the month of its documents where these were made again in a later one', () => {
  expect(bookPeriods('2026-02', [{ kind: 'libro_ventas', period: '2026-01' }])).toEqual({ libro_ventas: '2026-02' })
})
