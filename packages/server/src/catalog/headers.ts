/** Header names of the wire. */
export const HEADERS = {
  request_id: 'Svc-Request-Id',
  empresa: 'Svc-Empresa',
  mode: 'Svc-Mode',
  operator_secret: 'Svc-Operator-Secret',
  idempotency_key: 'Idempotency-Key',
  idempotent_replay: 'Svc-Idempotent-Replay',
  poll_after: 'Svc-Poll-After',
  retry_after: 'Retry-After',
  rate_limit: 'RateLimit-Limit',
  rate_remaining: 'RateLimit-Remaining',
  rate_reset: 'RateLimit-Reset',
  sunset: 'Sunset',
  deprecation: 'Deprecation',
  signature: 'Svc-Signature',
  event_id: 'Svc-Event-Id',
  delivery_id: 'Svc-Delivery-Id',
  delivery_attempt: 'Svc-Delivery-Attempt',
} as const

/** Beside ours, what the verifiers of the Standard Webhooks specification read. */
export const STANDARD_WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/** The headers of a delivery, in words. */
export const DELIVERY_HEADERS = [
  {
    name: HEADERS.signature,
    says:
      '`t=<unix seconds>,v1=<hex>`: an HMAC-SHA256 of `<t>.<body>`, the body as it came, keyed with the whole text of ' +
      'the secret. For 24 hours after a rotation there are two `v1`, the new secret first.',
  },
  { name: HEADERS.event_id, says: 'The id of the event: what to deduplicate on.' },
  { name: HEADERS.delivery_id, says: 'The delivery, as it can be read and sent again.' },
  { name: HEADERS.delivery_attempt, says: 'Which attempt of this event at this endpoint it is, counted from 1.' },
  { name: STANDARD_WEBHOOK_HEADERS.id, says: 'The id of the event, for the libraries of Standard Webhooks.' },
  { name: STANDARD_WEBHOOK_HEADERS.timestamp, says: 'The same instant as `t`.' },
  {
    name: STANDARD_WEBHOOK_HEADERS.signature,
    says:
      '`v1,<base64>`: an HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the bytes that follow ' +
      '`whsec_` in base64. Two of them, with a blank between, after a rotation.',
  },
] as const

/** Those a request carries, as they are spelt where they are read. */
export const SENT = {
  empresa: HEADERS.empresa.toLowerCase(),
  mode: HEADERS.mode.toLowerCase(),
  operator_secret: HEADERS.operator_secret.toLowerCase(),
  idempotency_key: HEADERS.idempotency_key.toLowerCase(),
} as const
