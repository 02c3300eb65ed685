import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { behind } from '../../../../test/support/lock-contention.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import type { Sql } from '../../../kernel/db.ts'

let world: World
let account: string
let key: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
})
afterAll(() => world.close())

async function make(more: object = {}, by = key) {
  const body = { rut: randomRut(), legal_name: 'Ferretería Sur Ltda.', origen: 'ninguno', ...more }
  return (await world.post('/v1/empresas', { key: by, body })).body
}
const patch = (id: string, body: object, by = key) => world.patch(`/v1/empresas/${id}`, { key: by, body })

async function eventsOf(rut: string, by = key): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { body } = await world.get(`/v1/events?empresa_rut=${rut}`, { key: by })
  return body.data.filter(({ type }: { type: string }) => type !== 'empresa.created')
}

describe('PATCH /v1/empresas/{empresa_id}', () => {
  it('200 changes what was sent, leaves the rest and tells what it used to be', async () => {
    const before = await make({ giro: 'Ferretería', address: { street: 'Calle 1', comuna: 'Arica' } })
    const sent = await patch(before.id, { legal_name: 'Ferretería Norte Ltda.', address: { street: 'Calle 2' } })
    expect(sent.status).toBe(200)
    const address = { street: 'Calle 2', comuna: 'Arica', city: null }
    expect(sent.body).toEqual({ ...before, legal_name: 'Ferretería Norte Ltda.', address })
    const events = await eventsOf(before.rut)
    expect(events).toHaveLength(1)
    expect(events[0]?.type).toBe('empresa.updated')
    expect(events[0]?.data).toEqual({
      object: sent.body,
      previous_attributes: { legal_name: before.legal_name, address: before.address },
    })
  })

  it('200 takes every field of the contract', async () => {
    const before = await make()
    const sent = {
      giro: 'Pan',
      acteco: [107100],
      contact_email: 'x@y.cl',
      origen: 'gratuito',
      codigo_sucursal: '12',
      doc_types: [33, 39],
      emission_channel: 'sfg',
      certification_track: 'mercado',
      resolucion_boletas: { fecha: '2021-03-01' },
    }
    expect((await patch(before.id, sent)).body).toMatchObject({ ...sent, capabilities: { tipos: [33, 39] } })
  })

  it('200 clears with null what may be empty', async () => {
    const before = await make({
      giro: 'Pan',
      contact_email: 'x@y.cl',
      codigo_sucursal: '12',
      certification_track: 'mercado',
      address: { street: 'Calle 1', comuna: 'Arica' },
      resolucion_boletas: { fecha: '2021-03-01' },
    })
    const cleared = { giro: null, contact_email: null, codigo_sucursal: null, certification_track: null }
    const { body } = await patch(before.id, { ...cleared, address: null, resolucion_boletas: null })
    expect(body).toMatchObject({
      ...cleared,
      address: { street: null, comuna: null, city: null },
      resolucion_boletas: null,
    })
  })

  it('200 tells nothing when nothing changed', async () => {
    const before = await make({ giro: 'Pan', resolucion: { numero: 80, fecha: '2014-08-22' } })
    const same = { giro: 'Pan', status: 'active', resolucion: { numero: 80, fecha: '2014-08-22' } }
    expect((await patch(before.id, {})).body).toEqual(before)
    expect((await patch(before.id, same)).body).toEqual(before)
    expect(await eventsOf(before.rut)).toEqual([])
  })

  it('200 keeps both of two changes made at once', async () => {
    const { id } = await make()
    const other = {
      hold: (sql: Sql) => sql`select 1 from empresa where id = ${id} for update`,
      change: (sql: Sql) => sql`update empresa set giro = 'Pan' where id = ${id}`,
    }
    const { body } = await behind(world, other, () => patch(id, { contact_email: 'x@y.cl' }))
    expect(body).toMatchObject({ giro: 'Pan', contact_email: 'x@y.cl' })
  })

  it('200 declares a resolución, and another one in its place', async () => {
    const before = await make()
    const first = await patch(before.id, { resolucion: { numero: 80, fecha: '2014-08-22' } })
    expect(first.body.resolucion).toMatchObject({ numero: 80, verification_status: 'pending_verification' })
    const second = await patch(before.id, { resolucion: { numero: 99, fecha: '2014-10-21' } })
    expect(second.body.resolucion).toMatchObject({ numero: 99, verification_status: 'pending_verification' })
    expect(await eventsOf(before.rut)).toMatchObject([
      { type: 'empresa.updated', data: { previous_attributes: { resolucion: first.body.resolucion } } },
      { type: 'empresa.updated', data: { previous_attributes: { resolucion: null } } },
    ])
  })

  it('200 archives for good: it cannot emit and refuses every change', async () => {
    const before = await make()
    const archived = await patch(before.id, { status: 'archived' })
    expect(archived.body).toEqual({
      ...before,
      status: 'archived',
      onboarding: { ...before.onboarding, status: 'suspended' },
      capabilities: { can_emit: false, tipos: [], blocked_by: 'archived', next: null },
    })
    expect(await eventsOf(before.rut)).toMatchObject([
      {
        type: 'empresa.archived',
        data: { previous_attributes: { status: 'active', capabilities: before.capabilities } },
      },
    ])
    for (const body of [{ giro: 'Pan' }, { status: 'active' }, { status: 'archived' }]) {
      const refused = await patch(before.id, body)
      expect(refused.status).toBe(403)
      expect(refused.body.error).toMatchObject({ code: 'empresa_inactive', retriable: false })
    }
    expect((await world.get(`/v1/empresas/${before.id}`, { key })).body).toEqual(archived.body)
  })

  it('200 changes and archives in one call, and tells both in that order', async () => {
    const before = await make()
    await patch(before.id, { giro: 'Pan', status: 'archived' })
    expect((await eventsOf(before.rut)).map(({ type }) => type)).toEqual(['empresa.archived', 'empresa.updated'])
  })

  it('403 empresa_inactive for the second of two that archive at once', async () => {
    const { id, rut } = await make()
    const sent = await Promise.all([patch(id, { status: 'archived' }), patch(id, { status: 'archived' })])
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await eventsOf(rut)).toHaveLength(1)
  })

  it('422 field_not_writable names ambiente, whatever its value', async () => {
    const { id } = await make()
    for (const ambiente of ['produccion', 'certificacion', null, 7]) {
      const refused = await patch(id, { ambiente })
      expect(refused.status).toBe(422)
      expect(refused.body.error).toMatchObject({ code: 'field_not_writable', param: 'ambiente' })
    }
  })

  it('422 tipo_not_available_for_channel for tipo 46 on sfg, from either side', async () => {
    const mercado = await make()
    const sfg = await make({ emission_channel: 'sfg' })
    for (const refused of [
      await patch(mercado.id, { emission_channel: 'sfg' }),
      await patch(sfg.id, { doc_types: [46] }),
    ]) {
      expect(refused.status).toBe(422)
      expect(refused.body.error).toMatchObject({ code: 'tipo_not_available_for_channel', param: 'doc_types' })
    }
    expect((await patch(mercado.id, { emission_channel: 'sfg', doc_types: [33] })).status).toBe(200)
  })

  const cases: readonly (readonly [title: string, body: object, param: string])[] = [
    ['the rut, which never changes', { rut: '76192083-9' }, 'rut'],
    ['a blank legal_name', { legal_name: ' ' }, 'legal_name'],
    ['a legal_name of null', { legal_name: null }, 'legal_name'],
    ['a giro outside ISO-8859-1', { giro: 'Pan 🥖' }, 'giro'],
    ['no tipo at all', { doc_types: [] }, 'doc_types'],
    ['a tipo that is not issued here', { doc_types: [112] }, 'doc_types'],
    ['an unknown activity', { acteco: [1] }, 'acteco'],
    ['a branch code that starts with zero', { codigo_sucursal: '01' }, 'codigo_sucursal'],
    ['an unknown channel', { emission_channel: null }, 'emission_channel'],
    ['a status only a mandato brings', { status: 'suspended' }, 'status'],
    ['a resolución of null: a claim is replaced, not withdrawn', { resolucion: null }, 'resolucion'],
    ['a day that never was', { resolucion: { numero: 1, fecha: '2024-13-01' } }, 'resolucion.fecha'],
    ['a day to come', { resolucion_boletas: { fecha: '2049-01-01' } }, 'resolucion_boletas.fecha'],
    ['a misspelt field', { legalname: 'x' }, 'legalname'],
  ]
  for (const [title, body, param] of cases) {
    it(`400 names ${param} for ${title}`, async () => {
      const refused = await patch((await make()).id, body)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatchObject({ code: 'invalid_field', param })
    })
  }

  it('404 for another account, 403 outside the allowlist, and nothing changes', async () => {
    const before = await make()
    const stranger = await world.key(await world.account())
    const token = await world.key(account, { empresas: [randomRut()] })
    expect((await patch(before.id, { giro: 'x' }, stranger)).body.error.code).toBe('empresa_not_found')
    expect((await patch(before.id, { giro: 'x' }, token)).body.error.code).toBe('empresa_not_allowed')
    expect((await world.get(`/v1/empresas/${before.id}`, { key })).body).toEqual(before)
  })

  it('200 changes a live empresa too, which stays in certification', async () => {
    const live = await world.key(account, { mode: 'live' })
    const before = await make({}, live)
    const { body } = await patch(before.id, { doc_types: [33, 39] }, live)
    expect(body).toMatchObject({ doc_types: [33, 39], ambiente: 'certificacion', capabilities: { tipos: [] } })
  })
})

describe('PATCH /dashboard/empresas/{empresa_id}', () => {
  it('200 lets a session change doc_types and certification_track', async () => {
    const before = await make()
    const session = await world.session(account)
    const body = { doc_types: [33], certification_track: 'mercado' }
    const sent = await world.patch(`/dashboard/empresas/${before.id}`, { session, mode: 'test', body })
    expect(sent.status).toBe(200)
    expect(sent.body).toMatchObject(body)
  })

  it('400 invalid_field names any other field', async () => {
    const before = await make()
    const session = await world.session(account)
    for (const field of ['legal_name', 'status', 'ambiente', 'resolucion']) {
      const request = { session, mode: 'test', body: { [field]: 'archived' } }
      const refused = await world.patch(`/v1/dashboard/empresas/${before.id}`, request)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatchObject({ code: 'invalid_field', param: field })
    }
  })
})
