// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, FileAnswer, List, PageCall } from '../../shapes.ts'
import type { Payable, PayableExportQuery, PayableListQuery } from '../types.ts'

export interface PayablesResource {
  /**
   * List whom the empresa owes, and since when.
   *
   * The same of documents of suppliers that were received and not claimed, and of facturas de compra of the empresa. Purchases that only the register tells of are not here: their due date is not known.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/payables#payables.list
   */
  list(input?: PayableListQuery, options?: CallOptions): PageCall<List<Payable>>
  /**
   * Download whom the empresa owes as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `documents:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/payables#payables.export
   */
  export(input?: PayableExportQuery, options?: CallOptions): Promise<FileAnswer>
}

export const payables: ResourceOf<PayablesResource> = /* @__PURE__ */ resource<PayablesResource>({
  list: 'GET /payables eql',
  export: 'GET /payables/export eqf',
})
