/** One request to a webhook receiver. */
export interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Why no answer came. A closed set: it is shown to whoever owns the endpoint. */
export const NO_ANSWER = [
  'dns_lookup_failed',
  'address_not_allowed',
  'connection_refused',
  'connection_timeout',
  'connection_lost',
  'tls_failed',
  'response_timeout',
  'invalid_response',
] as const

export type NoAnswer = (typeof NO_ANSWER)[number]

export interface Receipt {
  /** Null when no answer came; then `failure` says why. */
  readonly status: number | null
  readonly failure: NoAnswer | null
  /** The Retry-After header as it was sent. */
  readonly retry_after: string | null
  /** The first KiB of the answer, where it is text. */
  readonly excerpt: string | null
  readonly duration_ms: number
}

/** The servers of our callers: strangers that may be slow, broken, or a way into somebody's network. */
export interface Receivers {
  /** Sends once and never fails: whatever happens is told in the receipt. Redirects are not followed. */
  post(posting: Posting): Promise<Receipt>
  /** Whether a host as written in a URL is one that is never connected to. Names are judged again once they are resolved. */
  forbids(hostname: string): boolean
  close(): Promise<void>
}
