// A service that answers what a test says, and remembers what it was asked.

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export type Answer =
  | Error
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }

export interface Fake {
  readonly fetch: typeof fetch
  readonly asked: Asked[]
}

/** Answers each call with the next of these, and the last one for good. */
export function fake(...answers: (Answer | ((asked: Asked) => Answer))[]): Fake {
  const asked: Asked[] = []
  const answer = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body, signal } = init
    const one = {
      method,
      url: String(url),
      headers: headers as Record<string, string>,
      body: body as string | undefined,
    }
    const next = answers[Math.min(asked.length, answers.length - 1)]
    asked.push(one)
    const said = typeof next === 'function' ? next(one) : next
    if (said === undefined) {
      // Nobody answers: only the caller ends it.
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    if (said instanceof Error) throw said
    const status = said.status ?? 200
    const bare = status === 204 || status === 304
    const text = typeof said.body === 'string' ? said.body : JSON.stringify(said.body ?? {})
    return new Response(bare ? null : text, {
      status,
      headers: { 'content-type': 'application/json', 'svc-request-id': 'req_1', ...said.headers },
    })
  }
  return { fetch: answer as typeof fetch, asked }
}

/** A refusal as the service writes it. */
export function refusal(status: number, code: string, more: Record<string, unknown> = {}) {
  const type = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    409: 'conflict_error',
    422: 'unprocessable_error',
    429: 'rate_limit_error',
    502: 'sii_error',
  }[status]
  const error = {
    type: type ?? 'api_error',
    code,
    message: `It was refused: ${code}.`,
    hint: 'Do otherwise.',
    retriable: status >= 429 && status !== 422,
    doc_url: `http://timbre.test/docs/errors/${code}`,
    request_id: 'req_told',
    ...more,
  }
  return { status, body: { error } }
}

/** How `fetch` fails when nobody listens, or when a connection breaks. */
export function broken(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) })
}
