// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { UsageGetQuery, UsageRecord, UsageRecordListQuery, UsageSummary } from '../types.ts'

export interface UsageResource {
  /**
   * Read the usage of a billing period.
   *
   * Reporting only: the plan is flat, per empresa, with unlimited documents.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/usage#usage.get
   */
  get(input?: UsageGetQuery, options?: CallOptions): Promise<UsageSummary>
  readonly records: UsageRecordsResource
}

export interface UsageRecordsResource {
  /**
   * Read the usage ledger.
   *
   * Newest first. A record never changes, and outlives the sandbox empresa it tells of.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/usage#usage.records.list
   */
  list(input?: UsageRecordListQuery, options?: CallOptions): PageCall<List<UsageRecord>>
}

export const usage: ResourceOf<UsageResource> = /* @__PURE__ */ resource<UsageResource>({
  get: 'GET /usage q',
  records: {
    list: 'GET /usage/records ql',
  },
})
