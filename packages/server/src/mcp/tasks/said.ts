import { ANONYMOUS_RUT, isTipoDte, longDate, pesos, printedRut, TIPOS } from '@timbre/dte/values'
import { quoted } from '../../domain/agent-tool.ts'
import type { Document } from '../../domain/issuing/document/schema.ts'
import type { ReceivedDocument } from '../../domain/receiving/received-document/schema.ts'

// What Chileans would say: a line for a person, beside the raw values that the next call needs.

const STATUS: Readonly<Record<string, string>> = {
  queued: 'en cola',
  sent: 'enviada al SII',
  accepted: 'aceptada por el SII',
  reparo: 'aceptada con reparos',
  rejected: 'rechazada por el SII',
  annulled: 'anulada',
  failed: 'no se pudo enviar',
}

const ANSWER: Readonly<Record<string, string>> = {
  pending: 'espera respuesta',
  accepted: 'aceptada',
  rejected: 'reclamada',
  accepted_tacitly: 'aceptada por silencio',
  received: 'recibida',
}

export const kindOf = (tipo: number) => (isTipoDte(tipo) ? TIPOS[tipo].name : `Documento tipo ${tipo}`)
/** Nothing of somebody whose name nobody asked for: a boleta has a RUT for them that is nobody's. */
function named(name: string | null, rut: string | null): string {
  if (name === null) return rut === null || rut === ANONYMOUS_RUT ? '' : printedRut(rut)
  return rut === null ? quoted(name) : `${quoted(name)} (${printedRut(rut)})`
}

/** An issued document in the fields that matter. */
export function briefDocument(document: Document) {
  const { id, tipo_dte, folio, status, totals, issue_date, receptor, pending_amount, due_date } = document
  const whom = named(receptor.legal_name, receptor.rut)
  const owed = pending_amount !== null && pending_amount > 0 ? `, por cobrar ${pesos(pending_amount)}` : ''
  return {
    id,
    said: `${kindOf(tipo_dte)} ${folio ?? 'sin folio todavía'}${whom && ` a ${whom}`} por ${pesos(totals.total)} del ${longDate(issue_date)}: ${STATUS[status] ?? status}${owed}`,
    tipo_dte,
    folio,
    status,
    issue_date,
    total: totals.total,
    ...(owed !== '' && { pending_amount, due_date }),
  }
}

/** Why the SII or we refused it, and what to do, in Spanish. */
export function refusalOf({ sii, failure }: Document) {
  return {
    ...(sii.estado !== null && { sii: [sii.estado, sii.glosa].filter((one) => one !== null).join(' ') }),
    ...(sii.explanation && { why: sii.explanation.message, fix: sii.explanation.fix }),
    ...(failure && { failure }),
  }
}

const DAY_MS = 86_400_000

/** A received document in the fields that matter; its texts are the supplier's. */
export function briefReceived(received: ReceivedDocument, today: string) {
  const { id, tipo_dte, folio, status, emisor, totals, issue_date, deadline_at, pending_amount, due_date, items } =
    received
  const waits = status === 'pending' && deadline_at !== null
  const days = waits ? Math.floor((Date.parse(deadline_at) - Date.parse(`${today}T03:00:00Z`)) / DAY_MS) : null
  const until = waits ? `; hay plazo hasta el ${longDate(deadline_at.slice(0, 10))}` : ''
  return {
    id,
    said: `${kindOf(tipo_dte)} ${folio} de ${named(emisor.legal_name, emisor.rut)} por ${pesos(totals.total)} del ${longDate(issue_date)}: ${ANSWER[status] ?? status}${until}`,
    tipo_dte,
    folio,
    status,
    emisor_rut: emisor.rut,
    total: totals.total,
    ...(waits && { deadline_at, days_left: days }),
    ...(pending_amount !== null && pending_amount > 0 && { pending_amount, due_date }),
    about: items.slice(0, 3).map(({ description }) => description),
    ...(received.authenticity.status !== 'verified' && { authenticity: received.authenticity.status }),
  }
}

interface Counted {
  readonly status: string
  readonly total: number
}

/** Counts and totals of a list, so that nobody adds up rows. */
export function summed(rows: readonly Counted[], complete: boolean) {
  const by_status: Record<string, { count: number; total: number }> = {}
  for (const { status, total } of rows) {
    const one = by_status[status] ?? { count: 0, total: 0 }
    by_status[status] = { count: one.count + 1, total: one.total + total }
  }
  const total = rows.reduce((sum, row) => sum + row.total, 0)
  return {
    said: `${rows.length}${complete ? '' : ' o más'} ${rows.length === 1 && complete ? 'documento' : 'documentos'} por ${pesos(total)}`,
    count: rows.length,
    total,
    by_status,
    ...(!complete && { more: 'These are the newest alone: narrow the dates for the rest.' }),
  }
}
