// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { FolioAvailability, FolioListQuery, FolioRequest, Job } from '../types.ts'

export interface FoliosResource {
  /**
   * Read how many folios are left.
   *
   * One row for each tipo the empresa declares, by its number.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/folios#folios.list
   */
  list(input?: FolioListQuery, options?: CallOptions): PageCall<List<FolioAvailability>>
  /**
   * Ask the SII for folios.
   *
   * Asynchronous: the job ends when the SII has answered, and `folios.received` or `folios.request_failed` tell of it. While a request of the same tipo is on its way that one is answered again, whatever its quantity. Ask for what is used in a few weeks: the SII gives less to whoever holds many unused folios. In test mode a quantity of 99999 is refused as the SII would, and 99998 is never answered.
   *
   * Scope: `folios:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/folios#folios.request
   */
  request(input: FolioRequest, options?: CallOptions): Promise<Job>
}

export const folios: ResourceOf<FoliosResource> = /* @__PURE__ */ resource<FoliosResource>({
  list: 'GET /folios eql',
  request: 'POST /folios/requests ekb',
})
