import type { ErrorCode } from '../catalog/errors.ts'

interface AgentWords {
  readonly message?: string
  readonly hint: string
}

/**
 * What a refusal says to an agent where the catalog speaks to whoever holds an API key: an agent has a grant, which a person
 * gave it, and calls tools. Everything else is told as it stands, with tools in the place of routes.
 */
export const AGENT_WORDS: Readonly<Partial<Record<ErrorCode, AgentWords>>> = {
  certificate_not_found: { hint: 'A person puts the certificate into custody; tell them.' },
  email_verification_required: {
    message: 'Live empresas need an account whose e-mail is confirmed.',
    hint: 'The person follows the link in their confirmation mail; tell them.',
  },
  empresa_delete_not_allowed: {
    hint: 'Archive it: `empresas_update` with `status` archived. It cannot be undone; its history is kept.',
  },
  empresa_header_required: {
    hint: 'Name it with `empresa`, a RUT or an id; `my_empresas` shows which ones you reach.',
  },
  empresa_not_allowed: {
    message: 'Your grant does not reach this empresa.',
    hint: '`my_empresas` shows which ones it reaches; the person who gave it can authorize you for another.',
  },
  idempotency_in_progress: { hint: 'Wait `retry_after_seconds` and repeat the very same call.' },
  idempotency_key_reused: { hint: 'Use another `idempotency_key` for another act; each is kept for 24 hours.' },
  insufficient_scope: {
    message: 'Your grant lacks the scope this needs.',
    hint: 'The person can authorize you again with the scope named in `details.scope`; tell them.',
  },
  mode_not_allowed: {
    message: 'This is not available in the mode of your grant.',
    hint: 'Test helpers exist in test mode only.',
  },
  privilege_escalation: {
    message: 'Nobody can give or end more than they may do themselves.',
    hint: 'Stay within the scopes and the empresas of your grant; `details.exceeds` says what goes beyond.',
  },
  rate_limited: { hint: 'Wait `retry_after_seconds`, then go on.' },
  sfg_credential_not_found: { hint: 'A person puts it into custody; tell them.' },
  webhook_secret_exposed: { hint: 'A person rotates its secret first; tell them. Then it can be enabled.' },
}
