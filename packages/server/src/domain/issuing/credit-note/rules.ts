import { TIPO } from '@timbre/dte/values'
import { Problem } from '../../../kernel/problem.ts'
import type { NoteInForce } from '../document/corrections.ts'
import type { DocumentRow } from '../document/show.ts'
import type { Correction } from './build.ts'

/** Why a document takes no nota de crédito now, as `details.reason` says it. */
const NOT_CREDITABLE = {
  tipo: 'A nota de crédito is annulled by a nota de débito: POST /documents with tipo_dte 56.',
  status: 'Only a document that the SII accepted takes a nota de crédito.',
  annulled: 'A nota de crédito annulled it already.',
  annulment_in_progress: 'A nota de crédito that annuls it is on its way to the SII.',
  partly_credited: 'Part of it is credited already: credit the rest with code 3, or annul those notas first.',
  fully_credited: 'Nothing is left to credit.',
  no_amount: 'It moves no money, so there is nothing to credit.',
  ceded: 'Its credit was ceded: agree with the cesionario first, then issue the nota with POST /documents.',
} as const
export type NotCreditable = keyof typeof NOT_CREDITABLE

export function notCreditable(
  reason: NotCreditable,
  { status, note }: { readonly status?: string; readonly note?: string | undefined },
): Problem {
  return new Problem('document_not_creditable', {
    message: NOT_CREDITABLE[reason],
    ...(note !== undefined && { existing_id: note }),
    details: { reason, ...(status !== undefined && { status }) },
  })
}

/** The amount of a document that is left to credit, in the two parts that cannot make up for each other. */
export interface Balance {
  readonly taxed: number
  readonly exempt: number
  readonly total: number
}

/**
 * A line with IVA cannot be credited as one without. The two are compared with their taxes: the net of a gross price
 * is rounded in each note, and two halves may round to a peso more than the whole.
 */
export function balanceOf(original: Pick<DocumentRow, 'exempt' | 'total'>, notes: readonly NoteInForce[]): Balance {
  const exempt = notes.reduce((left, note) => left - note.exempt, original.exempt)
  const total = notes.reduce((left, note) => left - note.total, original.total)
  return { taxed: total - exempt, exempt, total }
}

/** A document that the SII accepted with observations is as valid as any other. */
export const VALID: readonly string[] = ['accepted', 'reparo']

/** The refusal of a second annulment, which names the first. */
export function annulledBy(note: Pick<NoteInForce, 'id' | 'status'>, original?: Pick<DocumentRow, 'status'>): Problem {
  const reason = VALID.includes(note.status) ? 'annulled' : 'annulment_in_progress'
  return notCreditable(reason, { ...original, note: note.id })
}

/** A cesión that failed moved nothing. */
const CEDED = ['queued', 'submitted', 'confirmed']

/** Refuses by what the original is and by what happened to it, before anything is written. */
export function refuseUncreditable(original: DocumentRow, { code }: Correction, notes: readonly NoteInForce[]): void {
  const { status, tipo_dte, cesion_status } = original
  const annulment = notes.find(({ annuls_id }) => annuls_id === original.id)
  const refuse = (reason: NotCreditable, note?: string) => notCreditable(reason, { status, note })
  if (tipo_dte === TIPO.nota_de_credito) throw refuse('tipo')
  if (annulment) throw annulledBy(annulment, { status })
  if (status === 'annulled') throw refuse('annulled')
  if (!VALID.includes(status)) throw refuse('status')
  if (code === 2) return
  if (original.total === 0) throw refuse('no_amount')
  if (cesion_status !== null && CEDED.includes(cesion_status)) throw refuse('ceded')
  if (balanceOf(original, notes).total <= 0) throw refuse('fully_credited', notes.at(-1)?.id)
  const [part] = notes.filter(({ total }) => total > 0)
  if (code === 1 && part) throw refuse('partly_credited', part.id)
}

/** A nota never credits more than is left of its original (SII, Formato DTE v2.4.2: never above the original). */
export function refuseExcess(left: Balance, note: Pick<DocumentRow, 'exempt' | 'total'>): void {
  const taxed = note.total - note.exempt
  if (taxed <= left.taxed && note.exempt <= left.exempt) return
  const message = `The nota credits ${note.total} and ${left.total} is left of the original.`
  throw new Problem('credit_exceeds_original', { param: 'items', message, details: { left } })
}
