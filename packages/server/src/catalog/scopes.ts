interface ScopeEntry {
  readonly grants: string
  readonly cold_start: boolean
  readonly go_live: boolean
  readonly root_only: boolean
}

const cold = { cold_start: true, go_live: false, root_only: false }
const live = { cold_start: false, go_live: true, root_only: false }

/** The twelve scopes of the contract: what each grants and who may ask for it. */
export const SCOPES = {
  'documents:read': { grants: 'Read documents, received documents, tax, connections and folios', ...cold },
  'documents:write': { grants: 'Issue documents, answer suppliers, work on the tax month', ...cold },
  'empresas:read': { grants: 'Read empresas, counterparties, settings, usage and onboarding', ...cold },
  'empresas:write': { grants: 'Create and change empresas, counterparties, branding and settings', ...cold },
  'webhooks:read': { grants: 'Read webhook endpoints, deliveries and events', ...cold },
  'webhooks:write': { grants: 'Manage webhook endpoints and replay deliveries', ...cold },
  'keys:write': { grants: 'Mint, roll and revoke API keys', cold_start: false, go_live: false, root_only: true },
  'mandato:write': { grants: 'Revoke a mandato and mint its links', ...live },
  'mandato:attest': { grants: 'Record the signature of a mandato', ...live },
  'onboarding:write': { grants: 'Act on the onboarding of an empresa', ...live },
  'onboarding:attest': { grants: 'Record human acts and approvals of the onboarding', ...live },
  'folios:write': {
    grants: 'Request and manage folios and CAFs',
    cold_start: false,
    go_live: false,
    root_only: false,
  },
} as const satisfies Record<string, ScopeEntry>

export type Scope = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]
/** Scopes that set the account up, instead of doing its daily work: what they write goes on working by itself. */
export const ADMINISTERING: readonly Scope[] = [
  'empresas:write',
  'webhooks:write',
  'keys:write',
  'mandato:write',
  'mandato:attest',
  'onboarding:write',
  'onboarding:attest',
]
export const COLD_START_SCOPES = SCOPE_NAMES.filter((scope) => SCOPES[scope].cold_start)
