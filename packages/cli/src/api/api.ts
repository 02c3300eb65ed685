export type Mode = 'test' | 'live'

export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** The RUT it acts for; null sends none, undefined the one in use. */
  readonly empresa?: string | null
  readonly idempotencyKey?: string
  /** Attempts after the first, where the default of the SDK is not wanted. */
  readonly maxRetries?: number
  /** Milliseconds that one attempt may take. */
  readonly timeout?: number
}

export interface Download {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly filename: string | null
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** The API as commands see it. Refusals and broken connections are thrown; `explain` puts them into sentences. */
export interface Api {
  readonly url: string
  readonly mode: Mode
  readonly empresa: string | undefined
  call<T = Record<string, unknown>>(method: string, path: string, request?: ApiRequest): Promise<T>
  download(path: string, request?: ApiRequest): Promise<Download>
}

/** Follows a resource until it is settled, as often as the server says that it is worth a look. */
export async function pollUntil<T>(
  look: () => Promise<T>,
  settled: (value: T) => boolean,
  { signal, everyMs = 250, tries = 480 }: { signal: AbortSignal; everyMs?: number; tries?: number },
): Promise<T> {
  const { setTimeout: sleep } = await import('node:timers/promises')
  let value = await look()
  for (let round = 1; round < tries && !settled(value); round++) {
    await sleep(everyMs, undefined, { signal })
    value = await look()
  }
  return value
}
