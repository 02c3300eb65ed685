// An empresa that suppliers write to: receiving and answering documents.

import { type Issuer, ITEMS, openIssuer } from './issuer.ts'
import { moveClock } from './move-clock.ts'
import type { Sent, World } from './world.ts'

export const SUPPLIER = { rut: '76543210-3', legal_name: 'Papelera Ñuñoa SpA', giro: 'Papelería' }

/** An empresa that suppliers write to, and what happens to it. */
export interface Buyer extends Issuer {
  /** A document as the sandbox plays its supplier; a factura for goods on credit unless said otherwise. */
  receive(changes?: object): Promise<Sent>
  act(id: string, verb: 'accept' | 'reject' | 'acknowledge_receipt', body?: object): Promise<Sent>
  advance(duration: string): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  events(type?: string): Promise<any[]>
}

let folio = 500

export async function openBuyer(world: World, options: Parameters<typeof openIssuer>[1] = {}): Promise<Buyer> {
  const issuer = await openIssuer(world, options)
  const owner = await world.key(issuer.account, { scopes: ['empresas:write', 'empresas:read', 'webhooks:read'] })
  return {
    ...issuer,
    receive: (changes = {}) =>
      issuer.post('/v1/test_helpers/received_documents', {
        document: { tipo_dte: 33, folio: folio++, emisor: SUPPLIER, items: ITEMS, ...changes },
      }),
    act: (id, verb, body) => issuer.post(`/v1/received_documents/${id}/${verb}`, body ?? {}),
    async advance(duration) {
      await moveClock(world, owner, { advance: duration })
    },
    async events(type) {
      const query = `limit=100${type ? `&type=${type}` : ''}`
      const { body } = await world.get(`/v1/events?${query}`, { key: owner })
      return body.data.toReversed()
    },
  }
}
