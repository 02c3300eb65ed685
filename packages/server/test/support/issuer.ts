// An account with an empresa and a key that issues documents: what most tests start from.

import { randomUUID } from 'node:crypto'
import type { Mode } from '../../src/catalog/modes.ts'
import type { Scope } from '../../src/catalog/scopes.ts'
import { emitDocuments } from '../../src/domain/issuing/document/jobs.ts'
import { hastenJobs } from '../../src/kernel/queue.ts'
import { type Request, randomRut, type Sent, type World } from './world.ts'

/** A receptor that needs nothing from anywhere else. */
export const RECEPTOR = {
  rut: '77123456-9',
  legal_name: 'Pérez e Hijos Ltda.',
  giro: 'Comercio',
  address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
}
export const ITEMS = [{ description: 'Resma de papel carta', quantity: 2, unit_price: 2500 }]
export const FACTURA = { tipo_dte: 33, receptor: RECEPTOR, items: ITEMS }
export const BOLETA = { tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 1990 }] }

/** An account with an empresa and a key, as a test of documents needs them. */
export interface Issuer {
  readonly account: string
  readonly key: string
  readonly rut: string
  readonly empresa_id: string
  create(body: object, request?: Request): Promise<Sent>
  get(path: string, request?: Request): Promise<Sent>
  post(path: string, body?: object, request?: Request): Promise<Sent>
  patch(path: string, body: object, request?: Request): Promise<Sent>
  delete(path: string, request?: Request): Promise<Sent>
  /** In a quick world: lets its documents go now, which otherwise wait half a second for an outcome to be scripted. */
  hasten(): Promise<void>
}

export async function openIssuer(
  world: World,
  options: { scopes?: readonly Scope[]; empresa?: object; account?: string; mode?: Mode } = {},
): Promise<Issuer> {
  const account = options.account ?? (await world.account())
  const mode = options.mode ?? 'test'
  const key = await world.key(account, { mode, ...(options.scopes && { scopes: options.scopes }) })
  const owner = await world.key(account, { mode, scopes: ['empresas:write'] })
  const rut = randomRut()
  const origen = mode === 'live' ? { origen: 'ninguno' } : {}
  const made = await world.post('/v1/empresas', {
    key: owner,
    body: { rut, legal_name: 'Comercial Ñandú SpA', ...origen, ...options.empresa },
  })
  if (made.status !== 201) throw new Error(`no empresa: ${made.text}`)
  const as = (request: Request = {}) => ({ key, empresa: rut, ...request })
  return {
    account,
    key,
    rut,
    empresa_id: made.body.id,
    create: (body, request = {}) =>
      world.post('/v1/documents', {
        ...as(request),
        body,
        headers: { 'idempotency-key': randomUUID(), ...request.headers },
      }),
    get: (path, request) => world.get(path, as(request)),
    patch: (path, body, request) => world.patch(path, { ...as(request), body }),
    delete: (path, request) => world.delete(path, as(request)),
    post: (path, body, request) => world.post(path, { ...as(request), ...(body && { body }) }),
    async hasten() {
      if (!world.quick) return
      const scope = { account_id: account, mode, empresa_id: made.body.id }
      await hastenJobs(world.db.sql, scope, emitDocuments.name)
      world.app.worker.wake()
    },
  }
}
