/** One request to a webhook receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Why no answer came. A closed set: it is shown to whoever owns the endpoint. */
export const SEND_FAILURES = [
  'dns_lookup_failed',
  'address_not_allowed',
  'connection_refused',
  'connection_timeout',
  'connection_lost',
  'tls_failed',
  'response_timeout',
  'invalid_response',
] as const

export type SendFailure = (typeof SEND_FAILURES)[number]

export interface SendResult {
  /** Null when no answer came; then `failure` says why. */
  readonly status: number | null
  readonly failure: SendFailure | null
  /** The Retry-After header as it was sent. */
  readonly retry_after: string | null
  /** The first KiB of the answer, where it is text. */
  readonly excerpt: string | null
  readonly duration_ms: number
}

/** Sends to the servers of our callers: strangers that may be slow, broken, or a way into somebody's network. */
export interface WebhookSender {
  /** Sends once and never fails: whatever happens is told in the result. Redirects are not followed. */
  post(request: WebhookRequest): Promise<SendResult>
  /** Whether a URL leads where nothing is ever sent. Names are checked again once they are resolved. */
  forbids(url: Pick<URL, 'hostname' | 'port' | 'protocol'>): boolean
  close(): Promise<void>
}
