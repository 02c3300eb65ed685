// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { MandatoTermGetQuery, MandatoTerms } from '../types.ts'

export interface MandatoTermsResource {
  /**
   * Read the text of the mandato.
   *
   * The text that is signed today, or that of an older `version`. Needs no credential.
   *
   * @see http://127.0.0.1:3000/docs/reference/mandato#mandato_terms.get
   */
  get(input?: MandatoTermGetQuery, options?: CallOptions): Promise<MandatoTerms>
}

export const mandatoTerms: ResourceOf<MandatoTermsResource> = /* @__PURE__ */ resource<MandatoTermsResource>({
  get: 'GET /mandato_terms qp',
})
