import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkDigit, formatRut } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACTIVITIES_HEADER, ADDRESSES_HEADER, columns, NAMES_HEADER } from '../../../../test/support/nomina-file.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { loadNomina } from './load-nomina.ts'

const NAMES = `${NAMES_HEADER}
${columns(76543210)}\t125\tEMPRESA SINTETICA DE PRUEBA SPA\t01-03-2015\t
${columns(77123456)}\t118\tCLIENTE SINTETICO LIMITADA\t15-07-2001\t31-12-2022
`
const ACTIVITIES = `${ACTIVITIES_HEADER}
${columns(76543210)}\t11101\tCULTIVO DE TRIGO\t01-03-2015\tN\t1
${columns(76543210)}\t620200\tACTIVIDADES DE CONSULTORIA DE INFORMATICA Y DE GESTION DE INSTALACIONES INFORMATICAS\t01-05-2019\tS\t1
${columns(76543210)}\t620200\tACTIVIDADES DE CONSULTORIA DE INFORMATICA Y DE GESTION DE INSTALACIONES INFORMATICAS\t01-05-2021\tS\t1
${columns(76543210)}\t620100\tACTIVIDADES DE PROGRAMACION INFORMATICA\t01-05-2020\tS\t1
${columns(15999999)}\t620200\tDE UNA PERSONA NATURAL\t01-05-2019\tS\t2
`
const ADDRESSES = `${ADDRESSES_HEADER}
${columns(76543210)}\tN\t2022-03-01\tDOMICILIO\tVIEJA\t1\t\t\t\tSANTIAGO\tSANTIAGO\tXIII
${columns(76543210)}\tS\t2015-03-01\tDOMICILIO\tCALLE NUNOA\t123\t\t\t\tSANTIAGO\tSANTIAGO\tXIII REGION METROPOLITANA
${columns(77123456)}\tN\t2021-03-01\tDOMICILIO\tDEJADA\t9\t\t\t\tTALCA\tTALCA\tVII
${columns(76543210)}\tS\t2021-03-01\tSUCURSAL\tLEJOS\t9\t\t\t\tARICA\tARICA\tXV
`

let world: World
let empty: World
let key: string
beforeAll(async () => {
  world = await openWorld({ unlimited: false })
  empty = await openWorld()
  key = await world.key(await world.account())
  const folder = await mkdtemp(join(tmpdir(), 'timbre-nomina-'))
  const files = { 'n.txt': NAMES, 'a.txt': ACTIVITIES, 'd.txt': ADDRESSES }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const paths = Object.keys(files).map((name) => join(folder, name))
  await loadNomina(world.db, paths, { published_on: '2026-08-23' })
  await rm(folder, { recursive: true })
})
afterAll(() => Promise.all([world.close(), empty.close()]))

describe('GET /contribuyentes/{rut}', () => {
  it('200 shows the razón social, the activities, a giro that fits and where it comes from', async () => {
    const { status, body } = await world.get('/v1/contribuyentes/76543210-3', { key })
    expect(status).toBe(200)
    expect(body).toEqual({
      object: 'contribuyente',
      id: '76543210-3',
      rut: '76543210-3',
      legal_name: 'EMPRESA SINTETICA DE PRUEBA SPA',
      started_on: '2015-03-01',
      ended_on: null,
      activities: [
        {
          code: '620200',
          description: 'ACTIVIDADES DE CONSULTORIA DE INFORMATICA Y DE GESTION DE INSTALACIONES INFORMATICAS',
          started_on: '2019-05-01',
          affects_iva: true,
          category: '1',
        },
        {
          code: '620100',
          description: 'ACTIVIDADES DE PROGRAMACION INFORMATICA',
          started_on: '2020-05-01',
          affects_iva: true,
          category: '1',
        },
        {
          code: '011101',
          description: 'CULTIVO DE TRIGO',
          started_on: '2015-03-01',
          affects_iva: false,
          category: '1',
        },
      ],
      suggested_giro: 'Consultoría informática',
      basis: 'curated',
      address: {
        street: 'CALLE NUNOA 123',
        comuna: 'SANTIAGO',
        city: 'SANTIAGO',
        region: 'XIII REGION METROPOLITANA',
      },
      source: { published_at: '2026-08-23T04:00:00.000Z' },
    })
  })

  it('200 shows one that ended, without activities or an address in force, as just that', async () => {
    const { body } = await world.get('/v1/contribuyentes/77123456-9', { key })
    expect(body).toMatchObject({
      ended_on: '2022-12-31',
      activities: [],
      suggested_giro: null,
      basis: null,
      address: null,
    })
  })

  it.each([
    ['an unknown RUT', '76192083-9'],
    ['a natural person', formatRut({ number: 15_999_999, check_digit: checkDigit(15_999_999) })],
  ])('404 contribuyente_not_found for %s', async (_, rut) => {
    const missing = await world.get(`/v1/contribuyentes/${rut}`, { key })
    expect(missing.status).toBe(404)
    expect(missing.body.error.code).toBe('contribuyente_not_found')
  })

  it('503 contribuyentes_unavailable while nothing is loaded: its hint says who loads it, and no retry is due before a day', async () => {
    const other = await empty.key(await empty.account())
    const sent = await empty.get('/v1/contribuyentes/76543210-3', { key: other })
    expect(sent.status).toBe(503)
    expect(sent.body.error).toMatchObject({ code: 'contribuyentes_unavailable', retriable: true })
    expect(sent.headers['retry-after']).toBe(String(sent.body.error.retry_after_seconds))
    expect(sent.body.error.retry_after_seconds).toBeGreaterThanOrEqual(86_400)
    expect(sent.body.error.hint).toContain('Whoever operates the service loads it')
  })

  it('400 invalid_rut when the check digit is wrong', async () => {
    const refused = await world.get('/v1/contribuyentes/76543210-4', { key })
    expect(refused.body.error).toMatchObject({ code: 'invalid_rut', param: 'rut' })
  })

  it('400 empresa_header_forbidden, and 403 insufficient_scope without empresas:read', async () => {
    const path = '/v1/contribuyentes/76543210-3'
    const named = await world.get(path, { key, empresa: '76543210-3' })
    expect(named.body.error.code).toBe('empresa_header_forbidden')
    const other = await world.key(await world.account(), { scopes: ['documents:read'] })
    expect((await world.get(path, { key: other })).body.error.code).toBe('insufficient_scope')
  })

  it('429 rate_limited at the 121st of an account in a minute, whichever key asks', async () => {
    const account = await world.account()
    const keys = [await world.key(account), await world.key(account)]
    const ask = (i: number) => world.get('/v1/contribuyentes/76543210-3', { key: keys[i % 2] as string })
    for (let i = 0; i < 120; i++) expect((await ask(i)).status).toBe(200)
    const refused = await ask(120)
    expect(refused.status).toBe(429)
    expect(refused.body.error.code).toBe('rate_limited')
    expect(refused.headers['ratelimit-limit']).toBe('120')
  })
})
