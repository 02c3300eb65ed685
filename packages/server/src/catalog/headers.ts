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

/** Those a request carries, as they are spelt where they are read. */
export const SENT = {
  empresa: HEADERS.empresa.toLowerCase(),
  mode: HEADERS.mode.toLowerCase(),
  operator_secret: HEADERS.operator_secret.toLowerCase(),
  idempotency_key: HEADERS.idempotency_key.toLowerCase(),
} as const
