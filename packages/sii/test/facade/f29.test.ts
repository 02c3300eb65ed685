import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { F29_WRITE_METHODS, type SiiFailure, UNVERIFIED } from '../../src/index.ts'
import { COOKIE, loggedIn } from '../support/portal.ts'
import { openScriptedSii, openTestClient, type ScriptedSii } from '../support/scripted-sii.ts'
import { describeWithSamples, readSample } from '../support/shared.ts'

const sample = (name: string) => readSample(name).toString('utf8')

let sii: ScriptedSii

beforeAll(async () => {
  sii = await openScriptedSii()
})
afterAll(() => sii.close())
beforeEach(() => {
  sii.heard.length = 0
  sii.on('/CAutInicio.cgi', loggedIn())
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (failure: SiiFailure) => failure,
  )
const question = {
  user: { kind: 'clave' as const, rut: '76543210-3', clave: 'una-clave-larga' },
  ambiente: 'produccion' as const,
  rut: '76543210-3',
  period: '2026-08',
}
const last = () => JSON.parse(sii.heard.at(-1)?.body ?? 'null')

describe('a question about the F29', () => {
  it('goes in the session of the company, month and year apart and as text', async () => {
    sii.on('/getDeclaracionConEstados', '{"data":[],"metaData":{"errors":null}}')
    const { client } = openTestClient(sii)
    expect(await client.f29.declarations(question)).toEqual([])
    expect(sii.heard.at(-1)?.path).toBe(
      '/www4.sii.cl/propuestaf29ui/services/data/facadeAdapterService/getDeclaracionConEstados',
    )
    expect(last()).toMatchObject({
      metaData: {
        namespace: 'cl.sii.sdi.lob.iva.propuestaf29.data.api.interfaces.FacadeAdapterService/getDeclaracionConEstados',
        conversationId: COOKIE,
      },
      data: { rut: '76543210', dv: '3', formId: '2', mes: '08', anno: '2026' },
    })
    await client.close()
  })

  it('that nothing is known of is answered with nothing; one that lost its list raises the alarm', async () => {
    const method = '/getDeclaracionConCondicionesYTipoPropuesta'
    sii.on(method, '{"data":null,"metaData":{"errors":null}}', '{"data":{},"metaData":{"errors":null}}', '{"x":1}')
    const { client } = openTestClient(sii)
    expect(await client.f29.proposal(question)).toBeNull()
    expect(await failureOf(client.f29.proposal(question))).toMatchObject({ drift: 'listCodPropuestos' })
    expect(await failureOf(client.f29.proposal(question))).toMatchObject({ drift: 'metaData' })
    await client.close()
  })

  it('of PPM, of the open periods and of what is in force brings the data as it came', async () => {
    const reply = '{"data":{"cod115":"0.125"},"metaData":{"errors":null}}'
    for (const method of ['getTasaPPMO', 'getPeriodosF29', 'getDeclaracionVigente']) sii.on(`/${method}`, reply)
    const { client } = openTestClient(sii)
    expect(await client.f29.ppmRate(question)).toEqual({ cod115: '0.125' })
    expect(last().data).toMatchObject({ rutContribuyente: '76543210', categoriaTributaria: 1 })
    expect(await client.f29.periods(question)).toEqual({ cod115: '0.125' })
    expect(await client.f29.inForce(question)).toEqual({ cod115: '0.125' })
    expect(last().data).toEqual({ periodo: '202608' })
    await client.close()
  })

  it.each(F29_WRITE_METHODS)('never files: %s is refused without asking', (method) => {
    const { client } = openTestClient(sii)
    const act = () => client.f29.write(method, question)
    expect(act).toThrow(expect.objectContaining({ kind: 'refused', reason: 'unverified', glosa: UNVERIFIED.f29_write }))
    expect(sii.heard).toHaveLength(0)
  })
})

describeWithSamples('the samples of the F29', () => {
  it('are read as what they are', async () => {
    sii.on('/getDeclaracionConEstados', sample('responses/f29-estado.json'), sample('responses/f29-no-autorizado.json'))
    sii.on('/getDeclaracionConCondicionesYTipoPropuesta', sample('responses/f29-propuesta.json'))
    const { client } = openTestClient(sii)
    expect(await client.f29.declarations(question)).toEqual([
      {
        ...{ folio: '8123456789', estado_id: 1, estado: 'Vigente', state: 'in_force', amount: 6130840 },
        created_at: '20/01/2026 18:27:17',
      },
    ])
    expect(await failureOf(client.f29.declarations(question))).toMatchObject({
      kind: 'refused',
      reason: 'session_of_another_company',
      estado: '0',
      glosa: expect.stringContaining('RUT[76543210] no esta autorizado'),
    })
    const proposal = await client.f29.proposal(question)
    expect(proposal?.kind).toBe(40)
    expect(proposal?.codes).toContainEqual({ code: '115', value: '0.125' })
    expect(proposal?.codes).toHaveLength(10)
    await client.close()
  })
})
