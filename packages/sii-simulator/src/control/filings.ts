import { json } from '../door.ts'
import { FILING_STATES, filingOf, recordFiling } from '../f29/filings.ts'
import { matching, oneOf, optional, readInput, rut, whole } from './input.ts'
import type { ControlRoute } from './route.ts'

/** Amounts of a tax form have up to twelve digits here, more than any has. */
const AMOUNT = whole(0, 999_999_999_999)
const FILING = {
  rut,
  period: matching(/^20\d{2}(0[1-9]|1[0-2])$/, '202610'),
  folio: optional(whole(1, 9_999_999_999)),
  estado: optional(oneOf(Object.keys(FILING_STATES).map(Number))),
  monto: optional(AMOUNT),
  remanente: optional(AMOUNT),
}

/** Filing an F29, which has no known wire: a test says that it was done. */
export const FILING_ROUTES: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/control/f29',
    handle(ctx, { input }) {
      const { rut: filer, period, folio, estado, monto, remanente } = readInput(input, FILING)
      recordFiling(ctx, {
        rut: filer,
        period,
        folio: folio ?? ctx.state.next('f29', 8_100_000_001),
        estado: estado ?? 1,
        monto: monto ?? 0,
        remanente: remanente ?? 0,
        at: ctx.clock.now(),
      })
      return json(filingOf(ctx, filer, period), 201)
    },
  },
]
