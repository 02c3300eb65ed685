// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Contribuyente } from '../types.ts'

export interface ContribuyentesResource {
  /**
   * Look up a contribuyente.
   *
   * What the published nómina of the SII says of a legal entity, with a giro that fits a document. Natural persons are not published and answer 404, like unknown RUTs.
   *
   * Scope: `empresas:read`.
   *
   * Limit: 120 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/contribuyentes#contribuyentes.get
   */
  get(rut: string, options?: CallOptions): Promise<Contribuyente>
}

export const contribuyentes: ResourceOf<ContribuyentesResource> = /* @__PURE__ */ resource<ContribuyentesResource>({
  get: 'GET /contribuyentes/{rut} ',
})
