// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Branding, BrandingUpdate } from '../types.ts'

export interface BrandingResource {
  /**
   * Read how the documents of an empresa are printed.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/branding#branding.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<Branding>
  /**
   * Change how the documents of an empresa are printed.
   *
   * What is not sent stays as it was; null removes the logo or the footer.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/branding#branding.update
   */
  update(empresa_id: string, input?: BrandingUpdate, options?: CallOptions): Promise<Branding>
}

export const branding: ResourceOf<BrandingResource> = /* @__PURE__ */ resource<BrandingResource>({
  get: 'GET /empresas/{empresa_id}/branding ',
  update: 'PATCH /empresas/{empresa_id}/branding b',
})
