// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { WebhookDelivery, WebhookDeliveryWithAttempts, WebhookEndpoint, WebhookEndpointCreate, WebhookEndpointDeliveryListQuery, WebhookEndpointListQuery, WebhookEndpointUpdate, WebhookEndpointWithSecret } from '../types.ts'

export interface WebhookEndpointsResource {
  /**
   * List webhook endpoints.
   *
   * Those of the mode of the credential, newest first. Secrets are never included. A key that does not reach every empresa sees the endpoints that hear of none beyond its own.
   *
   * Scope: `webhooks:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.list
   */
  list(input?: WebhookEndpointListQuery, options?: CallOptions): PageCall<List<WebhookEndpoint>>
  /**
   * Create a webhook endpoint.
   *
   * The secret that signs its deliveries is in this answer and nowhere else, ever. At most 16 endpoints in each mode.
   *
   * Scope: `webhooks:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.create
   */
  create(input: WebhookEndpointCreate, options?: CallOptions): Promise<WebhookEndpointWithSecret>
  /**
   * Read a webhook endpoint.
   *
   * Scope: `webhooks:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.get
   */
  get(webhook_endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint>
  /**
   * Change, disable or enable a webhook endpoint.
   *
   * The secret is unaffected. Enabling forgets earlier failures; events of the meantime are not sent. While somebody without access knows the secret, enabling is refused until it is rotated.
   *
   * Scope: `webhooks:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.update
   */
  update(webhook_endpoint_id: string, input?: WebhookEndpointUpdate, options?: CallOptions): Promise<WebhookEndpoint>
  /**
   * Delete a webhook endpoint.
   *
   * Destroys its current and previous secrets and ends its deliveries, which cannot be read any more.
   *
   * Scope: `webhooks:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.delete
   */
  delete(webhook_endpoint_id: string, options?: CallOptions): Promise<void>
  /**
   * Send a ping.
   *
   * One attempt with an event of type `ping`, to the current URL, also while the endpoint is disabled, unless that is because somebody lost access who may have given it its URL or its secret.
   *
   * Scope: `webhooks:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.ping
   */
  ping(webhook_endpoint_id: string, options?: CallOptions): Promise<WebhookDelivery>
  /**
   * Rotate the secret of a webhook endpoint.
   *
   * Deliveries carry the signatures of both secrets for 24 hours; at most two secrets sign at a time. One that an agent made, or that whoever the account was taken back from may know, stops signing at once.
   *
   * Scope: `webhooks:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.rotate_secret
   */
  rotateSecret(webhook_endpoint_id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret>
  readonly deliveries: WebhookEndpointsDeliveriesResource
}

export interface WebhookEndpointsDeliveriesResource {
  /**
   * List deliveries.
   *
   * Newest first.
   *
   * Scope: `webhooks:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.deliveries.list
   */
  list(webhook_endpoint_id: string, input?: WebhookEndpointDeliveryListQuery, options?: CallOptions): PageCall<List<WebhookDelivery>>
  /**
   * Read a delivery and its attempts.
   *
   * Scope: `webhooks:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.deliveries.get
   */
  get(webhook_endpoint_id: string, delivery_id: string, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>
  /**
   * Send an event once more.
   *
   * Makes a new delivery with one attempt. An event is tried at most 20 times at an endpoint, counting those that wait.
   *
   * Scope: `webhooks:write`.
   *
   * Limit: 20 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/webhook_endpoints#webhook_endpoints.deliveries.retry
   */
  retry(webhook_endpoint_id: string, delivery_id: string, options?: CallOptions): Promise<WebhookDelivery>
}

export const webhookEndpoints: ResourceOf<WebhookEndpointsResource> = /* @__PURE__ */ resource<WebhookEndpointsResource>({
  list: 'GET /webhook_endpoints ql',
  create: 'POST /webhook_endpoints kb',
  get: 'GET /webhook_endpoints/{webhook_endpoint_id} ',
  update: 'PATCH /webhook_endpoints/{webhook_endpoint_id} b',
  delete: 'DELETE /webhook_endpoints/{webhook_endpoint_id} ',
  ping: 'POST /webhook_endpoints/{webhook_endpoint_id}/ping k',
  rotateSecret: 'POST /webhook_endpoints/{webhook_endpoint_id}/rotate_secret k',
  deliveries: {
    list: 'GET /webhook_endpoints/{webhook_endpoint_id}/deliveries ql',
    get: 'GET /webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id} ',
    retry: 'POST /webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/retry k',
  },
})
