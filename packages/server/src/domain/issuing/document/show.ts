import type { DteDraft } from '@timbre/dte/draft'
import { DOCUMENTS, hasCedibleCopy, type TipoDte } from '@timbre/dte/values'
import { MODES, type Mode } from '../../../catalog/modes.ts'
import type { ToldFinding } from '../../../ports/inspection.ts'
import type { Addresses } from '../../../ports/ports.ts'
import type { SiiDocument } from '../../../ports/sii-document.ts'
import { type EmissionChannel, getsFolioFromSii } from '../../platform/empresa/channels.ts'
import type { PrintFormat } from '../branding/schema.ts'
import { amountsOf } from './amounts.ts'
import { balanceOf } from './balance.ts'
import { detailOf } from './detail.ts'
import { standingOf } from './receptor-standing.ts'
import type {
  Document,
  DocumentStatus,
  Exchange,
  Explanation,
  Failure,
  ReceptorAnswer,
  ReceptorSource,
} from './schema.ts'

/** The SII's answer, as the row stores it. */
export interface SiiAnswerRow {
  readonly glosa: string | null
  readonly explanation: Explanation | null
  /** Whether it names what was found. Absent in rows of before results were read. */
  readonly has_finding?: boolean
  /** What a result e-mail said while the SII itself had not answered: it counts once that refuses or observes the document. */
  readonly told?: (ToldFinding & { readonly outcome: 'rejected' | 'reparo' }) | undefined
}

/** A cesión as its document shows it, without its status. */
export type CesionFacts = Omit<Document['cesion'], 'cedible' | 'status'>

export interface DocumentRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly status: DocumentStatus
  readonly tipo_dte: TipoDte
  readonly folio: number | null
  readonly issue_date: string
  readonly net: number
  readonly iva: number
  readonly exempt: number
  readonly total: number
  readonly receptor_rut: string
  readonly draft: DteDraft
  /** The channel it was issued by; the empresa's own may have changed since. */
  readonly emission_channel: EmissionChannel
  readonly receptor_sources: Record<string, ReceptorSource>
  readonly external_id: string | null
  readonly metadata: Record<string, string>
  readonly pdf_format: PrintFormat | null
  readonly pdf_cedible: boolean
  readonly corrects_id: string | null
  readonly annuls_id: string | null
  readonly caf_id: string | null
  /** By what its envelope is asked about; absent for what the portal issued. */
  readonly envelope_key?: string | null
  /** What the SII calls the envelope that counts; null until it told. */
  readonly track_id: string | null
  /** The same where the SII mails what became of it. */
  readonly mailed_track_id?: string | null
  readonly estado: string | null
  readonly sii_answer: SiiAnswerRow | null
  readonly failure: Failure | null
  readonly exchange_status?: Exchange['status']
  /** What is shown of the copy for the receptor's mailbox; absent before it went. */
  readonly exchange?: Omit<Exchange, 'status'> | null
  /** What the receptor answered, oldest first; absent before the first answer. */
  readonly receptor_response?: readonly ReceptorAnswer[] | null
  readonly cesion_status: Document['cesion']['status']
  /** The last cesión; absent before the first one. */
  readonly cesion?: CesionFacts | null
  readonly created_at: Date
  readonly sent_at: Date | null
  readonly settled_at: Date | null
  readonly due_date: string | null
  /** What it asks for; nothing where nobody owes it, as a boleta. */
  readonly owed_amount: number
  /** What notas de crédito that the SII took have taken off. */
  readonly credited_amount: number
  readonly paid_amount: number
  readonly paid_at: Date | null
}

function receptorOf({ draft, receptor_sources }: DocumentRow): Document['receptor'] {
  const { rut, legal_name, giro, address, email, phone, contact, code, foreign } = draft.receptor
  return {
    rut,
    legal_name: legal_name ?? null,
    giro: giro ?? null,
    address: { street: address?.street ?? null, comuna: address?.comuna ?? null, city: address?.city ?? null },
    email: email ?? null,
    phone: phone ?? null,
    contact: contact ?? null,
    code: code ?? null,
    foreign: foreign ? { id: foreign.id ?? null, nationality: foreign.nationality ?? null } : null,
    sources: receptor_sources,
  }
}

