import { acknowledgedAt, CLAIM_DAYS_MS, type ClaimEvent, claimedAt, lapsed } from '../claims/rules.ts'
import type { DteFacts } from '../register/facts.ts'

/**
 * The register of purchases and sales as it follows from what was emitted, received and claimed. Nothing is kept here:
 * an entry is a function of the document, of the acts upon it and of the hour.
 */
export interface RegisteredDocument {
  readonly facts: DteFacts
  readonly received_at: number
  readonly events: readonly ClaimEvent[]
  /** What the buyer chose with `cambiaTipoCompra`; null where it left the document's own hint. */
  readonly purchase_kind: number | null
}

export const BOOK_STATES = ['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'] as const
export type BookState = (typeof BOOK_STATES)[number]

export interface Entry {
  readonly document: RegisteredDocument
  /** `AAAAMM`. */
  readonly period: string
  /** Sales have no state. */
  readonly state: BookState | null
  readonly kind: number
}

/** Tipos that stand in the register one by one; boletas only as a sum of the month, guías not at all. */
const EACH: readonly number[] = [33, 34, 43, 46, 56, 61]
export const SUMMED: readonly number[] = [39, 41]
/** Only a factura on credit waits for the buyer: cash, exempt facturas and notes enter at once. */
const WAITING: readonly number[] = [33, 43]
export const LEFT_OUT = 7

/** The tax month of an instant in Santiago is asked of the caller, which owns the clock. */
export type PeriodOf = (instant: number) => string

export function purchaseEntry(document: RegisteredDocument, now: number, periodOf: PeriodOf): Entry | null {
  const { facts, received_at, events } = document
  if (!EACH.includes(facts.tipo)) return null
  const kind = document.purchase_kind ?? facts.purchase_kind
  const claimed = claimedAt(events)
  const settled = settledAt(document, now)
  if (claimed !== null) return { document, kind, state: 'RECLAMADO', period: periodOf(received_at) }
  if (settled === null) return { document, kind, state: 'PENDIENTE', period: periodOf(received_at) }
  return { document, kind, state: kind === LEFT_OUT ? 'NO_INCLUIR' : 'REGISTRO', period: periodOf(settled) }
}

/** When a purchase entered: on reception, on the buyer's act, or on the lapse of the eight days; null while it waits. */
function settledAt({ facts, received_at, events }: RegisteredDocument, now: number): number | null {
  if (!WAITING.includes(facts.tipo) || facts.payment !== 2) return received_at
  const acknowledged = acknowledgedAt(events)
  if (acknowledged !== null) return acknowledged
  return lapsed(received_at, now) ? received_at + CLAIM_DAYS_MS : null
}

/** A sale stands in the month of its date, whenever the SII received it. */
export function saleEntry(document: RegisteredDocument): Entry | null {
  const { facts } = document
  if (facts.tipo === 46 || !(EACH.includes(facts.tipo) || SUMMED.includes(facts.tipo))) return null
  return { document, kind: facts.sale_kind, state: null, period: facts.issued_on.slice(0, 7).replace('-', '') }
}

export const PURCHASE_KINDS: Readonly<Record<number, string>> = {
  1: 'Del Giro',
  2: 'Supermercados',
  3: 'Bienes Raíces',
  4: 'Activo Fijo',
  5: 'IVA Uso Común',
  6: 'IVA no Recuperable',
  7: 'No Corresp. Incluir',
}

export const SALE_KINDS: Readonly<Record<number, string>> = { 1: 'Del Giro', 2: 'Activo Fijo', 3: 'Bienes Raíces' }

/** How the IVA of a purchase counts by its kind: recoverable, of common use, or lost (with the SII's code for why). */
export function ivaOf({ document, kind }: Entry): {
  recoverable: number
  common: number
  lost: number
  lost_code: number
} {
  const iva = document.facts.iva
  if (kind === 6 || kind === LEFT_OUT) return { recoverable: 0, common: 0, lost: iva, lost_code: 9 }
  if (kind === 5) return { recoverable: 0, common: iva, lost: 0, lost_code: 0 }
  return { recoverable: iva, common: 0, lost: 0, lost_code: 0 }
}
