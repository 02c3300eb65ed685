// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { SiiCall, SiiCallListQuery, SiiStatus } from '../types.ts'

export interface SiiResource {
  /**
   * How the services of the SII answer, as measured by us.
   *
   * Latency, failures and the time from sent to settled, of the last hour, day and month, from the calls of all live empresas. At most a minute old. Needs no credential; the same is at /sii as a page.
   *
   * @see http://127.0.0.1:3000/docs/reference/sii#sii.status
   */
  status(options?: CallOptions): Promise<SiiStatus>
  readonly calls: SiiCallsResource
}

export interface SiiCallsResource {
  /**
   * Look at calls to the SII that failed.
   *
   * For the operator alone: what went over the wire, cut and without secrets, of every call that failed and of one in five minutes that did not; kept for 31 days.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator#sii.calls.list
   */
  list(input?: SiiCallListQuery, options?: CallOptions): PageCall<List<SiiCall>>
}

export const sii: ResourceOf<SiiResource> = /* @__PURE__ */ resource<SiiResource>({
  status: 'GET /sii/status p',
  calls: {
    list: 'GET /sii/calls qlo',
  },
})
