// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Subscription, SubscriptionRecord } from '../types.ts'

export interface SubscriptionResource {
  /**
   * Read the subscription of an empresa.
   *
   * Without an active one, issuing a document, a credit note, a mail to a receptor, a folio request and going live answer `402 subscription_required`; a lapsed one keeps emitting for 7 days. Nothing else is ever blocked.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/subscription#subscription.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<Subscription>
  /**
   * Record the subscription of an empresa.
   *
   * For the operator alone, who knows what was paid.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator#subscription.record
   */
  record(empresa_id: string, input: SubscriptionRecord, options?: CallOptions): Promise<Subscription>
}

export const subscription: ResourceOf<SubscriptionResource> = /* @__PURE__ */ resource<SubscriptionResource>({
  get: 'GET /empresas/{empresa_id}/subscription ',
  record: 'POST /empresas/{empresa_id}/subscription bo',
})
