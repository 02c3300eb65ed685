// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { IndicatorLoad, IndicatorLoadRequest } from '../types.ts'

export interface IndicatorsResource {
  /**
   * Load UTM, UF, IPC or the interest of late payments.
   *
   * For the operator alone, as `npm run load-indicators` is. One that is wrong refuses them all; one that was loaded before is replaced. They hold for every account from the next computation on.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator#indicators.load
   */
  load(input: IndicatorLoadRequest, options?: CallOptions): Promise<IndicatorLoad>
}

export const indicators: ResourceOf<IndicatorsResource> = /* @__PURE__ */ resource<IndicatorsResource>({
  load: 'POST /indicators bo',
})
