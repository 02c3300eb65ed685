// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, FileAnswer, List, PageCall } from '../../shapes.ts'
import type { Receivable, ReceivableExportQuery, ReceivableListQuery } from '../types.ts'

export interface ReceivablesResource {
  /**
   * List who owes the empresa, and since when.
   *
   * By counterparty, in the order of their RUT: what facturas and notas de débito ask for, less notas de crédito, payments and what was ceded, by days past due. Boletas are paid at the counter and are not here; neither is what was rejected or annulled.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/receivables#receivables.list
   */
  list(input?: ReceivableListQuery, options?: CallOptions): PageCall<List<Receivable>>
  /**
   * Download who owes the empresa as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/receivables#receivables.export
   */
  export(input?: ReceivableExportQuery, options?: CallOptions): Promise<FileAnswer>
}

export const receivables: ResourceOf<ReceivablesResource> = /* @__PURE__ */ resource<ReceivablesResource>({
  list: 'GET /receivables eql',
  export: 'GET /receivables/export eqf',
})
