import { longDate, printedRut } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreeTo, grantTo, useTool } from '../../test/support/agent-grant.ts'
import { openBuyer } from '../../test/support/buyer.ts'
import { type Issuer, openIssuer, RECEPTOR } from '../../test/support/issuer.ts'
import { until } from '../../test/support/until.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let issuer: Issuer
let token: string

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  token = (await grantTo(world, issuer.account)).token
})
afterAll(() => world.close())

const ITEMS = [{ description: 'Café', quantity: 1, unit_price: 1990 }]
const boleta = (more: object = {}) => ({ empresa_rut: issuer.rut, tipo_dte: 39, items: ITEMS, ...more })
const create = (args: object, who = token) => useTool(world, who, 'documents_create', args)

async function issued(of: Issuer = issuer): Promise<number> {
  const [row] = await world.db.sql<{ many: number }>`
    select count(*)::int as many from document where empresa_id = ${of.empresa_id}`
  return row?.many ?? 0
}

const codeOf = ({ structuredContent }: { structuredContent: { error?: { code: string } } }) =>
  structuredContent.error?.code

describe('issuing by an agent', () => {
  it('first shows the priced document and what will happen, and issues nothing', async () => {
    const before = await issued()
    const { structuredContent: shown } = await create(boleta())
    expect(shown).toMatchObject({
      confirmation_required: true,
      empresa_rut: issuer.rut,
      preview: { object: 'document_preview', totals: { total: 1990 }, items: [{ amount: 1990 }] },
      confirmation: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(shown.message).toBe(
      `Se va a emitir: boleta electrónica por $ 1.990, con fecha ${longDate(shown.preview.issue_date)}. ` +
        'Después no se puede borrar: solo se corrige con una nota de crédito o de débito. ' +
        `Empresa: «Comercial Ñandú SpA» (RUT ${printedRut(issuer.rut)}).`,
    )
    expect(await issued()).toBe(before)
  })

  it('issues with the token of that answer, once, and gives the same answer again', async () => {
    const { confirmation } = (await create(boleta())).structuredContent
    const before = await issued()
    const done = await create(boleta({ confirmation: confirmation.token }))
    expect(done.structuredContent).toMatchObject({ object: 'document', status: 'queued', totals: { total: 1990 } })
    const again = await create(boleta({ confirmation: confirmation.token }))
    expect(again.structuredContent).toEqual(done.structuredContent)
    expect(again._meta).toMatchObject({ idempotent_replay: true })
    expect(await issued()).toBe(before + 1)
  })

  it('takes the same arguments in another order for the same', async () => {
    const { confirmation } = (await create(boleta())).structuredContent
    const args = { confirmation: confirmation.token, items: ITEMS, tipo_dte: 39, empresa_rut: issuer.rut }
    expect((await create(args)).structuredContent.object).toBe('document')
  })

  it('409 confirmation_mismatch when an argument was changed after the preview', async () => {
    const { confirmation } = (await create(boleta())).structuredContent
    const before = await issued()
    const items = [{ ...ITEMS[0], unit_price: 199_000 }]
    const sent = await create(boleta({ items, confirmation: confirmation.token }))
    expect([sent.isError, codeOf(sent)]).toEqual([true, 'confirmation_mismatch'])
    expect(sent.structuredContent.error.param).toBe('confirmation')
    expect(await issued()).toBe(before)
  })

  it('400 confirmation_invalid for the token of another grant, of another tool, and for what is none', async () => {
    const { confirmation } = (await create(boleta())).structuredContent
    const { token: other } = await grantTo(world, issuer.account)
    const before = await issued()
    expect(codeOf(await create(boleta({ confirmation: confirmation.token }), other))).toBe('confirmation_invalid')
    for (const none of ['cnf_AAAA', 'yes', `${confirmation.token}x`, '']) {
      expect(codeOf(await create(boleta({ confirmation: none })))).toBe('confirmation_invalid')
    }
    const deleting = { webhook_endpoint_id: 'whe_x', confirmation: confirmation.token }
    expect(codeOf(await useTool(world, token, 'webhook_endpoints_delete', deleting))).toBe('confirmation_invalid')
    expect(await issued()).toBe(before)
  })

  it('409 confirmation_mismatch for another idempotency_key: one consent never issues twice', async () => {
    const { confirmation } = (await create(boleta({ idempotency_key: 'k1' }))).structuredContent
    const before = await issued()
    const first = await create(boleta({ idempotency_key: 'k1', confirmation: confirmation.token }))
    expect(first.structuredContent.object).toBe('document')
    for (const more of [{ idempotency_key: 'k2' }, {}]) {
      expect(codeOf(await create(boleta({ ...more, confirmation: confirmation.token })))).toBe('confirmation_mismatch')
    }
    expect(await issued()).toBe(before + 1)
  })

  it('409 confirmation_outdated when what would be issued is no longer what was shown', async () => {
    const path = `/v1/empresas/${issuer.empresa_id}/counterparties/${RECEPTOR.rut}`
    const key = await world.key(issuer.account)
    const { legal_name, giro, address } = RECEPTOR
    await world.patch(path, { key, body: { legal_name, giro, address } })
    const factura = { empresa_rut: issuer.rut, tipo_dte: 33, items: ITEMS, receptor: { rut: RECEPTOR.rut } }
    const { confirmation, preview } = (await create(factura)).structuredContent
    expect(preview.receptor.address.street).toBe(address.street)
    await world.patch(path, { key, body: { address: { ...address, street: 'Otra Calle 1' } } })
    const before = await issued()
    expect(codeOf(await create({ ...factura, confirmation: confirmation.token }))).toBe('confirmation_outdated')
    expect(await issued()).toBe(before)
  })

  it('tells at the first step whatever stands in the way', async () => {
    const sent = await create({ empresa_rut: issuer.rut, tipo_dte: 33, items: ITEMS, receptor: { rut: '76192083-9' } })
    expect([sent.isError, codeOf(sent)]).toEqual([true, 'receptor_incomplete'])
  })

  it('agent_limit_exceeded at the first step, and again at the second when the day was spent in between', async () => {
    const { token: small } = await grantTo(world, issuer.account, { max_clp_per_document: 1000 })
    expect(codeOf(await create(boleta(), small))).toBe('agent_limit_exceeded')
    const { token: daily } = await grantTo(world, issuer.account, { max_clp_per_day: 3000 })
    const one = (await create(boleta(), daily)).structuredContent.confirmation.token
    const two = (await create(boleta(), daily)).structuredContent.confirmation.token
    const before = await issued()
    expect(codeOf(await create(boleta({ confirmation: one }), daily))).toBeUndefined()
    expect(codeOf(await create(boleta({ confirmation: two }), daily))).toBe('agent_limit_exceeded')
    expect(await issued()).toBe(before + 1)
  })

  it('400 idempotency_key_required in one step, where the grant waived the second', async () => {
    const { token: direct } = await grantTo(world, issuer.account, { two_steps: false })
    const bare = await create(boleta(), direct)
    expect([codeOf(bare), bare.structuredContent.error.param]).toEqual(['idempotency_key_required', 'idempotency_key'])
    const done = await create(boleta({ idempotency_key: 'una-boleta' }), direct)
    expect(done.structuredContent.status).toBe('queued')
    const again = await create(boleta({ idempotency_key: 'una-boleta' }), direct)
    expect(again.structuredContent.id).toBe(done.structuredContent.id)
  })
})

describe('a document with an e-mail of its own', () => {
  const mail = 'otra.persona@example.cl'
  const accepted = (id: string) =>
    until('the SII to take it', async () => (await issuer.get(`/v1/documents/${id}`)).body.status === 'accepted')

  it('is issued by an agent with the receptor and that address in what the person reads', async () => {
    const factura = { empresa_rut: issuer.rut, tipo_dte: 33, items: ITEMS, receptor: { ...RECEPTOR, email: mail } }
    const { message } = (await create(factura)).structuredContent
    expect(message).toContain(`a «${RECEPTOR.legal_name}» (RUT ${printedRut(RECEPTOR.rut)})`)
    expect(message).toContain(`Lleva el correo «${mail}», donde se puede enviar.`)
    const named = (await create(boleta({ receptor: { rut: RECEPTOR.rut } }))).structuredContent
    expect(named.message).toMatch(/^Se va a emitir: boleta electrónica a.* RUT 77\.123\.456-9/)
  })

  it('is mailed there in two steps by every road, as to an address that the agent names, and to a contact in one', async () => {
    const factura = { empresa_rut: issuer.rut, tipo_dte: 33, items: ITEMS, receptor: { ...RECEPTOR, email: mail } }
    const { id } = (await agreeTo(world, token, 'documents_create', factura)).structuredContent
    await accepted(id)
    const roads = [
      ['documents_send', { empresa_rut: issuer.rut, document_id: id }],
      ['operations_call', { operation: 'documents_send', arguments: { empresa_rut: issuer.rut, document_id: id } }],
      ['send_document', { empresa: issuer.rut, document: id }],
    ] as const
    for (const [tool, args] of roads) {
      const shown = (await useTool(world, token, tool, args)).structuredContent
      expect([tool, shown.confirmation_required]).toEqual([tool, true])
      expect(shown.message).toContain(`por correo a «${mail}», el correo que lleva el documento.`)
    }
    const contacts = `/v1/empresas/${issuer.empresa_id}/counterparties/${RECEPTOR.rut}/contacts`
    await issuer.post(contacts, { email: 'pagos@example.cl' })
    const plain = await issuer.create({ tipo_dte: 33, items: ITEMS, receptor: RECEPTOR })
    await accepted(plain.body.id)
    const sent = await useTool(world, token, 'documents_send', { empresa_rut: issuer.rut, document_id: plain.body.id })
    expect(sent.structuredContent).toMatchObject({ object: 'job' })
  })
})

describe('the clock of a confirmation', () => {
  it('409 confirmation_expired after ten minutes, unless it was used: then the same answer comes back', async () => {
    const own = await openIssuer(world)
    const { token: agent } = await grantTo(world, own.account)
    const args = { empresa_rut: own.rut, tipo_dte: 39, items: ITEMS }
    const one = (await create(args, agent)).structuredContent.confirmation.token
    const two = (await create(args, agent)).structuredContent.confirmation.token
    const done = await create({ ...args, confirmation: one }, agent)
    const advanced = await useTool(world, agent, 'test_helpers_clock_set', { advance: 'PT11M' })
    expect(advanced.isError).toBeUndefined()
    expect(codeOf(await create({ ...args, confirmation: two }, agent))).toBe('confirmation_expired')
    const late = await create({ ...args, confirmation: one }, agent)
    expect(late.structuredContent.id).toBe(done.structuredContent.id)
    expect(await issued(own)).toBe(1)
  })
})

describe('answering a supplier by an agent', () => {
  it('shows the document, says what follows, and answers the SII only when confirmed', async () => {
    const buyer = await openBuyer(world)
    const { token: clerk } = await grantTo(world, buyer.account)
    const arrived = await buyer.receive()
    const args = { empresa_rut: buyer.rut, received_document_id: arrived.body.id }
    const accept = (more: object = {}) => useTool(world, clerk, 'received_documents_accept', { ...args, ...more })
    const { structuredContent: shown } = await accept()
    expect(shown.preview.before).toMatchObject({ id: arrived.body.id, status: 'pending' })
    expect(shown.message).toMatch(
      /^Se va a aceptar ante el SII el documento tipo 33 .* Después ya no se puede reclamar\. Empresa: «.+» \(RUT [\d.]+-[\dK]\)\.$/,
    )
    expect((await buyer.get(`/v1/received_documents/${arrived.body.id}`)).body.status).toBe('pending')
    const { token: confirmation } = shown.confirmation
    const done = await accept({ confirmation })
    expect(done.structuredContent).toMatchObject({ id: arrived.body.id, status: 'accepted' })
    expect((await accept({ confirmation })).structuredContent).toEqual(done.structuredContent)
  })
})

describe('deleting by an agent', () => {
  it('shows what is deleted, and 409 confirmation_outdated when it changed in between', async () => {
    const key = await world.key(issuer.account)
    const made = await world.post('/v1/webhook_endpoints', { key, body: { url: 'https://example.cl/a' } })
    const args = { webhook_endpoint_id: made.body.id }
    const remove = (more: object = {}) => useTool(world, token, 'webhook_endpoints_delete', { ...args, ...more })
    const { preview, confirmation } = (await remove()).structuredContent
    expect(preview.before.url).toBe('https://example.cl/a')
    await world.patch(`/v1/webhook_endpoints/${made.body.id}`, { key, body: { url: 'https://example.cl/b' } })
    expect(codeOf(await remove({ confirmation: confirmation.token }))).toBe('confirmation_outdated')
    const fresh = (await remove()).structuredContent.confirmation.token
    expect((await remove({ confirmation: fresh })).structuredContent).toEqual({ done: true })
    expect((await world.get(`/v1/webhook_endpoints/${made.body.id}`, { key })).status).toBe(404)
  })
})
