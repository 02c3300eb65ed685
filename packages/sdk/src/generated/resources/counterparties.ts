// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { Counterparty, CounterpartyContact, CounterpartyContactCreate, CounterpartyContactListQuery, CounterpartyContactUpdate, CounterpartyListQuery, CounterpartyUpdate } from '../types.ts'

export interface CounterpartiesResource {
  /**
   * List counterparties.
   *
   * Counterparties of the empresa, by RUT, with address and contacts: those the caller recorded and those it invoiced, which are read off its documents once they are sent. `source` null: nothing recorded.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/counterparties#counterparties.list
   */
  list(empresa_id: string, input?: CounterpartyListQuery, options?: CallOptions): PageCall<List<Counterparty>>
  /**
   * Read a counterparty.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/counterparties#counterparties.get
   */
  get(empresa_id: string, counterparty_rut: string, options?: CallOptions): Promise<Counterparty>
  /**
   * Record a counterparty.
   *
   * A partial upsert: a field left out stays as it was, null clears it. A value a document could not carry (too long, or outside ISO-8859-1) is refused, never cut.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/counterparties#counterparties.update
   */
  update(empresa_id: string, counterparty_rut: string, input?: CounterpartyUpdate, options?: CallOptions): Promise<Counterparty>
  readonly contacts: CounterpartiesContactsResource
}

export interface CounterpartiesContactsResource {
  /**
   * List the contacts of a counterparty.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/counterparties#counterparties.contacts.list
   */
  list(empresa_id: string, counterparty_rut: string, input?: CounterpartyContactListQuery, options?: CallOptions): PageCall<List<CounterpartyContact>>
  /**
   * Add a contact.
   *
   * The first contact of a counterparty is its primary one. A counterparty holds at most 50.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/counterparties#counterparties.contacts.create
   */
  create(empresa_id: string, counterparty_rut: string, input: CounterpartyContactCreate, options?: CallOptions): Promise<CounterpartyContact>
  /**
   * Edit, promote or opt out a contact.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/counterparties#counterparties.contacts.update
   */
  update(empresa_id: string, counterparty_rut: string, contact_id: string, input?: CounterpartyContactUpdate, options?: CallOptions): Promise<CounterpartyContact>
  /**
   * Remove a contact.
   *
   * When it was the primary one, the oldest of the others takes its place.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/counterparties#counterparties.contacts.delete
   */
  delete(empresa_id: string, counterparty_rut: string, contact_id: string, options?: CallOptions): Promise<void>
}

export const counterparties: ResourceOf<CounterpartiesResource> = /* @__PURE__ */ resource<CounterpartiesResource>({
  list: 'GET /empresas/{empresa_id}/counterparties ql',
  get: 'GET /empresas/{empresa_id}/counterparties/{counterparty_rut} ',
  update: 'PATCH /empresas/{empresa_id}/counterparties/{counterparty_rut} b',
  contacts: {
    list: 'GET /empresas/{empresa_id}/counterparties/{counterparty_rut}/contacts ql',
    create: 'POST /empresas/{empresa_id}/counterparties/{counterparty_rut}/contacts kb',
    update: 'PATCH /empresas/{empresa_id}/counterparties/{counterparty_rut}/contacts/{contact_id} b',
    delete: 'DELETE /empresas/{empresa_id}/counterparties/{counterparty_rut}/contacts/{contact_id} ',
  },
})
