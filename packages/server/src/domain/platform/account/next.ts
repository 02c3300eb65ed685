import { HEADERS } from '../../../catalog/headers.ts'
import type { Addresses } from '../../../ports/ports.ts'
import type { Next, Registered } from './bootstrap-schema.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const BY_KEY = { Authorization: 'Bearer <data.api_key.secret>' }

/** What a newcomer does next, given what signing up left them with: a key, then an empresa, then a first document. */
export function nextStep(made: Pick<Registered, 'api_key' | 'empresa'>, { public_url, base_url }: Addresses): Next {
  if (!made.api_key) {
    const headers = { Authorization: 'Bearer <data.token>', [HEADERS.mode]: 'test', ...JSON_BODY }
    return { action: 'create_api_key', method: 'POST', url: `${public_url}/dashboard/api_keys`, headers }
  }
  if (!made.empresa) {
    const headers = { ...BY_KEY, ...JSON_BODY }
    return { action: 'create_empresa', method: 'POST', url: `${base_url}/empresas`, headers }
  }
  const headers = {
    ...BY_KEY,
    [HEADERS.empresa]: '<data.empresa.rut>',
    [HEADERS.idempotency_key]: 'first-document',
    ...JSON_BODY,
  }
  return { action: 'issue_document', method: 'POST', url: `${base_url}/documents`, headers }
}
