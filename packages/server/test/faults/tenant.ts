import { randomUUID } from 'node:crypto'
import { COLD_START_SCOPES } from '../../src/catalog/scopes.ts'
import { randomRut } from '../support/world.ts'
import type { Client } from './client.ts'

/** An account as a customer has one: two empresas, an endpoint for webhooks, and as many keys as it takes. */
export interface Tenant {
  readonly empresas: readonly string[]
  readonly endpoint: { readonly id: string; readonly secret: string }
  mint(count: number): Promise<string[]>
}

export async function openTenant(client: Client, hook_url: string): Promise<Tenant> {
  const post = async (path: string, body: object, bearer?: string) =>
    (await client.ask({ method: 'POST', path, body, ...(bearer && { bearer }) })).body
  const empresas = [randomRut(), randomRut()]
  const [first = '', second = ''] = empresas
  const { data } = await post('/account/register', {
    email: `${randomUUID()}@example.cl`,
    password: randomUUID(),
    bootstrap: { sandbox_key: { name: 'caja' }, empresa: { rut: first, legal_name: 'Comercial Ñandú SpA' } },
  })
  const key = data.api_key.secret
  await post('/v1/empresas', { rut: second, legal_name: 'Servicios Andes Ltda' }, key)
  const endpoint = await post('/v1/webhook_endpoints', { url: hook_url }, key)
  const minted = { name: 'caja', scopes: COLD_START_SCOPES, empresas: ['*'] }
  return {
    empresas,
    endpoint,
    async mint(count) {
      const keys: string[] = []
      while (keys.length < count) keys.push((await post('/dashboard/api_keys', minted, data.token)).secret)
      return keys
    },
  }
}
