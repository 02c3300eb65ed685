import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, useTool } from '../../test/support/agent-grant.ts'
import { openBanked } from '../../test/support/bank-connection.ts'
import { line, openBankWorld, tell } from '../../test/support/bank-movements.ts'
import { plainCartola } from '../../test/support/cartola-file.ts'
import { fillMonth, MONTH, openFitMonth, SUPPLIER } from '../../test/support/f29-month.ts'
import { FACTURA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { ended } from '../../test/support/rcv-register.ts'
import { accepted } from '../../test/support/settle-document.ts'
import type { World } from '../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openBankWorld()
})
afterAll(() => world.close())

/** Shows an act to a person and has it confirmed, by an agent of the account. */
async function stepper(issuer: Issuer, name: string, args: object) {
  const { token } = await grantTo(world, issuer.account)
  const call = (more: object = {}) => useTool(world, token, name, { ...args, ...more })
  const first = await call()
  expect(first.isError, JSON.stringify(first.structuredContent)).toBeUndefined()
  const { structuredContent: shown } = first
  expect(shown.confirmation_required).toBe(true)
  return { shown, confirm: () => call({ confirmation: shown.confirmation.token }) }
}

describe('what cannot be undone is shown first and done second', () => {
  it('a nota de crédito: once, however many confirm it at the same time', async () => {
    const issuer = await openIssuer(world)
    const document = await accepted(world, issuer, FACTURA)
    const args = { empresa_rut: issuer.rut, document_id: document.id }
    const { shown, confirm } = await stepper(issuer, 'documents_credit_note', args)
    expect(shown.message).toMatch(/^Se va a emitir una nota de crédito a «Pérez e Hijos Ltda\.» .*que anula/)
    expect(shown.preview).toMatchObject({ before: { id: document.id }, tipo_dte: 61, annuls: document.id })
    const answers = await Promise.all([confirm(), confirm(), confirm(), confirm()])
    const made = answers.filter(({ isError }) => !isError).map(({ structuredContent }) => structuredContent.id)
    expect(new Set(made).size).toBe(1)
    const codes = answers.filter(({ isError }) => isError).map(({ structuredContent }) => structuredContent.error.code)
    expect(codes).toEqual(codes.map(() => 'idempotency_in_progress'))
    expect((await issuer.get('/v1/documents?tipo_dte=61')).body.data).toHaveLength(1)
  })

  it('a cesión', async () => {
    const issuer = await openIssuer(world, { empresa: { contact_email: 'cobranza@example.cl' } })
    const document = await accepted(world, issuer, FACTURA)
    const cesionario = {
      rut: '78901234-2',
      legal_name: 'Factoring Ñuble S.A.',
      address: { street: 'Huérfanos 1055', comuna: 'Santiago' },
      email: 'operaciones@factoring.cl',
    }
    const args = { empresa_rut: issuer.rut, document_id: document.id, cesionario }
    const { shown, confirm } = await stepper(issuer, 'documents_cede', args)
    expect(shown.message).toContain('«Factoring Ñuble S.A.» (RUT 78.901.234-2)')
    expect((await issuer.get(`/v1/documents/${document.id}`)).body.cesion.status).toBeNull()
    expect((await confirm()).structuredContent).toMatchObject({ object: 'job', type: 'document_cesion' })
  })

  it('an F29, and 409 confirmation_outdated when its figures moved in between', async () => {
    const period = '2026-09'
    const issuer = await openFitMonth(world, period)
    const args = { empresa_rut: issuer.rut, period }
    const stale = await stepper(issuer, 'tax_f29_filings_create', args)
    expect(stale.shown.message).toContain(`el F29 de ${period}`)
    const late = { tipo_doc: 33, folio: 99, counterparty_rut: SUPPLIER, net: 1_000_000, iva: 190_000 }
    await fillMonth(issuer, period, { ...MONTH, purchases: [...MONTH.purchases, late] })
    expect((await stale.confirm()).structuredContent.error.code).toBe('confirmation_outdated')
    expect((await issuer.get('/v1/tax/f29/filings')).body.data).toEqual([])
    const { shown, confirm } = await stepper(issuer, 'tax_f29_filings_create', args)
    const { structuredContent: filed } = await confirm()
    expect(filed).toMatchObject({ object: 'f29_filing', period, total: shown.preview.total })
  })

  it('a factura de compra that was suggested', async () => {
    const issuer = await openIssuer(world)
    const description = 'GOOGLE *ADS 4829104 CC GOOGLE.COM'
    await tell(world, issuer, [line({ post_date: '2026-10-14', amount: -50_005, description })])
    const [suggestion] = (await issuer.get('/v1/tax/suggestions?status=open')).body.data
    const args = { empresa_rut: issuer.rut, suggestion_id: suggestion.id }
    const { shown, confirm } = await stepper(issuer, 'tax_suggestions_confirm', args)
    expect(shown.message).toContain('factura de compra (tipo 46) por el pago a')
    expect((await issuer.get('/v1/documents')).body.data).toEqual([])
    expect((await confirm()).structuredContent).toMatchObject({ id: suggestion.id, status: 'confirmed' })
    expect((await issuer.get('/v1/documents?tipo_dte=46')).body.data).toHaveLength(1)
  })

  it('a bank that is unlinked', async () => {
    const issuer = await openBanked(world)
    const connection_id = await issuer.linked()
    const args = { empresa_rut: issuer.rut, connection_id }
    const { confirm } = await stepper(issuer, 'connections_delete', args)
    expect((await issuer.show(connection_id)).status).toBe(200)
    expect((await confirm()).structuredContent).toEqual({ done: true })
    expect((await issuer.show(connection_id)).status).toBe(404)
  })

  it('a cartola that is undone', async () => {
    const issuer = await openIssuer(world)
    const file = plainCartola('03/11/2025;PAGO LUZ;45.000;').toString('base64')
    const asked = await issuer.post('/v1/tax/statements', { file })
    const { result } = await ended(world, issuer, asked.body.id)
    const args = { empresa_rut: issuer.rut, statement_id: result.statement_id }
    const { shown, confirm } = await stepper(issuer, 'tax_statements_delete', args)
    expect(shown.message).toContain('deshacer la carga de la cartola')
    expect((await issuer.get('/v1/tax/movements')).body.data).toHaveLength(1)
    expect((await confirm()).structuredContent).toEqual({ done: true })
    expect((await issuer.get('/v1/tax/movements')).body.data).toEqual([])
  })

  it('an empresa that is archived by a general update, and is not where it was changed meanwhile', async () => {
    const issuer = await openIssuer(world)
    const path = `/v1/empresas/${issuer.empresa_id}`
    const args = { empresa_id: issuer.empresa_id, status: 'archived' }
    const { shown, confirm } = await stepper(issuer, 'empresas_update', args)
    expect(shown.message).toMatch(/^Se va a archivar la empresa: .* No se puede deshacer\./)
    expect((await issuer.get(path)).body.status).toBe('active')
    const plain = await stepper(issuer, 'empresas_update', { empresa_id: issuer.empresa_id, giro: 'Pan' })
    expect((await plain.confirm()).structuredContent.giro).toBe('Pan')
    expect((await confirm()).structuredContent.error.code).toBe('confirmation_outdated')
    const again = await stepper(issuer, 'empresas_update', args)
    expect((await again.confirm()).structuredContent.status).toBe('archived')
  })

  it('what goes on when the agent is gone: a footer, what is done by itself, where answers go', async () => {
    const issuer = await openIssuer(world)
    const { empresa_id } = issuer
    const footer = { empresa_id, footer_text: 'Pague a la cuenta 123' }
    const first = await stepper(issuer, 'branding_update', footer)
    expect(first.shown.message).toContain('con este texto al pie: «Pague a la cuenta 123»')
    expect((await issuer.get(`/v1/empresas/${empresa_id}/branding`)).body.footer_text).toBeNull()
    expect((await first.confirm()).structuredContent.footer_text).toBe('Pague a la cuenta 123')
    const mails = { empresa_id, email_documents_on_acceptance: true }
    const second = await stepper(issuer, 'automation_settings_update', mails)
    expect(second.shown.message).toContain('enviar cada documento aceptado a los contactos del receptor: sí.')
    expect((await second.confirm()).structuredContent.email_documents_on_acceptance).toBe(true)
    const answers = { empresa_id, contact_email: 'agente@example.cl' }
    const third = await stepper(issuer, 'empresas_update', answers)
    expect(third.shown.message).toContain('llegan a «agente@example.cl»')
    expect((await third.confirm()).structuredContent.contact_email).toBe('agente@example.cl')
  })

  it('a contact that is deleted, and a letter to an address that the agent names', async () => {
    const issuer = await openIssuer(world)
    const contacts = `/v1/empresas/${issuer.empresa_id}/counterparties/76192083-9/contacts`
    const { id } = (await issuer.post(contacts, { email: 'bueno@example.cl' })).body
    const args = { empresa_id: issuer.empresa_id, counterparty_rut: '76192083-9', contact_id: id }
    const { confirm } = await stepper(issuer, 'counterparties_contacts_delete', args)
    expect((await issuer.get(contacts)).body.data).toHaveLength(1)
    expect((await confirm()).structuredContent).toEqual({ done: true })
    const document = await accepted(world, issuer, FACTURA)
    const to = { empresa_rut: issuer.rut, document_id: document.id, to: 'x@malo.example' }
    const letter = await stepper(issuer, 'documents_send', to)
    expect(letter.shown.message).toMatch(/^Se va a enviar el documento por correo a «x@malo\.example»\./)
    expect((await letter.confirm()).structuredContent).toMatchObject({ object: 'job' })
  })

  it('an empresa of the sandbox', async () => {
    const issuer = await openIssuer(world)
    const { empresa_id } = issuer
    const { shown, confirm } = await stepper(issuer, 'empresas_delete', { empresa_id })
    expect(shown.preview.before).toMatchObject({ id: empresa_id, rut: issuer.rut })
    expect((await confirm()).structuredContent).toEqual({ done: true })
    const key = await world.key(issuer.account)
    expect((await world.get(`/v1/empresas/${empresa_id}`, { key })).status).toBe(404)
  })
})

describe('an agent that asks who it is', () => {
  it('sees the account, and no key: it has none', async () => {
    const issuer = await openIssuer(world)
    const { token } = await grantTo(world, issuer.account, { empresas: [issuer.rut] })
    const { structuredContent } = await useTool(world, token, 'account_get')
    expect(structuredContent).toMatchObject({ id: issuer.account, key: null, empresas_total: 1 })
  })
})

describe('an empresa that is renamed between the two steps', () => {
  it('409 confirmation_outdated: its documents would carry a name that nobody was shown', async () => {
    const other = await openIssuer(world)
    const { token } = await grantTo(world, other.account)
    const items = [{ description: 'Café', quantity: 1, unit_price: 990 }]
    const args = { empresa_rut: other.rut, tipo_dte: 39, items }
    const { confirmation } = (await useTool(world, token, 'documents_create', args)).structuredContent
    const key = await world.key(other.account)
    await world.patch(`/v1/empresas/${other.empresa_id}`, { key, body: { legal_name: 'Otra SpA' } })
    const sent = await useTool(world, token, 'documents_create', { ...args, confirmation: confirmation.token })
    expect(sent.structuredContent.error.code).toBe('confirmation_outdated')
  })
})
