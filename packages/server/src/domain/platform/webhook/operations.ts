import { listOf, listQuery } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { deletesEndpoint } from './agent-copy.ts'
import { createEndpoint } from './create.ts'
import { deleteEndpoint } from './delete.ts'
import { pingEndpoint } from './ping.ts'
import { listOwnEndpoints, readEndpoint } from './read.ts'
import { listDeliveries, readDelivery } from './read-deliveries.ts'
import { retryDelivery } from './retry.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  CreateWebhookEndpoint,
  DeliveryPath,
  DeliveryQuery,
  EndpointPath,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryWithAttempts,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './schema.ts'
import { updateEndpoint } from './update.ts'

const ENDPOINTS = '/webhook_endpoints'
const ENDPOINT = `${ENDPOINTS}/{webhook_endpoint_id}`
const DELIVERIES = `${ENDPOINT}/deliveries`

export const webhookOperations = [
  defineOperation({
    id: 'webhook_endpoints.list',
    method: 'GET',
    path: ENDPOINTS,
    summary: 'List webhook endpoints',
    description:
      'Those of the mode of the credential, newest first. Secrets are never included. A key that does not reach every ' +
      'empresa sees the endpoints that hear of none beyond its own.',
    reach: 'account',
    scope: 'webhooks:read',
    query: listQuery({}),
    returns: listOf(WebhookEndpoint),
    errors: ['invalid_cursor'],
    run: listOwnEndpoints,
  }),
  defineOperation({
    id: 'webhook_endpoints.create',
    method: 'POST',
    path: ENDPOINTS,
    summary: 'Create a webhook endpoint',
    description:
      'The secret that signs its deliveries is in this answer and nowhere else, ever. At most 16 endpoints in each mode.',
    reach: 'account',
    scope: 'webhooks:write',
    body: CreateWebhookEndpoint,
    returns: WebhookEndpointWithSecret,
    status: 201,
    errors: ['empresa_not_allowed', 'webhook_endpoint_limit_reached'],
    run: createEndpoint,
  }),
  defineOperation({
    id: 'webhook_endpoints.get',
    method: 'GET',
    path: ENDPOINT,
    summary: 'Read a webhook endpoint',
    reach: 'account',
    scope: 'webhooks:read',
    params: EndpointPath,
    returns: WebhookEndpoint,
    errors: ['webhook_endpoint_not_found'],
    run: readEndpoint,
  }),
  defineOperation({
    id: 'webhook_endpoints.update',
    method: 'PATCH',
    path: ENDPOINT,
    summary: 'Change, disable or enable a webhook endpoint',
    description: 'The secret is unaffected. Enabling forgets earlier failures; events of the meantime are not sent.',
    reach: 'account',
    scope: 'webhooks:write',
    params: EndpointPath,
    body: UpdateWebhookEndpoint,
    returns: WebhookEndpoint,
    errors: ['webhook_endpoint_not_found', 'empresa_not_allowed'],
    run: updateEndpoint,
  }),
  defineOperation({
    id: 'webhook_endpoints.delete',
    method: 'DELETE',
    path: ENDPOINT,
    summary: 'Delete a webhook endpoint',
    description: 'Destroys its current and previous secrets and ends its deliveries, which cannot be read any more.',
    reach: 'account',
    scope: 'webhooks:write',
    params: EndpointPath,
    returns: null,
    errors: ['webhook_endpoint_not_found'],
    mcp: { irreversible: deletesEndpoint },
    run: deleteEndpoint,
  }),
  defineOperation({
    id: 'webhook_endpoints.ping',
    method: 'POST',
    path: `${ENDPOINT}/ping`,
    summary: 'Send a ping',
    description: 'One attempt with an event of type `ping`, to the current URL, also while the endpoint is disabled.',
    reach: 'account',
    scope: 'webhooks:write',
    params: EndpointPath,
    returns: WebhookDelivery,
    status: 202,
    errors: ['webhook_endpoint_not_found'],
    run: pingEndpoint,
  }),
  defineOperation({
    id: 'webhook_endpoints.rotate_secret',
    method: 'POST',
    path: `${ENDPOINT}/rotate_secret`,
    summary: 'Rotate the secret of a webhook endpoint',
    description: 'Deliveries carry the signatures of both secrets for 24 hours; at most two secrets sign at a time.',
    reach: 'account',
    scope: 'webhooks:write',
    params: EndpointPath,
    returns: WebhookEndpointWithSecret,
    errors: ['webhook_endpoint_not_found'],
    run: rotateSecret,
  }),
  defineOperation({
    id: 'webhook_endpoints.deliveries.list',
    method: 'GET',
    path: DELIVERIES,
    summary: 'List deliveries',
    description: 'Newest first.',
    reach: 'account',
    scope: 'webhooks:read',
    params: EndpointPath,
    query: DeliveryQuery,
    returns: listOf(WebhookDelivery),
    errors: ['webhook_endpoint_not_found', 'invalid_cursor'],
    run: listDeliveries,
  }),
  defineOperation({
    id: 'webhook_endpoints.deliveries.get',
    method: 'GET',
    path: `${DELIVERIES}/{delivery_id}`,
    summary: 'Read a delivery and its attempts',
    reach: 'account',
    scope: 'webhooks:read',
    params: DeliveryPath,
    returns: WebhookDeliveryWithAttempts,
    errors: ['webhook_endpoint_not_found', 'delivery_not_found'],
    run: readDelivery,
  }),
  defineOperation({
    id: 'webhook_endpoints.deliveries.retry',
    method: 'POST',
    path: `${DELIVERIES}/{delivery_id}/retry`,
    summary: 'Send an event once more',
    description:
      'Makes a new delivery with one attempt. An event is tried at most 20 times at an endpoint, counting those that wait.',
    reach: 'account',
    scope: 'webhooks:write',
    limit: 'deliveries.retry',
    params: DeliveryPath,
    returns: WebhookDelivery,
    status: 202,
    errors: ['webhook_endpoint_not_found', 'delivery_not_found', 'too_many_replays'],
    run: retryDelivery,
  }),
]
