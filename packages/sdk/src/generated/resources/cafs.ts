// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { Caf, CafListQuery, CafUpload, Job } from '../types.ts'

export interface CafsResource {
  /**
   * List CAFs.
   *
   * Newest first, those that were deactivated too. Files and keys are never shown.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/cafs#cafs.list
   */
  list(input?: CafListQuery, options?: CallOptions): PageCall<List<Caf>>
  /**
   * Upload a CAF.
   *
   * Takes a file that the empresa downloaded from the SII into custody. It must be signed by the SII, belong to the empresa, be of a tipo that it declares, of the environment that it emits in once it does, and hold no folio of a CAF that is here already.
   *
   * Scope: `folios:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/cafs#cafs.upload
   */
  upload(input: CafUpload, options?: CallOptions): Promise<Caf>
  /**
   * Read a CAF.
   *
   * Scope: `documents:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/cafs#cafs.get
   */
  get(caf_id: string, options?: CallOptions): Promise<Caf>
  /**
   * Deactivate a CAF.
   *
   * No document gets a folio of it any more, for good. It stays readable; a second call changes nothing. Folios it still held have to be annulled in the SII: POST …/annul.
   *
   * Scope: `folios:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/cafs#cafs.deactivate
   */
  deactivate(caf_id: string, options?: CallOptions): Promise<void>
  /**
   * Annul the unused folios of a CAF in the SII.
   *
   * Of a CAF that was deactivated or has expired: the folios that no document ever got. Asynchronous: the job ends when the SII has answered; `folios.annulled` or `folios.annulment_failed` tell of it, and the CAF shows it under `annulment`. What the SII annulled is annulled for good. In test mode a range of 97 unused folios is refused.
   *
   * Scope: `folios:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/cafs#cafs.annul
   */
  annul(caf_id: string, options?: CallOptions): Promise<Job>
}

export const cafs: ResourceOf<CafsResource> = /* @__PURE__ */ resource<CafsResource>({
  list: 'GET /cafs eql',
  upload: 'POST /cafs ekb',
  get: 'GET /cafs/{caf_id} e',
  deactivate: 'DELETE /cafs/{caf_id} e',
  annul: 'POST /cafs/{caf_id}/annul ek',
})
