import { CEILINGS } from '../catalog/limits.ts'
import { ClientRefused, parseClient, saveClient } from '../domain/platform/agent-grant/client.ts'
import type { PlainRequest, PlainRoute } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Sql } from '../kernel/db.ts'
import { parseJson } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import { type RateLimiter, windowOf } from '../kernel/rate-limit.ts'
import { ANY_ORIGIN, OAUTH_PATHS, preflight } from './metadata.ts'

export interface RegisterParts {
  readonly sql: Sql
  readonly limiter: RateLimiter
}

const METADATA = { bytes: CEILINGS.form_body_bytes, values: CEILINGS.json_values } as const

const answer = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...ANY_ORIGIN, ...headers },
  body: JSON.stringify(body),
})

function bodyOf(raw: Uint8Array): unknown {
  try {
    return parseJson(raw, METADATA)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const why = error.facts.message ?? 'The body must be one JSON object in UTF-8.'
    throw new ClientRefused('invalid_client_metadata', why)
  }
}

async function register({ sql, limiter }: RegisterParts, { raw, ip }: PlainRequest): Promise<Answer> {
  const { allowed, reset_seconds } = await limiter.take([windowOf('oauth.register', ip)])
  if (!allowed) {
    const refusal = { error: 'temporarily_unavailable', error_description: 'too many registrations from this address' }
    return answer(429, refusal, { 'Retry-After': String(reset_seconds) })
  }
  try {
    const client = parseClient(bodyOf(raw))
    await saveClient(sql, client)
    return answer(201, client)
  } catch (error) {
    if (!(error instanceof ClientRefused)) throw error
    return answer(400, { error: error.code, error_description: error.message })
  }
}

/** Dynamic client registration (RFC 7591): anybody may say who they are; only a person lets them in. */
export function registerRoutes(parts: RegisterParts): PlainRoute[] {
  return [
    { path: OAUTH_PATHS.register, method: 'POST', for_programs: true, answer: (request) => register(parts, request) },
    preflight(OAUTH_PATHS.register),
  ]
}
