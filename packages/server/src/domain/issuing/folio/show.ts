import type { Mode } from '../../../catalog/modes.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { Caf, CafSource } from './schema.ts'

/** The row without the file itself: only `readStampingCaf` opens that. */
export interface CafRow {
  readonly id: string
  readonly mode: Mode
  readonly tipo_dte: number
  readonly ambiente: Ambiente
  readonly from_folio: number
  readonly to_folio: number
  readonly next_folio: number
  readonly spent: boolean
  readonly authorised_on: string
  readonly expires_on: string | null
  readonly source: CafSource
  readonly status: Caf['status']
  readonly created_at: Date
  readonly deactivated_at: Date | null
  readonly annulment_status: 'queued' | 'annulled' | 'failed' | null
  /** What its annulment is about, once it was requested. */
  readonly annulment: CafAnnulment | null
}

/** An annulment as its range shows it, without its status. */
export type CafAnnulment = Omit<NonNullable<Caf['annulment']>, 'status'>

/** Where a range stood, and where it goes on. */
export interface MovedRange {
  readonly id: string
  readonly was: number
  readonly next_folio: number
}

type Range = Pick<CafRow, 'from_folio' | 'to_folio' | 'next_folio'>

export function remainingOf({ next_folio, to_folio }: Range): number {
  return to_folio - next_folio + 1
}

export function sizeOf({ from_folio, to_folio }: Range): number {
  return to_folio - from_folio + 1
}

/** The last day is still a good one: only a signature after it is CAF-3-517 to the SII. */
export function isExpired({ expires_on }: Pick<CafRow, 'expires_on'>, on: string): boolean {
  return expires_on !== null && expires_on < on
}

/** A CAF as of a day in Santiago. Its file and its key are never shown. */
export function showCaf(row: CafRow, on: string): Caf {
  return {
    object: 'caf',
    id: row.id,
    mode: row.mode,
    ambiente: row.ambiente,
    tipo_dte: row.tipo_dte,
    from: row.from_folio,
    to: row.to_folio,
    next_folio: row.spent ? null : row.next_folio,
    remaining: remainingOf(row),
    status: row.status,
    source: row.source,
    authorised_on: row.authorised_on,
    expires_on: row.expires_on,
    expired: isExpired(row, on),
    created_at: row.created_at.toISOString(),
    deactivated_at: row.deactivated_at?.toISOString() ?? null,
    annulment: row.annulment_status && row.annulment ? { status: row.annulment_status, ...row.annulment } : null,
  }
}
