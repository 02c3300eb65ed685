// Documents and all that is done with one; the folios that they draw.

import { BOLETA, BREAD, CLIENT, FACTORING, FACTURA } from './cast.ts'
import type { Recorder } from './recorder.ts'
import type { Tenant } from './tenant.ts'

const SETTLED = ['accepted', 'reparo', 'rejected', 'annulled', 'failed']

export function scenesOfIssuing(film: Recorder, { key, rut }: Tenant) {
  const by = { key, empresa: rut }
  const settled = (document_id: string) =>
    film.until('documents.get', { ...by, params: { document_id } }, ({ status }) => SETTLED.includes(status))

  async function issue(): Promise<{ document_id: string }> {
    const preview = await film.play('documents.previews.create', { ...by, body: FACTURA })
    await film.play('documents.previews.get', { ...by, params: { preview_id: preview.body.id } })
    const params = { document_id: (await film.play('documents.create', { ...by, body: FACTURA })).body.id }
    await settled(params.document_id)
    await film.play('documents.get', { ...by, params })
    await film.play('documents.events', { ...by, params })
    await film.play('documents.list', { ...by, query: { status: 'accepted', tipo_dte: '33' } })
    await film.play('documents.export', { ...by, query: { tipo_dte: '33' } })
    await film.play('documents.pdf', { ...by, params, query: { format: 'letter' } })
    await film.play('documents.xml', { ...by, params })
    return params
  }

  /** Mails it, shows it, is paid for it and sells it. */
  async function use(params: { document_id: string }): Promise<void> {
    const sent = await film.play('documents.send', {
      ...by,
      params,
      body: { to: CLIENT.email, message: 'Su factura.' },
    })
    await film.job(key, sent.body.id)
    await film.play('jobs.get', { key, params: { job_id: sent.body.id } })
    await film.play('documents.public_links.create', { ...by, params, body: {} })
    await film.play('documents.public_links.list', { ...by, params })
    await film.play('documents.public_links.delete', { ...by, params })
    await film.play('receivables.list', by)
    await film.play('receivables.export', by)
    const paid = await film.play('documents.payments.create', {
      ...by,
      params,
      body: { amount: 50_000, method: 'transfer', note: 'Abono' },
    })
    await film.play('documents.payments.list', { ...by, params })
    await film.play('documents.payments.delete', { ...by, params: { ...params, payment_id: paid.body.id } })
    await film.play('test_helpers.documents.receptor_response', { ...by, params, body: { action: 'ERM' } })
    await film.play('documents.cesion', { ...by, params })
    const ceded = await film.play('documents.cede', {
      ...by,
      params,
      body: { cesionario: FACTORING, contact: { name: 'Rosa Pérez Soto', email: 'cobranza@panaderianandu.cl' } },
    })
    await film.job(key, ceded.body.id)
    await film.play('documents.aec', { ...by, params })
  }

  /** A factura that is taken back, guías that become one, and a document that fails. */
  async function correct(): Promise<void> {
    const create = async (body: object) => {
      const { id } = (await film.play('documents.create', { ...by, body })).body
      return { document_id: id as string }
    }
    const boleta = await create({ ...BOLETA, receptor: CLIENT })
    const scripted = await create({ ...FACTURA, external_id: 'pedido-4712' })
    await film.play('test_helpers.documents.estado', {
      ...by,
      params: scripted,
      body: { status: 'reparo', message: 'Dirección del receptor no registrada' },
    })
    await settled(boleta.document_id)
    await film.play('documents.credit_note', { ...by, params: boleta, body: { reason: 'Devolución de la venta' } })
    const guia = await create({ tipo_dte: 52, receptor: CLIENT, items: BREAD, dispatch: { dispatch_type: 2 } })
    await settled(guia.document_id)
    await film.play('documents.invoice_guias', { ...by, body: { guia_ids: [guia.document_id] } })
    const failing = await create({ ...FACTURA, external_id: 'pedido-4713' })
    await film.world.post(`/v1/test_helpers/documents/${failing.document_id}/estado`, {
      ...by,
      body: { status: 'failed' },
    })
    await settled(failing.document_id)
    await film.play('documents.retry', { ...by, params: failing })
  }

  async function manageFolios(): Promise<void> {
    await film.play('folios.list', { ...by, query: { tipo_dte: '33' } })
    const asked = await film.play('folios.request', { ...by, body: { tipo_dte: 34, quantity: 50 } })
    const { caf_id } = (await film.job(key, asked.body.id)).result
    const params = { caf_id }
    await film.play('cafs.get', { ...by, params })
    await film.play('cafs.list', { ...by, query: { tipo_dte: '34' } })
    await film.play('cafs.deactivate', { ...by, params })
    await film.play('cafs.annul', { ...by, params })
  }

  return { issue, use, correct, manageFolios }
}
