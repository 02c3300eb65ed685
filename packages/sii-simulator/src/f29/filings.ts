import type { Simulator } from '../simulator.ts'

/** A declaration that was filed. No public contract tells how: the control surface records it, as a person would file. */
export type Filing = {
  rut: string
  /** `AAAAMM`. */
  period: string
  folio: number
  /** 1 vigente, 48 sin movimiento… */
  estado: number
  monto: number
  /** Code 77, which the next month carries as 504. */
  remanente: number
  at: number
}

const filingsOf = (ctx: Simulator) => ctx.state.store<Filing>('filings')

/** The states that a declaration may have, in the SII's words. */
export const FILING_STATES: Readonly<Record<number, string>> = {
  1: 'Vigente',
  12: 'Pago rechazado',
  40: 'Guardado',
  41: 'Guardado',
  42: 'En proceso PEC',
  43: 'En proceso PEEL',
  48: 'Sin movimiento',
  67: 'Pendiente de anulación',
  70: 'Pago inconcluso',
}

export function filingOf(ctx: Simulator, rut: string, period: string): Filing | null {
  return filingsOf(ctx).get(`${rut}:${period}`) ?? null
}

export function recordFiling(ctx: Simulator, filing: Filing): void {
  filingsOf(ctx).put(`${filing.rut}:${filing.period}`, filing)
}

/** The month before: `202612` of `202701`. */
export function previousPeriod(period: string): string {
  const [year, month] = [Number(period.slice(0, 4)), Number(period.slice(4))]
  return month === 1 ? `${year - 1}12` : `${year}${String(month - 1).padStart(2, '0')}`
}
