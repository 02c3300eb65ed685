// Generated from the operation table: `npm run generate` writes it anew.

/** Beginnings of the paths whose operations refuse Svc-Empresa, or name the empresa themselves. */
export const PATHS_WITHOUT_EMPRESA: readonly string[] = [
  'account',
  'accounts',
  'agent_grants',
  'api_keys',
  'audit_log',
  'contribuyentes',
  'empresas',
  'error_codes',
  'events',
  'indicators',
  'jobs',
  'mandato_terms',
  'onboarding',
  'sii',
  'test_helpers/clock',
  'test_helpers/empresas',
  'usage',
  'webhook_endpoints',
]
