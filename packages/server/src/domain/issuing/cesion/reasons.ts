import { TIPO } from '@timbre/dte/values'
import type { EmissionChannel } from '../../platform/empresa/channels.ts'
import type { Credited } from '../credit-note/credited.ts'
import { isClaimedAtSii } from '../document/receptor-standing.ts'
import { type DocumentRow, isCededByEmisor } from '../document/show.ts'

/** Why a document cannot be ceded now (Ley 19.983; SII, Registro de Transferencia de Créditos). */
export const REASONS = {
  tipo_not_cedible: 'Only facturas (33 and 34) are ceded; a guía follows the factura of its sale.',
  not_the_creditor: 'In a factura de compra the emisor is the buyer: the credit belongs to the seller.',
  channel_without_cesion: 'An empresa on the sfg channel cedes in the portal of the SII.',
  not_accepted: 'The SII has not accepted the document.',
  annulled: 'A nota de crédito annulled it.',
  annulment_in_progress: 'A nota de crédito that annuls it is on its way to the SII.',
  nothing_left: 'Notas de crédito took all of it.',
  paid: 'It was paid when it was issued, or given for free: there is no credit to cede.',
  already_ceded: 'It was ceded already: only the cesionario may cede it again.',
  receptor_may_claim: 'The receptor has neither acknowledged nor claimed it, and its eight days are not over.',
  claimed_by_receptor: 'The receptor claimed it.',
  unknown_to_sii: 'The SII does not know the document.',
} as const
export type ReasonCode = keyof typeof REASONS
export const REASON_CODES = Object.keys(REASONS) as ReasonCode[]

/** The SII accepted it, whatever a nota did to it later. */
const ACCEPTED = ['accepted', 'reparo', 'annulled']

export interface Standing {
  readonly document: DocumentRow
  readonly channel: EmissionChannel
  readonly credited: Credited
}

/** What stands in the way, leaving earlier cesiones aside. */
export function reasonsToday({ document, channel, credited }: Standing): ReasonCode[] {
  const { tipo_dte, status, draft } = document
  const { annulment, left } = credited
  const annulled = status === 'annulled' || annulment?.status === 'accepted' || annulment?.status === 'reparo'
  const reasons: [ReasonCode, boolean][] = [
    ['not_the_creditor', tipo_dte === TIPO.factura_de_compra],
    ['tipo_not_cedible', tipo_dte !== TIPO.factura_de_compra && !isCededByEmisor(tipo_dte)],
    ['channel_without_cesion', channel === 'sfg'],
    ['not_accepted', !ACCEPTED.includes(status)],
    ['annulled', annulled],
    ['annulment_in_progress', annulment !== null && !annulled],
    ['nothing_left', annulment === null && !annulled && left.total <= 0],
    ['claimed_by_receptor', isClaimedAtSii(document.receptor_response ?? null)],
    ['paid', draft.payment?.form === 'cash' || draft.payment?.form === 'free'],
  ]
  return reasons.filter(([, stands]) => stands).map(([reason]) => reason)
}

/** The same, and that the credit was not ceded before: a cesión that failed moved nothing. */
export function reasonsAgainst(standing: Standing): ReasonCode[] {
  const { cesion_status } = standing.document
  const ceded = cesion_status !== null && cesion_status !== 'failed'
  return [...reasonsToday(standing), ...(ceded ? (['already_ceded'] as const) : [])]
}

/** SII, Registro de Aceptación o Reclamo v1.2, consultarDocDteCedible: 23 and 25 let it be ceded. */
const SII_REASONS: Readonly<Record<string, ReasonCode | null>> = {
  20: 'tipo_not_cedible',
  21: 'annulled',
  22: 'receptor_may_claim',
  23: null,
  24: 'claimed_by_receptor',
  25: null,
}

export function reasonOfSii({ code }: { readonly code: string }): ReasonCode | null {
  const reason = SII_REASONS[code]
  return reason === undefined ? 'unknown_to_sii' : reason
}

export const explainReasons = (codes: readonly ReasonCode[]) => codes.map((code) => ({ code, message: REASONS[code] }))
