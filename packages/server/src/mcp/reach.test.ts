import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc, useTool } from '../../test/support/agent-grant.ts'
import { BOLETA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { BUCKETS } from '../catalog/limits.ts'

let world: World
let issuer: Issuer

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

/** The three ways to one act: the tool of its operation, the operation by its name, and the task. */
const WAYS: readonly (readonly [string, (given: object) => readonly [string, object]])[] = [
  ['its tool', (given) => ['documents_create', given]],
  ['operations_call', (given) => ['operations_call', { operation: 'documents_create', arguments: given }]],
  ['the task', (given) => ['issue_document', given]],
]
const issued = async () => (await issuer.get('/v1/documents')).body.data.length
const errorOf = async (token: string, [tool, given]: readonly [string, object]) =>
  (await useTool(world, token, tool, given)).structuredContent.error

describe.each(WAYS)('issuing by %s', (_name, way) => {
  it('is refused without its scope, by HTTP and in the result', async () => {
    const { token } = await grantTo(world, issuer.account, { scopes: ['documents:read'] })
    const [name, given] = way(BOLETA)
    const sent = await rpc(world, token, 'tools/call', { name, arguments: given })
    expect([sent.status, sent.body.result.structuredContent.error.code]).toEqual([403, 'insufficient_scope'])
    expect(sent.headers['www-authenticate']).toContain('documents:write')
  })

  it('does nothing at the first step, and at the second what was shown, once', async () => {
    const { token } = await grantTo(world, issuer.account)
    const before = await issued()
    const [tool, given] = way(BOLETA)
    const shown = (await useTool(world, token, tool, given)).structuredContent
    expect(shown).toMatchObject({ confirmation_required: true, message: expect.stringContaining('1.990') })
    expect(await issued()).toBe(before)
    const [, confirmed] = way({ ...BOLETA, confirmation: shown.confirmation.token })
    const done = [await useTool(world, token, tool, confirmed), await useTool(world, token, tool, confirmed)]
    const ids = done.map(({ structuredContent }) => structuredContent.id)
    expect(ids[0]).toMatch(/^doc_/)
    expect(ids[1]).toBe(ids[0])
    expect(await issued()).toBe(before + 1)
  })

  it('409 confirmation_mismatch when an argument changed, 400 confirmation_invalid for the token of another grant', async () => {
    const { token } = await grantTo(world, issuer.account)
    const [tool, given] = way(BOLETA)
    const { confirmation } = (await useTool(world, token, tool, given)).structuredContent
    const dearer = { ...BOLETA, items: [{ description: 'Café', quantity: 2, unit_price: 1990 }] }
    const changed = await errorOf(token, way({ ...dearer, confirmation: confirmation.token }))
    expect(changed.code).toBe('confirmation_mismatch')
    const { token: another } = await grantTo(world, issuer.account)
    const stolen = await errorOf(another, way({ ...BOLETA, confirmation: confirmation.token }))
    expect(stolen.code).toBe('confirmation_invalid')
  })

  it('agent_limit_exceeded above the caps of the grant, in two steps and in one', async () => {
    const before = await issued()
    const two = await grantTo(world, issuer.account, { max_clp_per_document: 1000 })
    expect((await errorOf(two.token, way(BOLETA))).code).toBe('agent_limit_exceeded')
    const one = await grantTo(world, issuer.account, { max_clp_per_day: 1000, two_steps: false })
    const refused = await errorOf(one.token, way({ ...BOLETA, idempotency_key: `cap-${_name}` }))
    expect(refused.code).toBe('agent_limit_exceeded')
    expect(await issued()).toBe(before)
  })

  it('idempotency_key_required without two steps and without a key', async () => {
    const { token } = await grantTo(world, issuer.account, { two_steps: false })
    expect((await errorOf(token, way(BOLETA))).code).toBe('idempotency_key_required')
  })

  it('403 empresa_not_allowed beyond the empresas of the grant, 401 once it was revoked', async () => {
    const other = await openIssuer(world, { account: (await openIssuer(world)).account })
    const { token, id } = await grantTo(world, other.account, { empresas: [other.rut] })
    const stranger = await openIssuer(world, { account: other.account })
    expect((await errorOf(token, way({ ...BOLETA, empresa: stranger.rut }))).code).toBe('empresa_not_allowed')
    await world.db.sql`update agent_grant set revoked_at = now() where id = ${id}`
    world.app.cache.invalidate(id)
    const [name, given] = way(BOLETA)
    expect((await rpc(world, token, 'tools/call', { name, arguments: given })).status).toBe(401)
  })

  it('counts against the rate of issuing, and says so', async () => {
    const { token } = await grantTo(world, issuer.account)
    const [name, given] = way(BOLETA)
    const { headers } = await rpc(world, token, 'tools/call', { name, arguments: given })
    expect(headers['ratelimit-limit']).toBe(String(BUCKETS['documents.create'].max))
    expect(Number(headers['ratelimit-remaining'])).toBeLessThan(BUCKETS['documents.create'].max)
  })
})

describe('operations by name', () => {
  it('are found in Spanish and in English, within the scopes of the caller alone', async () => {
    const { token } = await grantTo(world, issuer.account)
    const found = async (who: string, query: string) => {
      const { found: rows } = (await useTool(world, who, 'operations_search', { query })).structuredContent
      return rows.map(({ operation }: { operation: string }) => operation) as string[]
    }
    expect((await found(token, 'subir una cartola del banco'))[0]).toBe('tax_statements_create')
    expect(await found(token, 'ceder una factura al factoring')).toContain('documents_cede')
    expect(await found(token, 'list webhook endpoints')).toContain('webhook_endpoints_list')
    const { token: reader } = await grantTo(world, issuer.account, { scopes: ['documents:read'] })
    expect(await found(reader, 'ceder una factura al factoring')).not.toContain('documents_cede')
    expect(await found(token, 'zzzz')).toEqual([])
  })

  it('are described with their arguments, and refused where they are none or beyond the scopes', async () => {
    const { token } = await grantTo(world, issuer.account, { scopes: ['documents:read'] })
    const told = await useTool(world, token, 'operations_describe', { operation: 'documents.pdf' })
    expect(told.structuredContent).toMatchObject({
      operation: 'documents_pdf',
      arguments: { required: ['document_id'] },
    })
    for (const tool of ['operations_describe', 'operations_call']) {
      const beyond = { name: tool, arguments: { operation: 'documents_create' } }
      const { status, headers, body } = await rpc(world, token, 'tools/call', beyond)
      const { error } = body.result.structuredContent
      expect([tool, status, error.code]).toEqual([tool, 403, 'insufficient_scope'])
      expect(error.details).toEqual({ scope: 'documents:write' })
      expect(headers['www-authenticate']).toContain('scope="documents:read documents:write"')
      for (const operation of ['api_keys_create', 'webhook_endpoints_rotate_secret', 'nada']) {
        const { error } = (await useTool(world, token, tool, { operation })).structuredContent
        expect([error.code, error.param], `${tool} ${operation}`).toEqual(['invalid_field', 'operation'])
      }
    }
  })

  it('answer without what is empty, and in full when asked', async () => {
    const { token } = await grantTo(world, issuer.account)
    const call = (more: object) => useTool(world, token, 'operations_call', { operation: 'empresas_get', ...more })
    const full = (await call({ detail: 'full' })).structuredContent
    expect(full.mode).toBe('test')
    const brief = (await call({})).structuredContent
    expect(brief.rut).toBe(full.rut)
    expect(Object.values(brief)).not.toContain(null)
    expect(brief.mode).toBeUndefined()
  })

  it('400 invalid_field for an argument that was sent twice, and for one that the operation does not know', async () => {
    const { token } = await grantTo(world, issuer.account)
    const given = { operation: 'documents_create', arguments: { ...BOLETA, confirmation: 'a' }, confirmation: 'b' }
    const { error } = (await useTool(world, token, 'operations_call', given)).structuredContent
    expect([error.code, error.param]).toEqual(['invalid_field', 'confirmation'])
    const odd = { operation: 'documents_list', arguments: { estado: 'x' } }
    const { error: unknown } = (await useTool(world, token, 'operations_call', odd)).structuredContent
    expect([unknown.code, unknown.param]).toEqual(['invalid_field', 'estado'])
  })
})

describe('an answer', () => {
  it('is told once, as text, unless the address asks for structure', async () => {
    const { token } = await grantTo(world, issuer.account)
    const call = { name: 'empresas_get', arguments: {} }
    const plain = (await rpc(world, token, 'tools/call', call, '/mcp')).body.result
    expect(Object.keys(plain)).toEqual(['content'])
    expect(JSON.parse(plain.content[0].text).rut).toBe(issuer.rut)
    const refused = (
      await rpc(world, token, 'tools/call', { name: 'documents_get', arguments: { document_id: 'doc_x' } }, '/mcp')
    ).body
    expect(refused.result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    // What HTTP calls by its route is called by its tool.
    expect(refused.result.content[0].text).toContain('`documents_list`')
    expect(refused.result.content[0].text).not.toContain('GET /')
  })

  it('comes from all toolsets that are asked for, together or one by one', async () => {
    const { token } = await grantTo(world, issuer.account)
    const names = async (query: string) =>
      (await rpc(world, token, 'tools/list', {}, `/mcp?${query}`)).body.result.tools.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('toolsets=tax&toolsets=documents')).toEqual(await names('toolsets=tax,documents'))
  })

  it('400 for a toolset that is none', async () => {
    const { token } = await grantTo(world, issuer.account)
    const sent = await rpc(world, token, 'tools/list', {}, '/mcp?toolsets=impuestos')
    expect([sent.status, sent.body.error.code]).toEqual([400, -32600])
  })
})
