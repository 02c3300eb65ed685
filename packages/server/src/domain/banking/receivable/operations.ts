import { listOf } from '../../../kernel/schema.ts'
import { defineExport } from '../../export.ts'
import { defineOperation } from '../../operation.ts'
import { listPayables, listReceivables } from './read.ts'
import { OpenQuery, Payable, Receivable } from './schema.ts'

const reads = {
  method: 'GET',
  reach: 'empresa',
  scope: 'documents:read',
  query: OpenQuery,
  errors: ['invalid_cursor'],
} as const

export const receivableOperations = [
  defineOperation({
    ...reads,
    id: 'receivables.list',
    path: '/receivables',
    summary: 'List who owes the empresa, and since when',
    description:
      'By counterparty, in the order of their RUT: what facturas and notas de débito ask for, less notas de crédito, ' +
      'payments and what was ceded, by days past due. Boletas are paid at the counter and are not here; neither is what ' +
      'was rejected or annulled.',
    returns: listOf(Receivable),
    run: listReceivables,
  }),
  defineExport({
    id: 'receivables.export',
    path: '/receivables',
    summary: 'Download who owes the empresa as CSV or XLSX',
    scope: reads.scope,
    query: OpenQuery,
    item: Receivable,
    name: () => 'receivables',
    list: listReceivables,
  }),
  defineOperation({
    ...reads,
    id: 'payables.list',
    path: '/payables',
    summary: 'List whom the empresa owes, and since when',
    description:
      'The same of documents of suppliers that were received and not claimed, and of facturas de compra of the empresa. ' +
      'Purchases that only the register tells of are not here: their due date is not known.',
    returns: listOf(Payable),
    run: listPayables,
  }),
  defineExport({
    id: 'payables.export',
    path: '/payables',
    summary: 'Download whom the empresa owes as CSV or XLSX',
    scope: reads.scope,
    query: OpenQuery,
    item: Payable,
    name: () => 'payables',
    list: listPayables,
  }),
]
