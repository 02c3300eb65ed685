import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, Heading, JudgedDocument, JudgedFile } from '../../../ports/inspection.ts'
import type { JobTransaction } from '../../job.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { postAnswer } from './answer-post.ts'
import { deadlineOf, firstLook } from './deadline.ts'
import { itemsOf } from './items.ts'
import { watchDeadline } from './jobs.ts'
import { type Arrival, type ReceptionRow, showReception } from './reception.ts'
import { insertQuarantine, insertReception, insertXml } from './reception-store.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import { findByKey, insertReceived } from './store.ts'

export type Taking = Pick<JobTransaction, 'sql' | 'now' | 'emit' | 'enqueue' | 'addresses' | 'reactions'>

/** When the SII received a document of this arrival. */
export type SiiClock = (document: JudgedDocument) => Date

export interface TakenIn {
  /** New ones, and those that were here already with the same content. */
  readonly documents: readonly ReceivedRow[]
  readonly faults: readonly Fault[]
}

type Sound = JudgedDocument & { readonly heading: Heading }

/** One document of a file once it was looked for among those that are here. */
interface Settled {
  readonly document: JudgedDocument
  readonly row: ReceivedRow | null
  readonly is_new: boolean
  readonly fault: Fault | null
}

const LISTED = 20

/** Takes in what is in order and sets the rest aside, as it came. Nothing of a file is lost, and nothing counts twice. */
export async function takeIn(
  tx: Taking,
  scope: EmpresaScope,
  arrival: Arrival,
  judged: JudgedFile | Fault,
  siiClock: SiiClock,
): Promise<TakenIn> {
  if ('reason' in judged) {
    await quarantine(tx, scope, arrival, judged, { emisor_rut: null, documents: [] })
    return { documents: [], faults: [judged] }
  }
  const before = await Promise.all(judged.documents.map((document) => lookFor(tx, scope, document)))
  // The very same file again: its sender saw no answer, or a mail server repeated itself.
  if (before.every(({ row, fault }) => row !== null && fault === null)) {
    return { documents: before.flatMap(({ row }) => (row ? [row] : [])), faults: [] }
  }
  const reception = await insertReception(tx.sql, scope, arrival, judged.emisor_rut)
  const settled: Settled[] = []
  for (const one of before) settled.push(await admit(tx, scope, { reception, judged, siiClock }, one))
  await tell(tx, scope, arrival, judged, settled)
  await postAnswer(tx, scope, reception, judged, settled)
  return {
    documents: settled.flatMap(({ row, fault }) => (row && !fault ? [row] : [])),
    faults: settled.flatMap(({ fault }) => (fault ? [fault] : [])),
  }
}

async function lookFor(tx: Taking, scope: EmpresaScope, document: JudgedDocument): Promise<Settled> {
  const { heading, fault } = document
  if (fault || !heading) return { document, row: null, is_new: false, fault }
  const row = await findByKey(tx.sql, scope, heading)
  return { document, row, is_new: false, fault: row && otherContent(row, document) }
}

function otherContent(row: ReceivedRow, { digest }: JudgedDocument): Fault | null {
  if (row.digest === digest) return null
  const { tipo_dte, folio, emisor_rut } = row
  const message = `Tipo ${tipo_dte}, folio ${folio} of ${emisor_rut} came before with other content, as ${row.id}.`
  return { reason: 'repeated_other_content', message }
}

interface Admission {
  readonly reception: ReceptionRow
  readonly judged: JudgedFile
  readonly siiClock: SiiClock
}

async function admit(tx: Taking, scope: EmpresaScope, admission: Admission, one: Settled): Promise<Settled> {
  const { document } = one
  if (one.fault || one.row || !document.heading) return one
  const sound: Sound = { ...document, heading: document.heading }
  const row = await insertReceived(tx.sql, newRow(scope, admission, sound))
  // Somebody else brought it in the meantime, or the same file holds it twice.
  if (!row) return lookFor(tx, scope, document)
  await insertXml(tx.sql, scope, row.id, document, admission.judged)
  return { document, row, is_new: true, fault: null }
}

function newRow(scope: EmpresaScope, { reception, siiClock }: Admission, document: Sound): ReceivedRow {
  const { account_id, empresa_id, mode } = scope
  const { receptor_rut: _, ...heading } = document.heading
  const sii_received_at = siiClock(document)
  const deadline_at = deadlineOf(heading.tipo_dte, sii_received_at)
  return {
    account_id,
    empresa_id,
    mode,
    id: newId('received_document'),
    reception_id: reception.id,
    status: deadline_at ? 'pending' : 'received',
    receipt_status: deadline_at ? 'pending' : null,
    ...heading,
    items: itemsOf(document.dte),
    received_at: reception.received_at,
    sii_received_at,
    deadline_at,
    deadline_told: null,
    answered_at: null,
    acknowledged_at: null,
    claims: [],
    digest: document.digest,
  }
}

/** Events, usage and timers of what is new; one quarantine for each reason something was set aside. */
async function tell(
  tx: Taking,
  scope: EmpresaScope,
  arrival: Arrival,
  { emisor_rut }: JudgedFile,
  settled: readonly Settled[],
): Promise<void> {
  const fresh = settled.flatMap(({ row, is_new }) => (row && is_new ? [row] : []))
  for (const row of fresh) await welcome(tx, scope, row)
  await tx.reactions.documentsArrived(tx, scope, fresh)
  const used = { empresa: scope, kind: 'document_received', quantity: 1, at: tx.now() } as const
  await recordUsage(
    tx.sql,
    fresh.map(({ id, tipo_dte }) => ({ ...used, tipo_dte, subject_id: id })),
  )
  const faulty = settled.filter((one): one is Settled & { fault: Fault } => one.fault !== null)
  for (const reason of new Set(faulty.map(({ fault }) => fault.reason))) {
    const alike = faulty.filter(({ fault }) => fault.reason === reason)
    const documents = alike.slice(0, LISTED).flatMap(({ document: { heading } }) => (heading ? [keyOf(heading)] : []))
    await quarantine(tx, scope, arrival, (alike[0] as (typeof alike)[0]).fault, { emisor_rut, documents })
  }
}

const keyOf = ({ emisor_rut, tipo_dte, folio }: Heading) => ({ emisor_rut, tipo_dte, folio })

async function welcome(tx: Taking, scope: EmpresaScope, row: ReceivedRow): Promise<void> {
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  tx.emit({ type: 'received_document.created', object: showReceived(row, tx.addresses), empresa })
  if (!row.deadline_at) return
  await tx.enqueue(watchDeadline, {
    payload: { received_document_id: row.id },
    empresa_id: scope.empresa_id,
    due_at: firstLook(row.deadline_at, tx.now()),
  })
}

async function quarantine(
  tx: Taking,
  scope: EmpresaScope,
  arrival: Arrival,
  fault: Fault,
  about: { readonly emisor_rut: string | null; readonly documents: readonly object[] },
): Promise<void> {
  const { emisor_rut, documents } = about
  const id = await insertQuarantine(tx.sql, scope, arrival, emisor_rut, fault)
  if (fault.reason === 'exchange_answer') return
  tx.emit({
    type: 'reception.quarantined',
    object: showReception({ ...arrival, mode: scope.mode, id, emisor_rut }, { documents: [], fault }),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { ...fault, documents },
  })
}
