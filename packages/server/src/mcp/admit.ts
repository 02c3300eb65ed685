import { MODES } from '../catalog/modes.ts'
import type { AgentAuthenticator } from '../domain/platform/agent-grant/authenticate.ts'
import type { Gate } from '../http/admit.ts'
import { Problem } from '../kernel/problem.ts'
import { windowOf } from '../kernel/rate-limit.ts'
import type { Agent } from './call.ts'

const BEARER = /^Bearer ([!-~]+)$/i

export function bearerOf(header: string | undefined): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null
}

type Known = Omit<Agent, 'request_id' | 'ip' | 'admission'>

/**
 * A key of the sandbox is let in too, so that a developer's first ten minutes need no browser. A live one is not: what it
 * may do has no limits, and nobody consented to an agent having it.
 */
async function admitKey({ keys }: Gate, secret: string): Promise<Known> {
  const { key_id, account_id, mode, clock, root, scopes, empresas } = await keys.authenticate(secret)
  if (!MODES[mode].keys_reach_mcp) throw new Problem('invalid_access_token')
  const caller = { kind: 'key', credential_id: key_id, root, scopes, empresas } as const
  return { account: { account_id, mode }, caller, clock, two_steps: true }
}

async function admitGrant(agents: AgentAuthenticator, token: string): Promise<Known> {
  const { account_id, mode, clock, caller } = await agents.authenticate(token)
  return { account: { account_id, mode }, caller, clock, two_steps: caller.two_steps }
}

/** Whom a token lets in, or a refusal. */
export function admitAgent(gate: Gate, agents: AgentAuthenticator, token: string): Promise<Known> {
  return token.startsWith('sk_') ? admitKey(gate, token) : admitGrant(agents, token)
}

/** What is no tool call is counted as any call is. */
export async function admitMessage({ limiter }: Gate, { caller, account, admission }: Agent): Promise<void> {
  const verdict = await limiter.take([windowOf('general', `${caller.credential_id}|${account.mode}`)])
  admission.rate = verdict
  if (!verdict.allowed) throw new Problem('rate_limited', { retry_after_seconds: verdict.reset_seconds })
}
