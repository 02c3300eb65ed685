import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, InspectedDocument, InspectedFile } from '../../../ports/inspection.ts'
import type { JobTransaction } from '../../job.ts'
import { type EnvelopeFacts, insertAnswer, type NewAnswer } from './answer-store.ts'
import { sendAnswer } from './jobs.ts'
import type { ReceptionRow } from './show.ts'

type EnqueueContext = Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>

interface DocumentOutcome {
  readonly document: InspectedDocument
  readonly fault: Fault | null
}

type DteState = EnvelopeFacts['documents'][number]['state']

function stateOf({ fault }: DocumentOutcome): DteState {
  if (fault === null) return 0
  if (fault.reason === 'bad_signature' || fault.reason === 'certificate_not_valid') return 1
  if (fault.reason === 'other_receptor') return 3
  return fault.reason === 'repeated_other_content' ? 4 : 99
}

/** A line in the alphabet and length of the exchange format: the sender may name a file as it likes. */
function line(text: string, max: number, fallback: string): string {
  const written = text
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '_')
    .slice(0, max)
    .trim()
  return written === '' ? fallback : written
}

function factsOf(
  scope: EmpresaScope,
  { file_name }: ReceptionRow,
  inspected: InspectedFile,
  outcomes: readonly DocumentOutcome[],
): EnvelopeFacts {
  const documents = outcomes.flatMap((one) => {
    const { heading } = one.document
    if (!heading) return []
    const { tipo_dte, folio, issue_date, emisor_rut, receptor_rut, total } = heading
    const key = { tipo_dte, folio, issue_date, emisor_rut, receptor_rut: receptor_rut ?? scope.rut, total }
    return [{ ...key, state: stateOf(one) }]
  })
  const foreign = outcomes.every(({ fault }) => fault?.reason === 'other_receptor')
  return {
    file_name: line(file_name, 80, 'envio.xml'),
    set_id: line(inspected.set_id, 80, 'SetDoc'),
    ...(inspected.digest && { digest: inspected.digest }),
    ...(inspected.emisor_rut && { emisor_rut: inspected.emisor_rut }),
    receptor_rut: scope.rut,
    state: foreign ? 3 : 0,
    documents,
  }
}

/** Inserts an answer together with the job that sends it. */
export async function enqueueAnswer(tx: EnqueueContext, scope: EmpresaScope, answer: NewAnswer): Promise<void> {
  const answer_id = await insertAnswer(tx.sql, scope, answer, tx.now())
  const { empresa_id } = scope
  await tx.enqueue(sendAnswer, { payload: { answer_id }, empresa_id, lane: empresa_id })
}

/**
 * Answers that a file arrived, only where its emisor did issue something in it: who forges a document also forges its
 * sender, and the answer would reach a stranger. A backup of the SII's portal was sent by none of its emisores.
 */
export async function enqueueRecepcionEnvio(
  tx: EnqueueContext,
  scope: EmpresaScope,
  reception: ReceptionRow,
  inspected: InspectedFile,
  outcomes: readonly DocumentOutcome[],
): Promise<void> {
  if (inspected.digest === null || !outcomes.some(({ document }) => document.authentic && document.heading)) return
  await enqueueAnswer(tx, scope, {
    kind: 'recepcion_envio',
    reception_id: reception.id,
    received_document_id: null,
    recipient: reception.sender,
    facts: factsOf(scope, reception, inspected, outcomes),
  })
}
