/** What a call may take at most. Every call has all of them. */
export interface CallLimits {
  /** To connect, the TLS handshake included. */
  readonly connect_ms: number
  /** From the request's first byte to the headers of the answer. */
  readonly headers_ms: number
  /** Between two pieces of the answer's body. */
  readonly idle_ms: number
  /** From the call to the end of the answer, the wait for a free connection included. */
  readonly total_ms: number
  /** Of the answer's body. */
  readonly max_bytes: number
}

export const DEFAULT_LIMITS: CallLimits = {
  connect_ms: 10_000,
  headers_ms: 60_000,
  idle_ms: 20_000,
  total_ms: 90_000,
  max_bytes: 2 * 1024 * 1024,
}
