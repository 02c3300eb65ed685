import type { DteDraft } from '@timbre/dte/draft'
import { addDays, EXCHANGED_TIPOS, signOf, TIPO } from '@timbre/dte/values'

/** What a factura without a date is due in (Ley 19.983, art. 2, as of Ley 21.131). */
export const DEFAULT_DAYS = 30

/** When the last part of a document falls due. */
export function lastDueDate({ issue_date, payment }: Pick<DteDraft, 'issue_date' | 'payment'>): string {
  const instalments = (payment?.instalments ?? []).map(({ date }) => date).sort()
  return instalments.at(-1) ?? payment?.due_date ?? addDays(issue_date, DEFAULT_DAYS)
}

/** The tipos that somebody owes: those that are exchanged one by one and do not take away. Boletas are paid at the counter. */
export const OWED_TIPOS: readonly number[] = EXCHANGED_TIPOS.filter((tipo) => signOf(tipo) === 1)

/**
 * Whether a document asks for money. A nota de débito about a nota de crédito gives back what that took off, and asks for
 * nothing of its own; a delivery free of charge (FmaPago 3) asks for nothing at all.
 */
export function asksForMoney({ tipo_dte, payment, references }: Pick<DteDraft, 'tipo_dte' | 'payment' | 'references'>) {
  if (!OWED_TIPOS.includes(tipo_dte) || payment?.form === 'free') return false
  return tipo_dte !== TIPO.nota_de_debito || references?.[0]?.tipo_dte !== TIPO.nota_de_credito
}

/** When a document falls due: as it says, at once where it was paid in cash, and in thirty days otherwise. */
export function dueDateOf(draft: DteDraft): string | null {
  if (!asksForMoney(draft)) return null
  const { payment, issue_date } = draft
  const at_once = payment?.form === 'cash' && !payment.due_date && !payment.instalments?.length
  return at_once ? issue_date : lastDueDate(draft)
}
