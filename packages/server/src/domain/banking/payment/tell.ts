import { EXCHANGED_TIPOS, TIPO } from '@timbre/dte/values'
import { ID_PREFIXES } from '../../../catalog/ids.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { nextDailyRun } from '../../daily-run.ts'
import { markOverdueDocuments, markPaidDocuments } from '../../issuing/document/owed.ts'
import { showDocument } from '../../issuing/document/show.ts'
import type { JobTransaction } from '../../job.ts'
import type { Arrived } from '../../reactions.ts'
import { markOverdueReceived, markPaidReceived } from '../../receiving/received-document/owed.ts'
import { showReceived } from '../../receiving/received-document/show.ts'
import { watchDueDates } from './jobs.ts'

type Telling = Pick<JobTransaction, 'sql' | 'now' | 'emit' | 'addresses'>

const ownerOf = ({ empresa_id, rut }: EmpresaScope) => ({ id: empresa_id, rut })

/** Tells of the documents among some that payments have settled, each once for as long as it stays paid; `all`: of any. */
export async function tellPaid(tx: Telling, scope: EmpresaScope, ids: readonly string[] | 'all'): Promise<void> {
  const only = (prefix: string) => (ids === 'all' ? ids : ids.filter((id) => id.startsWith(prefix)))
  const empresa = ownerOf(scope)
  for (const row of await markPaidDocuments(tx.sql, scope, only(ID_PREFIXES.document), tx.now())) {
    tx.emit({ type: 'document.paid', object: showDocument(row, tx.addresses), empresa })
  }
  for (const row of await markPaidReceived(tx.sql, scope, only(ID_PREFIXES.received_document), tx.now())) {
    tx.emit({ type: 'received_document.paid', object: showReceived(row, tx.addresses), empresa })
  }
}

/** Tells of what fell due before a day, `most` of each kind; gives whether more may be left. */
export async function tellOverdue(tx: Telling, scope: EmpresaScope, before: string, most: number): Promise<boolean> {
  const empresa = ownerOf(scope)
  const ours = await markOverdueDocuments(tx.sql, scope, before, tx.now(), most)
  for (const row of ours) tx.emit({ type: 'document.overdue', object: showDocument(row, tx.addresses), empresa })
  const theirs = await markOverdueReceived(tx.sql, scope, before, tx.now(), most)
  for (const row of theirs) {
    tx.emit({ type: 'received_document.overdue', object: showReceived(row, tx.addresses), empresa })
  }
  return ours.length === most || theirs.length === most
}

/** Has the due dates of an empresa watched, if nobody does yet. */
export async function requestWatch(
  tx: Pick<JobTransaction, 'enqueue' | 'now'>,
  { empresa_id }: EmpresaScope,
): Promise<void> {
  const due_at = nextDailyRun(empresa_id, tx.now())
  await tx.enqueue(watchDueDates, { payload: {}, key: empresa_id, empresa_id, lane: empresa_id, due_at })
}

/** Documents arrived: their due dates are watched, and a nota de crédito may have settled what was paid in part. */
export async function watchArrivals(
  tx: Telling & Pick<JobTransaction, 'enqueue'>,
  scope: EmpresaScope,
  documents: readonly Arrived[],
): Promise<void> {
  const owed = documents.filter(({ tipo_dte }) => EXCHANGED_TIPOS.includes(tipo_dte))
  if (owed.length > 0) await requestWatch(tx, scope)
  if (owed.some(({ tipo_dte }) => tipo_dte === TIPO.nota_de_credito)) await tellPaid(tx, scope, 'all')
}
