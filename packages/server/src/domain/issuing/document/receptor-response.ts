import type { EventType } from '../../../catalog/events.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import type { AdvanceContext } from './advance.ts'
import { objectionTo } from './receptor-standing.ts'
import type { ReceptorAnswer } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { insertJournal } from './store.ts'

const EVENTS = {
  delivered: 'document.delivered',
  not_delivered: 'document.delivery_refused',
  receipt_acknowledged: 'document.receipt_acknowledged',
  accepted: 'document.accepted_by_receptor',
  accepted_tacitly: 'document.accepted_by_receptor',
  claimed: 'document.claimed',
} as const satisfies Record<ReceptorAnswer['action'], EventType>

export type RecordContext = Pick<AdvanceContext, 'sql' | 'now' | 'emit' | 'addresses'>

/** The row after an answer, or why the answer adds nothing to it. */
export type Recorded = { readonly row: DocumentRow } | { readonly objection: 'repeated' | 'contradicted' }

/** Adds what the receptor answered to a document that the caller has locked: the answer, its journal and its event. */
export async function recordReceptorAnswer(
  tx: RecordContext,
  scope: EmpresaScope,
  before: DocumentRow,
  answer: ReceptorAnswer,
): Promise<Recorded> {
  const answers = before.receptor_response ?? []
  const objection = objectionTo(answer, answers)
  if (objection) return { objection }
  const [row] = await tx.sql<DocumentRow>`
    update document set receptor_response = ${JSON.stringify([...answers, answer])}::json
    where ${ownedBy(scope)} and id = ${before.id} returning *`
  if (!row) throw new Error(`the document ${before.id} is not locked`)
  const type = EVENTS[answer.action]
  await tx.sql`${insertJournal(scope, [{ document_id: row.id, type, detail: answer }], tx.now())}`
  const object = showDocument(row, tx.addresses)
  tx.emit({
    type,
    object,
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: previousAttributes(showDocument(before, tx.addresses), object) ?? {},
    detail: answer,
  })
  return { row }
}
