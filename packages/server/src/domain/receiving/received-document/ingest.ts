import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, Heading, Inspected, InspectedFile } from '../../../ports/inspection.ts'
import { applyAnswer } from '../exchange-answer/apply.ts'
import { applyResult } from '../sii-result/apply.ts'
import { judge } from './authenticity.ts'
import { enqueueRecepcionEnvio } from './enqueue-answer.ts'
import { insertQuarantine } from './reception-store.ts'
import { type Arrival, type ReceivedRow, showReception } from './show.ts'
import {
  type DocumentOutcome,
  type IngestContext,
  type JudgedFile,
  type SiiClock,
  standingOf,
  takeDocuments,
} from './take-documents.ts'

export interface IngestResult {
  /** New ones, and those that were here already with the same content. */
  readonly documents: readonly ReceivedRow[]
  readonly faults: readonly Fault[]
}

const MAX_LISTED = 20

/**
 * Inserts the documents that are in order and quarantines the rest as it came: nothing is lost, nothing counts twice,
 * and what is proven stands before what is not, whichever came first.
 */
export async function ingestFile(
  tx: IngestContext,
  scope: EmpresaScope,
  arrival: Arrival,
  file: Inspected,
  siiClock: SiiClock,
): Promise<IngestResult> {
  if ('reason' in file) {
    await quarantine(tx, scope, arrival, file, { emisor_rut: null, documents: [] })
    return { documents: [], faults: [file] }
  }
  if ('answer' in file) return ingestAnswer(tx, scope, arrival, await applyAnswer(tx, scope, arrival, file))
  if ('result' in file) return ingestAnswer(tx, scope, arrival, await applyResult(tx, scope, file))
  const judged = file.documents.map((document) => judge(document, arrival.received_at))
  const inspected: JudgedFile = { ...file, documents: judged }
  const { reception, outcomes } = await takeDocuments(tx, scope, arrival, inspected, siiClock)
  if (reception) {
    await quarantineFaulty(tx, scope, arrival, inspected, outcomes)
    await enqueueRecepcionEnvio(tx, scope, reception, inspected, outcomes)
  }
  return { documents: standingOf(outcomes), faults: outcomes.flatMap(({ fault }) => (fault ? [fault] : [])) }
}

/** An answer of a receptor, or of the SII, is no document: one that does not speak of ours is kept as it came. */
async function ingestAnswer(
  tx: IngestContext,
  scope: EmpresaScope,
  arrival: Arrival,
  fault: Fault | null,
): Promise<IngestResult> {
  if (fault) await quarantine(tx, scope, arrival, fault, { emisor_rut: null, documents: [] })
  return { documents: [], faults: fault ? [fault] : [] }
}

/** One quarantine for each reason. */
async function quarantineFaulty(
  tx: IngestContext,
  scope: EmpresaScope,
  arrival: Arrival,
  { emisor_rut }: InspectedFile,
  outcomes: readonly DocumentOutcome[],
): Promise<void> {
  const faulty = outcomes.filter((one): one is DocumentOutcome & { fault: Fault } => one.fault !== null)
  for (const reason of new Set(faulty.map(({ fault }) => fault.reason))) {
    const alike = faulty.filter(({ fault }) => fault.reason === reason)
    const documents = alike
      .slice(0, MAX_LISTED)
      .flatMap(({ document: { heading } }) => (heading ? [keyOf(heading)] : []))
    await quarantine(tx, scope, arrival, (alike[0] as (typeof alike)[0]).fault, { emisor_rut, documents })
  }
}

const keyOf = ({ emisor_rut, tipo_dte, folio }: Heading) => ({ emisor_rut, tipo_dte, folio })

async function quarantine(
  tx: IngestContext,
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
