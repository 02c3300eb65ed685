// Keys, empresas, webhooks, the ledger and the clock.

import { loadNomina } from '../../src/domain/issuing/contribuyente/load-nomina.ts'
import { grantTo } from '../support/agent-grant.ts'
import { oneActivity, oneName, openFolder } from '../support/nomina-file.ts'
import { CLIENT, PANADERIA, SUPPLIER } from './cast.ts'
import type { Recorder } from './recorder.ts'
import type { Tenant } from './tenant.ts'

/** What anybody may read. */
export async function readReference(film: Recorder): Promise<void> {
  await film.play('error_codes.list')
  await film.play('mandato_terms.get')
  await film.play('sii.status')
}

export async function manageKeys(film: Recorder, { key, account_id, rut }: Tenant): Promise<void> {
  await film.play('account.get', { key })
  const body = { name: 'Bodega', scopes: ['documents:read', 'documents:write'], empresas: [rut] }
  const params = { key_id: (await film.play('api_keys.create', { key, body })).body.id }
  await film.play('api_keys.roll', { key, params })
  await film.play('api_keys.list', { key, query: { limit: '1' } })
  await film.play('api_keys.revoke', { key, params })
  await film.play('audit_log.list', { key, query: { action: 'api_keys.create', limit: '1' } })

  const grant = { grant_id: (await grantTo(film.world, account_id, { max_clp_per_day: 500_000 })).id }
  await film.play('agent_grants.list', { key })
  await film.play('agent_grants.get', { key, params: grant })
  await film.play('agent_grants.revoke', { key, params: grant })
}

export async function manageEmpresas(film: Recorder, { key, empresa_id }: Tenant): Promise<void> {
  const params = { empresa_id }
  const { rut: _, legal_name, ...known } = PANADERIA
  await film.play('empresas.update', {
    key,
    params,
    body: { legal_name, ...known, doc_types: [33, 34, 39, 46, 52, 56, 61] },
  })
  await film.play('empresas.get', { key, params })
  const branch = await film.play('empresas.create', {
    key,
    body: { rut: '76354771-K', legal_name: 'Pastelería Ñandú SpA', giro: 'Pastelería' },
  })
  await film.play('empresas.list', { key, query: { status: 'active' } })
  await film.play('empresas.delete', { key, params: { empresa_id: branch.body.id } })
  await film.play('automation_settings.get', { key, params })
  await film.play('automation_settings.update', { key, params, body: { email_documents_on_acceptance: true } })
  await film.play('branding.get', { key, params })
  const footer_text = 'Gracias por su compra. panaderianandu.cl'
  await film.play('branding.update', { key, params, body: { print_format: 'ticket_80', footer_text } })
  await film.play('automation_settings.update', { key, params, body: { email_documents_on_acceptance: false } })
  await film.play('branding.update', { key, params, body: { print_format: 'letter' } })
  await film.play('subscription.get', { key, params })
}

export async function knowCounterparties(film: Recorder, { key, empresa_id }: Tenant): Promise<void> {
  const { rut: counterparty_rut, legal_name, giro, address } = CLIENT
  const params = { empresa_id, counterparty_rut }
  await film.play('counterparties.update', { key, params, body: { legal_name, giro, address } })
  await film.play('counterparties.get', { key, params })
  await film.play('counterparties.list', { key, params: { empresa_id } })
  const written = await film.play('counterparties.contacts.create', {
    key,
    params,
    body: { email: CLIENT.email, name: 'Carla Muñoz', primary: true },
  })
  const contact = { ...params, contact_id: written.body.id }
  await film.play('counterparties.contacts.list', { key, params })
  await film.play('counterparties.contacts.update', { key, params: contact, body: { phone: '+56 2 2345 6789' } })
  await film.play('counterparties.contacts.delete', { key, params: contact })

  const folder = await openFolder()
  const files = [
    await folder.put('nombres.txt', oneName(SUPPLIER.legal_name.toUpperCase())),
    await folder.put('actividades.txt', oneActivity('ELABORACION DE PRODUCTOS DE MOLINERIA')),
  ]
  await loadNomina(film.world.db, files, { published_on: '2026-08-23' })
  await folder.remove()
  await film.play('contribuyentes.get', { key, params: { rut: SUPPLIER.rut } })
}

/** Before the documents, so that what they tell is delivered. */
export async function listen(film: Recorder, { key, rut }: Tenant): Promise<string> {
  const body = { url: 'https://erp.panaderianandu.cl/timbre', enabled_events: ['document.*'], empresas: [rut] }
  return (await film.play('webhook_endpoints.create', { key, body })).body.id
}

export async function readLedger(film: Recorder, { key, rut }: Tenant, webhook_endpoint_id: string): Promise<void> {
  const query = { type: 'document.accepted', empresa_rut: rut, limit: '1' }
  // The last document that was issued came of a suggestion, and may still be on its way.
  await film.world.until(async () => {
    const { body } = await film.world.get(`/v1/events?${new URLSearchParams(query)}`, { key })
    return 'suggestion_id' in (body.data[0]?.data.object.metadata ?? {})
  })
  const { data } = (await film.play('events.list', { key, query })).body
  await film.play('events.get', { key, params: { event_id: data[0].id } })
  const params = { webhook_endpoint_id }
  await film.play('webhook_endpoints.get', { key, params })
  await film.play('webhook_endpoints.list', { key })
  const ping = (await film.play('webhook_endpoints.ping', { key, params })).body
  const delivery = { ...params, delivery_id: ping.id }
  const isDone = ({ status }: { status: string }) => status === 'succeeded'
  await film.until('webhook_endpoints.deliveries.get', { key, params: delivery }, isDone)
  await film.play('webhook_endpoints.deliveries.list', { key, params, query: { event_id: ping.event_id } })
  await film.play('webhook_endpoints.deliveries.get', { key, params: delivery })
  await film.play('webhook_endpoints.deliveries.retry', { key, params: delivery })
  await film.play('webhook_endpoints.update', { key, params, body: { enabled_events: ['document.*', 'folios.low'] } })
  await film.play('webhook_endpoints.rotate_secret', { key, params })
  await film.play('webhook_endpoints.delete', { key, params })
  await film.play('usage.get', { key })
  await film.play('usage.records.list', { key, query: { kind: 'document_issued', limit: '1' } })
}

/** Last of all: a clock that moved changes every date. */
export async function moveClock(film: Recorder, { key }: Tenant): Promise<void> {
  await film.play('test_helpers.clock.set', { key, body: { advance: 'P1D' } })
  await film.play('test_helpers.clock.get', { key })
}

export async function seedYear(film: Recorder, { key }: Tenant): Promise<void> {
  const body = { rut: '76086428-5', legal_name: 'Almacén Don Lucho EIRL' }
  const shop = await film.world.post('/v1/empresas', { key, body })
  await film.play('test_helpers.seed', { key, empresa: shop.body.rut, body: { months: 1 } })
  // What it makes is of no use here; with its empresa it ends.
  await film.world.delete(`/v1/empresas/${shop.body.id}`, { key })
}
