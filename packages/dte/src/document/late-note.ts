import { addMonths } from '../dates.ts'
import { TIPO } from './tipos.ts'

/** The tipos whose IVA the emitter owes: a purchase or a guía gave the SII none, an exempt document carries none. */
const OWES_IVA: readonly number[] = [TIPO.factura, TIPO.boleta, TIPO.nota_de_debito]
const MONTHS_TO_LOWER_DEBIT = 6
const CORRECTS_TEXT = 2

/**
 * Whether a nota de crédito comes too late: after six months it still corrects the document, and no longer lowers the
 * debit of its emitter (D.L. 825, art. 21 and 70; IndNoRebaja of Formato DTE v2.4.2).
 */
export function isLateNota(
  original: { readonly tipo: number; readonly issue_date: string },
  nota: { readonly code: number | null; readonly issue_date: string },
): boolean {
  if (nota.code === CORRECTS_TEXT || !OWES_IVA.includes(original.tipo)) return false
  return nota.issue_date > addMonths(original.issue_date, MONTHS_TO_LOWER_DEBIT)
}
