import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc, useTool } from '../../test/support/agent-grant.ts'
import { type Issuer, openIssuer } from '../../test/support/issuer.ts'
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

describe('parameters that are none', () => {
  it('-32602 names the one at fault in one line, and repeats no code', async () => {
    const errorOf = async (method: string, params: object) => (await rpc(world, token, method, params)).body.error
    expect(await errorOf('resources/read', { uri: 5 })).toMatchObject({
      code: -32602,
      message: 'params.uri: Invalid input: expected string, received number',
    })
    expect(await errorOf('initialize', { protocolVersion: 5 })).toMatchObject({ code: -32602 })
    expect(await errorOf('tools/call', { name: 'nada' })).toEqual({ code: -32602, message: 'Unknown tool: nada' })
  })

  it('400 invalid_field for an object where text is due, which would be spelt like any other object', async () => {
    const args = { tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 990 }] }
    const paramOf = async (tool: string, more: object) => {
      const { error } = (await useTool(world, token, tool, more)).structuredContent
      return [error?.code, error?.param]
    }
    const own = { empresa_rut: issuer.rut, ...args }
    expect(await paramOf('documents_create', { ...own, idempotency_key: { a: 1 } })).toEqual([
      'invalid_field',
      'idempotency_key',
    ])
    expect(await paramOf('documents_create', { ...own, confirmation: {} })).toEqual(['invalid_field', 'confirmation'])
    expect(await paramOf('documents_list', { empresa_rut: [issuer.rut] })).toEqual(['invalid_field', 'empresa_rut'])
  })

  it('400 invalid_field for what the tool does not take: a confirmation where nothing is confirmed, __proto__', async () => {
    for (const stray of ['confirmation', 'idempotency_key', '__proto__']) {
      const args = JSON.parse(`{ "empresa_rut": "${issuer.rut}", "${stray}": "x" }`)
      const { error } = (await useTool(world, token, 'documents_list', args)).structuredContent
      expect([error?.code, error?.param]).toEqual(['invalid_field', stray])
    }
  })

  it('400 invalid_field for half a character in an id', async () => {
    const args = { empresa_rut: issuer.rut, document_id: 'doc_\ud800' }
    const { error } = (await useTool(world, token, 'documents_get', args)).structuredContent
    expect([error.code, error.param]).toEqual(['invalid_field', 'document_id'])
  })
})
