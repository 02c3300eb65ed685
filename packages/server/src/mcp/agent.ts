import { MODES } from '../catalog/modes.ts'
import type { AgentAuthenticator } from '../domain/platform/agent-grant/authenticate.ts'
import type { AdmitParts } from '../http/admit.ts'
import type { Admission } from '../http/call.ts'
import { type ClockSetting, nowOf } from '../kernel/clock.ts'
import { Problem } from '../kernel/problem.ts'
import { windowOf } from '../kernel/rate-limit.ts'
import type { AccountScope, Caller } from '../kernel/scope.ts'
import type { View } from './view.ts'

/** The caller of one message, authenticated for it alone. */
export interface Agent {
  readonly account: AccountScope
  readonly caller: Exclude<Caller, { readonly kind: 'session' }>
  readonly clock: ClockSetting
  readonly two_steps: boolean
  /** One for the whole message, so that its answer can carry the rate limit of its calls. */
  readonly admission: Admission
  readonly request_id: string
  readonly ip: string
  /** What its address asked for. */
  readonly view: View
}

export const nowFor = ({ clock }: Agent) => nowOf(clock)

type Authenticated = Omit<Agent, 'request_id' | 'ip' | 'admission' | 'view'>

/**
 * A key of the sandbox is let in too, so that a developer's first ten minutes need no browser. A live one is not: what it
 * may do has no limits, and nobody consented to an agent having it.
 */
async function authenticateKey({ keys }: AdmitParts, secret: string): Promise<Authenticated> {
  const { key_id, account_id, mode, clock, expires_at, root, scopes, empresas, secret_hash } =
    await keys.authenticate(secret)
  if (!MODES[mode].keys_reach_mcp) throw new Problem('invalid_access_token')
  const outgoing = expires_at !== null
  const caller = { kind: 'key', credential_id: key_id, root, secret_hash, outgoing, scopes, empresas } as const
  return { account: { account_id, mode }, caller, clock, two_steps: true }
}

async function authenticateGrant(agents: AgentAuthenticator, token: string): Promise<Authenticated> {
  const { account_id, mode, clock, caller } = await agents.authenticate(token)
  return { account: { account_id, mode }, caller, clock, two_steps: caller.two_steps }
}

/** The caller behind an access token or a sandbox key, or a refusal. */
export function authenticateAgent(
  parts: AdmitParts,
  agents: AgentAuthenticator,
  token: string,
): Promise<Authenticated> {
  return token.startsWith('sk_') ? authenticateKey(parts, token) : authenticateGrant(agents, token)
}

/** Counts a message that is no tool call as any call is counted; a tool call is counted with its operation. */
export async function throttleMessage({ limiter }: AdmitParts, { caller, account, admission }: Agent): Promise<void> {
  const verdict = await limiter.take([windowOf('general', `${caller.credential_id}|${account.mode}`)])
  admission.rate = verdict
  if (!verdict.allowed) throw new Problem('rate_limited', { retry_after_seconds: verdict.reset_seconds })
}
