import { advance } from '../../../kernel/advance.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { exchangeMachine } from './machine.ts'
import type { RecordContext } from './receptor-response.ts'
import type { Exchange } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { insertJournal } from './store.ts'

/** How the copy for the receptor's mailbox ended. */
export type ExchangeEnd = Omit<Exchange, 'status'> & { readonly status: NonNullable<Exchange['status']> }

/** Records how the copy of a document that the caller has locked ended: status, journal and event. */
export async function endExchange(
  tx: RecordContext,
  scope: EmpresaScope,
  before: DocumentRow,
  { status, ...facts }: ExchangeEnd,
): Promise<void> {
  await advance(tx.sql, exchangeMachine, scope, before.id, status)
  const [row] = await tx.sql<DocumentRow>`
    update document set exchange = ${JSON.stringify(facts)}::json where ${ownedBy(scope)} and id = ${before.id} returning *`
  if (!row) throw new Error(`the document ${before.id} is not locked`)
  const type = status === 'sent' ? 'document.exchange_sent' : 'document.exchange_failed'
  const reason = facts.reason ?? (status === 'no_address' ? status : null)
  const detail = { to: facts.to, ...(reason !== null && { reason }) }
  await tx.sql`${insertJournal(scope, [{ document_id: row.id, type, detail }], tx.now())}`
  tx.emit({
    type,
    object: showDocument(row, tx.addresses),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: { exchange: showDocument(before, tx.addresses).exchange },
    detail,
  })
}
