// One row of every noun under one empresa, for tests that go through all operations.

import { insertCertificate } from './insert-certificate.ts'
import type { World } from './world.ts'

interface Whose {
  readonly account: string
  readonly key: string
  readonly rut: string
  /** Tells the rows of one empresa from those of another. */
  readonly tag?: string
}

/** Makes an empresa with one of each noun under it, and gives the ids by the names that paths have for them. */
export async function insertOneOfEach(
  world: World,
  { account, key, rut, tag = 'x' }: Whose,
): Promise<Record<string, string>> {
  const empresa = await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Panadería Ñandú Ltda' } })
  const base = `/v1/empresas/${empresa.body.id}`
  await world.patch(`${base}/counterparties/76192083-9`, { key, body: { legal_name: 'Cliente SpA' } })
  const contact = await world.post(`${base}/counterparties/76192083-9/contacts`, { key, body: { email: 'a@b.cl' } })
  const events = await world.get('/v1/events', { key })
  const job = await world.db.sql<{ id: string }>`
    insert into job (id, name, type, account_id, mode, payload, due_at, run_at, max_attempts, created_at)
    values (${`job_${tag}`}, 'none', 'document_send', ${account}, 'test', '{}', '9999-01-01', '9999-01-01', 1, now()) returning id`
  await world.db.sql`
    insert into caf (account_id, empresa_id, mode, id, tipo_dte, ambiente, from_folio, to_folio, next_folio,
      authorised_on, key_id, source, sealed, created_at)
    values (${account}, ${empresa.body.id}, 'test', ${`caf_${tag}`}, 33, 'certificacion', 1, 9, 1, '2026-11-01', 900, 'sandbox', '',
      now())`
  const boleta = { tipo_dte: 39, items: [{ description: 'Pan', unit_price: 990 }] }
  const as = { key, empresa: rut, body: boleta, headers: { 'idempotency-key': 'one' } }
  const document = await world.post('/v1/documents', as)
  const preview = await world.post('/v1/documents/previews', as)
  const received = await world.post('/v1/test_helpers/received_documents', {
    key,
    empresa: rut,
    body: { document: { tipo_dte: 33, emisor: { rut: '76543210-3' }, items: boleta.items } },
  })
  await world.db.sql`
    insert into rcv_entry (account_id, empresa_id, mode, id, period, side, tipo_doc, folio, counterparty_rut, net, exempt,
      iva, iva_not_recoverable, iva_common_use, iva_fixed_assets, net_fixed_assets, other_taxes, total, characterized_by,
      other_columns, first_seen_at, changed_at, sii, content_hash)
    values (${account}, ${empresa.body.id}, 'test', ${`rcv_${tag}`}, '2026-10', 'purchase', 33, 1, '76192083-9', 0, 0, 0, 0, 0, 0, 0,
      '[]', 0, 'sii', '{}', now(), now(), '{"iva": 0, "iva_not_recoverable": 0, "iva_common_use": 0, "iva_fixed_assets": 0,
      "net_fixed_assets": 0}', 'x')`
  await world.post('/v1/tax/f29/proposals/2026-09/recompute', { key, empresa: rut, body: {} })
  await world.db.sql`
    insert into f29_filing (account_id, empresa_id, mode, id, period, proposal_version, codes, total, due_date, created_at)
    values (${account}, ${empresa.body.id}, 'test', ${`f29_${tag}`}, '2026-09', 1, '[]', 0, '2026-10-20', now())`
  const bank = { key, empresa: rut, body: { holder_type: 'business' } }
  const connection = await world.post('/v1/connections', bank)
  const cartola = { file: Buffer.from('Fecha;Detalle;Monto\n03/11/2026;Pago;1').toString('base64') }
  await world.post('/v1/tax/statements', { key, empresa: rut, body: cartola })
  const statements = await world.get('/v1/tax/statements', { key, empresa: rut })
  await world.db.sql`
    with moved as (
      insert into movement (account_id, empresa_id, mode, id, source_type, source_id, line_key, bank_account, post_date,
        amount, currency, description, created_at, changed_at)
      values (${account}, ${empresa.body.id}, 'test', ${`mov_${tag}`}, 'statement', 'stm_x', 'x', '1', '2026-09-03', -5, 'CLP',
        'Pago', now(), now()) returning *
    )
    insert into suggestion (account_id, empresa_id, mode, id, type, period, provider, movement_id, post_date, amount,
      currency, description, register_read, created_at)
    select account_id, empresa_id, mode, ${`sug_${tag}`}, 'emit_46', '2026-09', 'google', id, post_date, 5, currency, description,
      false, now() from moved`
  await world.db.sql`
    insert into agent_grant (id, account_id, mode, client_id, client_name, client_host, scopes, empresas, two_steps,
      created_at, expires_at)
    values (${`agr_${tag}`}, ${account}, 'test', 'cli_x', 'Agente', 'x.example', '{}', '{}', true, now(), now() + interval '1 day')`
  const spent = { date: '2025-11-03', description: 'Hosting', provider: { name: 'AWS' }, amount: 1 }
  const expense = await world.post('/v1/tax/expenses', { key, empresa: rut, body: spent })
  await world.db.sql`
    insert into reception_quarantine (account_id, empresa_id, mode, id, source, file_name, reason, message, raw,
      received_at)
    values (${account}, ${empresa.body.id}, 'test', ${`rcp_${tag}`}, 'mail', 'x.xml', 'not_xml', 'x', 'x', now())`
  await world.db.sql`
    insert into payment (account_id, empresa_id, mode, id, target_id, amount, paid_on, created_at)
    values (${account}, ${empresa.body.id}, 'test', ${`pay_${tag}`}, ${document.body.id}, 1, '2026-09-03', now())`
  await insertCertificate(world, empresa.body.id, `cert_${tag}`)
  await world.db.sql`
    insert into mandato (account_id, empresa_id, mode, id, status, terms_version, signer_rut, signer_name, signer_role, via,
      signed_at)
    values (${account}, ${empresa.body.id}, 'test', ${`man_${tag}`}, 'signed', 'x', '11111111-1', 'Persona',
      'representante_legal', 'api', now())`
  await world.db.sql`
    insert into evidence (account_id, empresa_id, mode, id, act, at, via)
    values (${account}, ${empresa.body.id}, 'test', ${`evd_${tag}`}, 'link_minted', now(), 'api')`
  const sample = { origin: 'set', case_id: null, tipo_dte: 33, folio: 1, cedible: false, without_logo: false }
  await world.db.sql`
    insert into certification_file (account_id, empresa_id, mode, id, step, kind, position, attempt, file_name, content, sample,
      status, created_at, changed_at)
    values (${account}, ${empresa.body.id}, 'test', ${`cfil_${tag}`}, 'muestras_impresas', 'sample', 0, 1, 'T33-F1.pdf', '%PDF',
      ${JSON.stringify({ ...sample, bytes: 4, sha256: 'a'.repeat(64) })}, 'printed', now(), now())`
  const credential = { rut: '11111111-1', password: 'secreta' }
  await world.post(`${base}/sfg_credential`, { key, body: credential })
  const keys = await world.get('/v1/api_keys', { key })
  const hook = await world.post('/v1/webhook_endpoints', { key, body: { url: 'http://127.0.0.1:1/timbre' } })
  const delivery = await world.post(`/v1/webhook_endpoints/${hook.body.id}/ping`, { key })
  return {
    empresa_id: empresa.body.id,
    step: 'clave_centralizado',
    counterparty_rut: '76192083-9',
    contact_id: contact.body.id,
    key_id: keys.body.data[0].id,
    event_id: events.body.data[0].id,
    job_id: job[0]?.id ?? '',
    caf_id: `caf_${tag}`,
    document_id: document.body.id,
    preview_id: preview.body.id,
    received_document_id: received.body.id,
    quarantined_file_id: `rcp_${tag}`,
    webhook_endpoint_id: hook.body.id,
    delivery_id: delivery.body.id,
    entry_id: `rcv_${tag}`,
    period: '2026-09',
    code: '520',
    file_id: `cfil_${tag}`,
    filing_id: `f29_${tag}`,
    statement_id: statements.body.data[0].id,
    connection_id: connection.body.id,
    movement_id: `mov_${tag}`,
    suggestion_id: `sug_${tag}`,
    expense_id: expense.body.id,
    payment_id: `pay_${tag}`,
    rut: '76192083-9',
    grant_id: `agr_${tag}`,
    account_id: account,
  }
}
