import { CEILINGS } from '../../../catalog/limits.ts'
import { defineExport } from '../../export.ts'
import { defineOperation } from '../../operation.ts'
import { Job, pollAfterJob } from '../../platform/job/operations.ts'
import { advanceEstadoContable } from './advance-estado.ts'
import { characterizeMany, characterizePurchase, revertPurchase } from './characterize.ts'
import { listPurchases, listSales, readPurchase, summarizePeriod } from './read.ts'
import { requestSync, SyncRange, syncRequests } from './request-sync.ts'
import {
  Characterize,
  Characterized,
  CharacterizeMany,
  EntryPath,
  MoveEstado,
  PurchaseQuery,
  RcvEntry,
  RcvList,
  SaleQuery,
  SyncRequest,
} from './schema.ts'
import { RcvSummary, SummaryQuery } from './summary-schema.ts'

const reads = { reach: 'empresa', scope: 'documents:read' } as const
const writes = { reach: 'empresa', scope: 'documents:write', method: 'POST' } as const

export const rcvOperations = [
  defineOperation({
    ...reads,
    id: 'tax.purchases.list',
    method: 'GET',
    path: '/tax/purchases',
    summary: 'List the register of purchases',
    description:
      'A mirror of what the SII holds for a period. The `sync` block says when it was last read: `last_synced_at` null ' +
      'means never, not empty. Newest in the mirror first.',
    query: PurchaseQuery,
    returns: RcvList,
    errors: ['invalid_cursor'],
    run: listPurchases,
  }),
  defineExport({
    id: 'tax.purchases.export',
    path: '/tax/purchases',
    summary: 'Download the register of purchases as CSV or XLSX',
    scope: reads.scope,
    query: PurchaseQuery,
    item: RcvEntry,
    name: ({ period }) => `purchases-${period}`,
    list: listPurchases,
  }),
  defineExport({
    id: 'tax.sales.export',
    path: '/tax/sales',
    summary: 'Download the register of sales as CSV or XLSX',
    scope: reads.scope,
    query: SaleQuery,
    item: RcvEntry,
    name: ({ period }) => `sales-${period}`,
    list: listSales,
  }),
  defineOperation({
    ...reads,
    id: 'tax.sales.list',
    method: 'GET',
    path: '/tax/sales',
    summary: 'List the register of sales',
    description: 'Boletas and payment vouchers appear as one monthly summary each, as the SII holds them.',
    query: SaleQuery,
    returns: RcvList,
    errors: ['invalid_cursor'],
    run: listSales,
  }),
  defineOperation({
    ...reads,
    id: 'tax.summary.get',
    method: 'GET',
    path: '/tax/summary',
    summary: 'Summarize a period of both registers',
    description: 'Totals by side, tipo and estado, and where our own accepted documents differ from the register.',
    query: SummaryQuery,
    returns: RcvSummary,
    errors: ['amounts_too_large'],
    run: summarizePeriod,
  }),
  defineOperation({
    ...writes,
    id: 'tax.sync',
    needs_certificate: true,
    path: '/tax/sync',
    summary: 'Read a period from the SII again',
    description:
      'Always a new reading, unless one of the same period is still queued or running: then that job is the answer. ' +
      'After the first one that goes well the twelve months before it are read too, and from then on the last three ' +
      'months every day.',
    body: SyncRequest,
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    limit: 'tax.sync',
    mcp: {
      description:
        'Asks the SII for one month of both registers, or for up to ten months in a row: one job for each. Always a new ' +
        'reading, unless one of the same month is still queued or running: then that job is the answer.',
      input: SyncRange,
      expand: syncRequests,
    },
    run: requestSync,
  }),
  defineOperation({
    ...writes,
    id: 'tax.purchases.characterize_many',
    path: '/tax/purchases/characterize',
    summary: 'Characterize up to 500 purchases',
    description: 'Each entry has its own result: what stands in the way of one does not stop the others.',
    body_bytes: 2 * CEILINGS.json_body_bytes,
    body: CharacterizeMany,
    returns: Characterized,
    run: characterizeMany,
  }),
  defineOperation({
    ...reads,
    id: 'tax.purchases.get',
    method: 'GET',
    path: '/tax/purchases/{entry_id}',
    summary: 'Read a purchase of the register',
    params: EntryPath,
    returns: RcvEntry,
    errors: ['rcv_entry_not_found'],
    run: readPurchase,
  }),
  defineOperation({
    ...writes,
    id: 'tax.purchases.characterize',
    path: '/tax/purchases/{entry_id}/characterize',
    summary: 'Say what a purchase was for',
    description:
      'The IVA moves as a whole to where the tipo puts it. It holds here at once and outlives every reading; the SII is ' +
      'told after: `pending_at_sii` says whether it knows.',
    params: EntryPath,
    body: Characterize,
    returns: RcvEntry,
    errors: ['rcv_entry_not_found', 'period_locked', 'rcv_entry_closed'],
    run: characterizePurchase,
  }),
  defineOperation({
    ...writes,
    id: 'tax.purchases.revert',
    path: '/tax/purchases/{entry_id}/characterize/revert',
    summary: 'Undo what was decided about a purchase',
    description: 'Back to what the SII showed before. A purchase that nobody decided about is answered as it is.',
    params: EntryPath,
    returns: RcvEntry,
    errors: ['rcv_entry_not_found', 'period_locked', 'rcv_entry_closed'],
    run: revertPurchase,
  }),
  defineOperation({
    ...writes,
    id: 'tax.purchases.estado_contable',
    path: '/tax/purchases/{entry_id}/estado_contable',
    summary: 'Move a purchase within the register',
    description:
      'To NO_INCLUIR it goes as tipo 7, and back as the tipo it had. From PENDIENTE to REGISTRO it goes once it is ' +
      'acknowledged, accepted or eight days old; what counts may be put off to PENDIENTE and brought back. What was ' +
      'claimed stays RECLAMADO.',
    params: EntryPath,
    body: MoveEstado,
    returns: RcvEntry,
    errors: ['rcv_entry_not_found', 'period_locked', 'rcv_entry_closed', 'estado_contable_not_allowed'],
    run: advanceEstadoContable,
  }),
]
