import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import {
  Closed,
  Id,
  listQuery,
  Named,
  Nullable,
  ONE_LINE_OR_EMPTY,
  OneLine,
  OneOf,
  OneTimeSecret,
  Opaque,
  Timestamp,
} from '../../../kernel/schema.ts'
import { SEND_FAILURES } from '../../../ports/webhook-sender.ts'
import { RutOrAll } from '../../rut.ts'
import { EventPattern } from '../event/schema.ts'

export const DISABLED_REASONS = ['requested', 'failing', 'gone', 'grant_ended', 'account_recovered'] as const

const endpoint = {
  object: Type.Literal('webhook_endpoint'),
  id: Type.String(),
  mode: OneOf(MODE_NAMES),
  url: Type.String(),
  description: Type.String(),
  enabled_events: Type.Array(Type.String(), { description: 'Event types, families such as `document.*`, or `*`.' }),
  empresas: Type.Array(Type.String(), { description: 'RUTs whose events it receives, or `*` for all.' }),
  status: OneOf(['enabled', 'disabled']),
  disabled_reason: Nullable(OneOf(DISABLED_REASONS), {
    description:
      '`requested`: by PATCH. `failing`: no delivery succeeded for five days. `gone`: the receiver answered 410. ' +
      '`grant_ended`: an agent that gave it its URL or its secret has no access any more. `account_recovered`: somebody who ' +
      'was thrown out of the account had changed its URL or its secret, or enabled it.',
  }),
  created_at: Timestamp,
}

export const WebhookEndpoint = Named('WebhookEndpoint', Closed(endpoint))
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const WebhookEndpointWithSecret = Named(
  'WebhookEndpointWithSecret',
  Closed({
    ...endpoint,
    secret: OneTimeSecret('Signs every delivery. Shown this once and never readable again.'),
  }),
)
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

const Url = OneLine(2_000, {
  description: 'An absolute http or https address without credentials and fragment; https only in live mode.',
})
const Description = Type.String({ maxLength: 500, pattern: ONE_LINE_OR_EMPTY })
const Events = Type.Array(EventPattern, { minItems: 1, maxItems: 100, uniqueItems: true })
const Empresas = Type.Array(RutOrAll, { minItems: 1, maxItems: 1000, uniqueItems: true })

export const CreateWebhookEndpoint = Closed({
  url: Url,
  description: Type.Optional(Description),
  enabled_events: Type.Optional({ ...Events, description: 'Default: `*`, which includes future types.' }),
  empresas: Type.Optional({ ...Empresas, description: 'Default: all that the credential reaches.' }),
})
export type CreateWebhookEndpoint = Static<typeof CreateWebhookEndpoint>

export const UpdateWebhookEndpoint = Closed({
  url: Type.Optional(Url),
  description: Type.Optional(Description),
  enabled_events: Type.Optional(Events),
  empresas: Type.Optional(Empresas),
  status: Type.Optional(OneOf(['enabled', 'disabled'])),
})
export type UpdateWebhookEndpoint = Static<typeof UpdateWebhookEndpoint>

export const EndpointPath = Closed({ webhook_endpoint_id: Id })
export type EndpointPath = Static<typeof EndpointPath>

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const

/** Why an attempt, or the whole delivery, came to nothing. */
const DELIVERY_ERRORS = [
  'http_error',
  'redirect_not_followed',
  ...SEND_FAILURES,
  'endpoint_disabled',
  'endpoint_deleted',
  'too_many_attempts',
  'event_expired',
] as const
export type DeliveryError = (typeof DELIVERY_ERRORS)[number]

const delivery = {
  object: Type.Literal('webhook_delivery'),
  id: Type.String(),
  mode: OneOf(MODE_NAMES),
  webhook_endpoint_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  trigger: OneOf(['automatic', 'replay', 'ping'], {
    description: '`automatic` and `ping`: retried on a schedule. `replay`: asked for, one attempt.',
  }),
  status: OneOf(DELIVERY_STATUSES),
  attempts: Type.Integer({ description: 'Requests made for this delivery so far.' }),
  response_status: Nullable(Type.Integer({ description: 'Of the last attempt; null when no answer came.' })),
  response_excerpt: Nullable(Type.String({ description: 'The first KiB of the last answer, where it was text.' })),
  error: Nullable(OneOf(DELIVERY_ERRORS), { description: 'Of the last attempt; null when it succeeded.' }),
  duration_ms: Nullable(Type.Integer()),
  next_attempt_at: Nullable(Timestamp, { description: 'While pending; null once it is settled.' }),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
}

export const WebhookDelivery = Named('WebhookDelivery', Closed(delivery))
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryWithAttempts = Named(
  'WebhookDeliveryWithAttempts',
  Closed({
    ...delivery,
    attempt_log: Type.Array(
      Closed({
        attempt: Type.Integer({ description: 'What `Svc-Delivery-Attempt` said.' }),
        at: Timestamp,
        response_status: Nullable(Type.Integer()),
        error: Nullable(OneOf(DELIVERY_ERRORS)),
        duration_ms: Type.Integer(),
      }),
      { description: 'Every request that was made, oldest first.' },
    ),
  }),
)
export type WebhookDeliveryWithAttempts = Static<typeof WebhookDeliveryWithAttempts>

export const DeliveryPath = Closed({ webhook_endpoint_id: Id, delivery_id: Id })
export type DeliveryPath = Static<typeof DeliveryPath>

export const DeliveryQuery = listQuery({
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  event_id: Type.Optional(Opaque(100)),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>
