import { json } from '../door.ts'
import { filingOf, recordFiling } from '../f29/filings.ts'
import { optionalNumber, requiredRut, requiredText } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

/** Filing an F29, which has no known wire: a test says that it was done. */
export const FILING_ROUTES: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/control/f29',
    handle(ctx, { input }) {
      const rut = requiredRut(input, 'rut')
      const period = requiredText(input, 'period')
      if (!/^\d{4}(0[1-9]|1[0-2])$/.test(period)) throw new ControlRefusal('period is written 202610.')
      const number = (name: string, otherwise: number) => optionalNumber(input, name) ?? otherwise
      recordFiling(ctx, {
        rut,
        period,
        folio: number('folio', ctx.state.next('f29', 8_100_000_001)),
        estado: number('estado', 1),
        monto: number('monto', 0),
        remanente: number('remanente', 0),
        at: ctx.clock.now(),
      })
      return json(filingOf(ctx, rut, period), 201)
    },
  },
]
