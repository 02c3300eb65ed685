import type { AnyDte } from '@timbre/dte'
import { addDays, folioNumber, SELLER_TIPOS, signOf, TIPO } from '@timbre/dte/values'
import type { Balance } from '../../issuing/document/balance.ts'
import { DEFAULT_DAYS } from '../../issuing/document/due-date.ts'

/** The tipos of suppliers that we owe. */
export const OWED = SELLER_TIPOS.filter((tipo) => signOf(tipo) === 1)

/** What a nota is about, by its first reference; nulls for anything else. */
export function aboutOf(dte: Pick<AnyDte, 'tipo_dte' | 'references' | 'emisor'> | null): {
  readonly about_tipo: number | null
  readonly about_folio: number | null
} {
  const is_nota = dte?.tipo_dte === TIPO.nota_de_credito || dte?.tipo_dte === TIPO.nota_de_debito
  const reference = is_nota ? dte.references?.[0] : undefined
  const folio = folioNumber(reference?.folio)
  // With the RUT of another emisor it is about a document that is not its own: see what a nota of ours corrects.
  const own = reference?.emisor_rut === undefined || reference.emisor_rut === dte?.emisor.rut
  if (reference?.tipo_dte === undefined || folio === null || !own) return { about_tipo: null, about_folio: null }
  return { about_tipo: reference.tipo_dte, about_folio: folio }
}

/** A row as far as its payment goes. */
interface Owed {
  readonly tipo_dte: number
  readonly about_tipo: number | null
  readonly status: string
  readonly payment_form: string | null
  readonly issue_date: string
  readonly due_date: string | null
  readonly total: number
  readonly credited_amount: number
  readonly paid_amount: number
  readonly paid_at: Date | null
}

/** Whether it asks for money: see what a document of ours asks for. */
function asksForMoney({ tipo_dte, about_tipo, payment_form }: Owed): boolean {
  if (!OWED.includes(tipo_dte) || payment_form === 'free') return false
  return tipo_dte !== TIPO.nota_de_debito || about_tipo !== TIPO.nota_de_credito
}

/** What is left to be paid to the supplier. One that we claimed is owed nothing (Ley 19.983, art. 3). */
export function pendingOf(row: Owed): number {
  if (row.status === 'rejected' || !asksForMoney(row)) return 0
  return Math.max(0, row.total - row.credited_amount - row.paid_amount)
}

/** As the document says; where it does not, at once in cash, and in thirty days otherwise (Ley 19.983, art. 2). */
function dueDateOf(row: Owed): string | null {
  if (row.due_date !== null || !asksForMoney(row)) return row.due_date
  return addDays(row.issue_date, row.payment_form === 'cash' ? 0 : DEFAULT_DAYS)
}

export function balanceOf(row: Owed): Balance {
  return {
    due_date: dueDateOf(row),
    paid: row.paid_at !== null,
    paid_at: row.paid_at?.toISOString() ?? null,
    pending_amount: pendingOf(row),
  }
}
