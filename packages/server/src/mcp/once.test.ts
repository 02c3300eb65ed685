import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, useTool } from '../../test/support/agent-grant.ts'
import { FACTURA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { accepted } from '../../test/support/settle-document.ts'
import { openWorld, type World } from '../../test/support/world.ts'

const RUT = '76192083-9'

let world: World
let issuer: Issuer
let key: string
let agent: string

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  key = await world.key(issuer.account)
  agent = (await grantTo(world, issuer.account)).token
})
afterAll(() => world.close())

interface Replayed {
  readonly tool: string
  readonly args: object
  /** What the owner does once the agent has acted, so that all is as it was when the agent asked. */
  readonly takeBack: () => Promise<unknown>
  /** What shows whether the act was done again. */
  readonly look: () => Promise<unknown>
}

/** Confirms an act, has the owner take it back, and sends the same token again. */
async function replay({ tool, args, takeBack, look }: Replayed) {
  const call = (more: object = {}) => useTool(world, agent, tool, { ...args, ...more })
  const shown = (await call()).structuredContent
  const confirmation = shown.confirmation?.token
  expect(confirmation, JSON.stringify(shown)).toBeDefined()
  const done = await call({ confirmation })
  expect(done.isError, JSON.stringify(done.structuredContent)).toBeUndefined()
  await takeBack()
  const kept = await look()
  const again = await call({ confirmation })
  expect(again.structuredContent).toEqual(done.structuredContent)
  expect(await look()).toEqual(kept)
}

/** A change of fields by the agent, and by the owner back to what they were. */
function change(tool: string, args: object, path: string, set: object, was: object): Replayed {
  return {
    tool,
    args: { ...args, ...set },
    takeBack: async () => expect((await world.patch(path, { key, body: was })).status).toBe(200),
    look: async () => (await world.get(path, { key })).body,
  }
}

describe('a confirmation works once: sent again it gives the same answer, and what the owner did since stays', () => {
  it('of a change of what an empresa is, mails or prints', async () => {
    const { empresa_id } = issuer
    const path = `/v1/empresas/${empresa_id}`
    const { giro } = (await world.get(path, { key })).body
    await replay(change('empresas_update', { empresa_id }, path, { giro: 'Agente' }, { giro }))
    const automation = `${path}/automation_settings`
    const [off, on] = [{ sync_rcv_daily: false }, { sync_rcv_daily: true }]
    await replay(change('automation_settings_update', { empresa_id }, automation, off, on))
    const [theirs, ours] = [{ footer_text: 'Agente' }, { footer_text: 'Dueño' }]
    await replay(change('branding_update', { empresa_id }, `${path}/branding`, theirs, ours))
  })

  it('of a change of a counterparty and of where its documents go', async () => {
    const path = `/v1/empresas/${issuer.empresa_id}/counterparties/${RUT}`
    const args = { empresa_id: issuer.empresa_id, counterparty_rut: RUT }
    const [theirs, ours] = [{ legal_name: 'Agente' }, { legal_name: 'Dueño' }]
    await replay(change('counterparties_update', args, path, theirs, ours))
    const { id } = (await world.post(`${path}/contacts`, { key, body: { email: 'c@cliente.cl', name: 'C' } })).body
    const contact = { ...args, contact_id: id }
    await replay({
      ...change('counterparties_contacts_update', contact, `${path}/contacts/${id}`, { name: 'A' }, { name: 'C' }),
      look: async () => (await world.get(`${path}/contacts`, { key })).body.data,
    })
  })

  it('of a webhook endpoint that is disabled, and of one that is deleted', async () => {
    const made = await world.post('/v1/webhook_endpoints', { key, body: { url: 'https://example.cl/a' } })
    const args = { webhook_endpoint_id: made.body.id }
    const path = `/v1/webhook_endpoints/${made.body.id}`
    const [off, on] = [{ status: 'disabled' }, { status: 'enabled' }]
    await replay(change('webhook_endpoints_update', args, path, off, on))
    const look = async () => (await world.get(path, { key })).status
    await replay({ tool: 'webhook_endpoints_delete', args, takeBack: async () => undefined, look })
  })

  it('of public links that are revoked: one made since goes on', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const path = `/v1/documents/${document.id}/public_links`
    const takeBack = async () => expect((await issuer.post(path, {})).status).toBe(201)
    await takeBack()
    const args = { empresa_rut: issuer.rut, document_id: document.id }
    const look = async () => {
      const [open] = await world.db.sql<{ many: number }>`
        select count(*) as many from public_link where empresa_id = ${issuer.empresa_id} and revoked_at is null`
      return open?.many
    }
    await replay({ tool: 'documents_public_links_delete', args, takeBack, look })
    expect(await look()).toBe(1)
  })
})
