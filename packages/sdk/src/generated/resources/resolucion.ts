// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Empresa, ResolucionVerify } from '../types.ts'

export interface ResolucionResource {
  /**
   * Verify a declared resolución with the SII.
   *
   * For the operator alone. It asks the SII for one folio range of production: granted, the claim is verified; answered without a range, it is refused with the words of the SII. Nothing else ever verifies a claim.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator#resolucion.verify
   */
  verify(empresa_id: string, input?: ResolucionVerify, options?: CallOptions): Promise<Empresa>
}

export const resolucion: ResourceOf<ResolucionResource> = /* @__PURE__ */ resource<ResolucionResource>({
  verify: 'POST /empresas/{empresa_id}/resolucion/verify bo',
})
