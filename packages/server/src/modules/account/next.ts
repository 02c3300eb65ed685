import { HEADERS } from '../../catalog/headers.ts'
import type { Addresses } from '../../ports/ports.ts'
import type { Next, Registered } from './bootstrap-schema.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const BY_KEY = { Authorization: 'Bearer <data.api_key.secret>' }

/** What a newcomer does next, given what signing up left them with: a key, then an empresa, then a look at it. */
export function nextStep(made: Pick<Registered, 'api_key' | 'empresa'>, { public_url, base_url }: Addresses): Next {
  if (!made.api_key) {
    const headers = { Authorization: 'Bearer <data.token>', [HEADERS.mode]: 'test', ...JSON_BODY }
    return { action: 'create_api_key', method: 'POST', url: `${public_url}/dashboard/api_keys`, headers }
  }
  if (!made.empresa) {
    const headers = { ...BY_KEY, ...JSON_BODY }
    return { action: 'create_empresa', method: 'POST', url: `${base_url}/empresas`, headers }
  }
  return { action: 'get_empresa', method: 'GET', url: `${base_url}/empresas/${made.empresa.id}`, headers: BY_KEY }
}