/** Whether it has a cedible copy (Ley 19.983). Of what was issued by the free portal only the portal prints one. */
export function isCedible(row: Pick<DocumentRow, 'tipo_dte' | 'draft' | 'emission_channel'>): boolean {
  const { tipo_dte, draft, emission_channel } = row
  if (getsFolioFromSii(emission_channel, tipo_dte)) return false
  return hasCedibleCopy({ tipo_dte, dispatch: draft.dispatch })
}

/**
 * The credit of a factura is its emisor's to cede. A guía follows the factura of its sale, and in a factura de compra
 * the emisor is the buyer: the credit is the seller's.
 */
export function isCededByEmisor(tipo_dte: TipoDte): boolean {
  return DOCUMENTS[tipo_dte]?.ceded_by === 'emisor'
}

/** A document without force, or one that was taken back, carries no credit any more. */
const WITHOUT_CREDIT: readonly DocumentRow['status'][] = ['rejected', 'annulled']

function isCededHere({ tipo_dte, emission_channel, status }: DocumentRow): boolean {
  return isCededByEmisor(tipo_dte) && !getsFolioFromSii(emission_channel, tipo_dte) && !WITHOUT_CREDIT.includes(status)
}

const NO_EXCHANGE: Omit<Exchange, 'status'> = { to: null, reason: null, sent_at: null }

const NO_CESION: CesionFacts = {
  id: null,
  cesionario: null,
  amount: null,
  due_date: null,
  track_id: null,
  estado: null,
  glosa: null,
  explanation: null,
  failure: null,
  submitted_at: null,
  settled_at: null,
}

/** The heading: what lists, events and the answer to a creation carry. A boleta may have a thousand lines. */
export function showDocument(row: DocumentRow, { base_url }: Pick<Addresses, 'base_url'>): Document {
  const { id } = row
  const { totals, taxes } = amountsOf(row)
  const { due_date, paid, paid_at, pending_amount } = balanceOf(row)
  return {
    object: 'document',
    id,
    mode: row.mode,
    status: row.status,
    tipo_dte: row.tipo_dte,
    folio: row.folio,
    issue_date: row.issue_date,
    totals,
    taxes,
    receptor: receptorOf(row),
    due_date,
    paid,
    paid_at,
    pending_amount,
    external_id: row.external_id,
    metadata: row.metadata,
    pdf_url: `${base_url}/documents/${id}/pdf`,
    xml_url: `${base_url}/documents/${id}/xml`,
    sii: {
      environment: MODES[row.mode].ambiente_when_emitting,
      track_id: row.track_id,
      estado: row.estado,
      glosa: row.sii_answer?.glosa ?? null,
      explanation: row.sii_answer?.explanation ?? null,
    },
    failure: row.failure,
    annuls: row.annuls_id,
    exchange: { status: row.exchange_status ?? null, ...(row.exchange ?? NO_EXCHANGE) },
    receptor_response: standingOf(row.receptor_response ?? []),
    cesion: {
      cedible: isCededHere(row),
      status: row.cesion_status,
      ...(row.cesion ?? NO_CESION),
    },
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    settled_at: row.settled_at?.toISOString() ?? null,
  }
}

/** All of it, as it was issued. */
export function showWholeDocument(row: DocumentRow, addresses: Pick<Addresses, 'base_url'>): Document {
  return { ...showDocument(row, addresses), ...detailOf(row.draft) }
}

/** A numbered document as the SII knows it. */
export function asSiiDocument(row: DocumentRow): SiiDocument {
  const { id, tipo_dte, folio, receptor_rut, issue_date, total } = row
  if (folio === null) throw new Error(`the document ${id} has no folio`)
  return { id, tipo_dte, folio, receptor_rut, issue_date, total }
}
