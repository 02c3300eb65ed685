import type { ReceivedEnvelope } from '@timbre/dte'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, JudgedDocument, JudgedFile } from '../../../ports/inspection.ts'
import type { JobTransaction } from '../../job.ts'
import { insertAnswer, type NewAnswer } from './answer-store.ts'
import { sendAnswer } from './jobs.ts'
import type { ReceptionRow } from './reception.ts'
import type { ReceivedRow } from './show.ts'

type Posting = Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>

/** What a RecepcionEnvio says of a file, but for its number. */
export type EnvelopeFacts = Omit<ReceivedEnvelope, 'code' | 'received_at'>

interface Settled {
  readonly document: JudgedDocument
  readonly row: ReceivedRow | null
  readonly fault: Fault | null
}

type DteState = EnvelopeFacts['documents'][number]['state']

function stateOf({ fault }: Settled): DteState {
  if (fault === null) return 0
  if (fault.reason === 'bad_signature') return 1
  if (fault.reason === 'other_receptor') return 3
  return fault.reason === 'repeated_other_content' ? 4 : 99
}

/** A line that the exchange format takes: its alphabet, its length. The name of a file is anybody's to choose. */
function line(text: string, max: number, otherwise: string): string {
  const written = text
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '_')
    .slice(0, max)
    .trim()
  return written === '' ? otherwise : written
}

function factsOf(
  scope: EmpresaScope,
  { file_name }: ReceptionRow,
  judged: JudgedFile,
  settled: readonly Settled[],
): EnvelopeFacts {
  const documents = settled.flatMap((one) => {
    const { heading } = one.document
    if (!heading) return []
    const { tipo_dte, folio, issue_date, emisor_rut, receptor_rut, total } = heading
    const key = { tipo_dte, folio, issue_date, emisor_rut, receptor_rut: receptor_rut ?? scope.rut, total }
    return [{ ...key, state: stateOf(one) }]
  })
  const foreign = settled.every(({ fault }) => fault?.reason === 'other_receptor')
  return {
    file_name: line(file_name, 80, 'envio.xml'),
    set_id: line(judged.set_id, 80, 'SetDoc'),
    ...(judged.digest && { digest: judged.digest }),
    ...(judged.emisor_rut && { emisor_rut: judged.emisor_rut }),
    receptor_rut: scope.rut,
    state: foreign ? 3 : 0,
    documents,
  }
}

export async function postOne(tx: Posting, scope: EmpresaScope, answer: NewAnswer): Promise<void> {
  const answer_id = await insertAnswer(tx.sql, scope, answer, tx.now())
  const { empresa_id } = scope
  await tx.enqueue(sendAnswer, { payload: { answer_id }, empresa_id, lane: empresa_id })
}

/**
 * Says that a file arrived. Only to what its emisor did issue: whoever forges a document also forges its sender, and
 * an answer would reach a stranger.
 */
export async function postAnswer(
  tx: Posting,
  scope: EmpresaScope,
  reception: ReceptionRow,
  judged: JudgedFile,
  settled: readonly Settled[],
): Promise<void> {
  if (!settled.some(({ document }) => document.authentic && document.heading)) return
  await postOne(tx, scope, {
    kind: 'recepcion_envio',
    reception_id: reception.id,
    received_document_id: null,
    recipient: reception.sender,
    facts: factsOf(scope, reception, judged, settled),
  })
}
