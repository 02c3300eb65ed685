import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc } from '../../test/support/agent-grant.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { ERROR_CODES } from '../catalog/errors.ts'
import { PROMPTS } from '../pages/agent-prompts.ts'
import { openToolbox } from './toolbox.ts'

let world: World
let token: string

beforeAll(async () => {
  world = await openWorld()
  token = (await grantTo(world, await world.account(), { scopes: ['documents:read'] })).token
})
afterAll(() => world.close())

const read = async (uri: string) => (await rpc(world, token, 'resources/read', { uri })).body

describe('the resources', () => {
  it('can all be read, each as the type it was listed with', async () => {
    const { resources } = (await rpc(world, token, 'resources/list')).body.result
    expect(resources.length).toBeGreaterThan(8)
    for (const { uri, mimeType } of resources) {
      const [content] = (await read(uri)).result.contents
      expect([content.uri, content.mimeType]).toEqual([uri, mimeType])
      if (mimeType === 'application/json') JSON.parse(content.text)
      else expect(content.text).toMatch(/^# /)
    }
  })

  it('hold the reference data that the service itself reads', async () => {
    const [tipos] = (await read('timbre://reference/tipos_dte')).result.contents
    expect(JSON.parse(tipos.text)).toContainEqual(expect.objectContaining({ tipo_dte: 39, name: 'Boleta electrónica' }))
    const [codes] = (await read('timbre://reference/error_codes')).result.contents
    expect(JSON.parse(codes.text).map(({ code }: { code: string }) => code)).toEqual(ERROR_CODES)
  })

  it('explain one error code by its template, and give a guide by its name', async () => {
    const { resourceTemplates } = (await rpc(world, token, 'resources/templates/list')).body.result
    expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual([
      'timbre://errors/{code}',
      'http://timbre.test/docs/guides/{name}.md',
      'timbre://documents/{id}/{file}{?empresa}',
      'timbre://received_documents/{id}/{file}{?empresa}',
    ])
    expect((await read('timbre://errors/rate_limited')).result.contents[0].text).toContain('# `rate_limited`')
    expect((await read('http://timbre.test/docs/guides/agents.md')).result.contents[0].text).toMatch(/^# /)
  })

  it('are not there by another name, whatever it looks like', async () => {
    for (const uri of [
      'timbre://reference/secrets',
      'timbre://errors/x',
      'file:///etc/passwd',
      'http://timbre.test/../x',
    ]) {
      expect((await read(uri)).error.code).toBe(-32002)
    }
  })
})

describe('the prompts', () => {
  it('are listed with their arguments and filled with what the person said', async () => {
    const { prompts } = (await rpc(world, token, 'prompts/list')).body.result
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual([
      'emitir_boleta',
      'cerrar_mes',
      'responder_proveedores',
    ])
    const params = { name: 'emitir_boleta', arguments: { detalle: '2 cafés a $1.990', empresa_rut: '76192083-9' } }
    const { messages } = (await rpc(world, token, 'prompts/get', params)).body.result
    expect(messages[0].content.text).toContain('de la empresa 76192083-9 por lo siguiente: 2 cafés a $1.990.')
  })

  it('refuse to be filled without what they need, and by a name nobody knows', async () => {
    const missing = await rpc(world, token, 'prompts/get', { name: 'cerrar_mes', arguments: { periodo: ' ' } })
    expect(missing.body.error.code).toBe(-32602)
    expect((await rpc(world, token, 'prompts/get', { name: 'pagar_todo' })).body.error.code).toBe(-32602)
  })

  it('name only tools that exist', () => {
    const toolbox = openToolbox(world.operations)
    const given = { detalle: 'x', periodo: '2026-01', proveedor: '1-9', cliente: 'y', empresa_rut: '1-9' }
    for (const { text } of PROMPTS) {
      const named =
        text(given)
          .match(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g)
          ?.filter((word) => word !== 'deadline_at') ?? []
      expect(named.length).toBeGreaterThan(0)
      for (const name of named) expect(toolbox.find(name), name).toBeDefined()
    }
  })
})
