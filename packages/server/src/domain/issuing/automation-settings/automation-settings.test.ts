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

async function make(by = key, more: object = {}): Promise<string> {
  const body = { rut: randomRut(), legal_name: 'Taller Dos', ...more }
  return (await world.post('/v1/empresas', { key: by, body })).body.id
}
const at = (id: string) => `/v1/empresas/${id}/automation_settings`
const patch = (id: string, body: object, by = key) => world.patch(at(id), { key: by, body })

const DEFAULTS = {
  email_documents_on_acceptance: false,
  exchange_documents_on_acceptance: true,
  request_folios_when_low: true,
  sync_rcv_daily: true,
  apply_characterization_suggestions: false,
  apply_movement_matches: false,
}

describe('automation settings', () => {
  it('200 shows the defaults before anybody decided', async () => {
    const id = await make()
    const sent = await world.get(at(id), { key })
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({ object: 'automation_settings', id, ...DEFAULTS, updated_at: null })
  })

  it('200 turns each switch and leaves the others', async () => {
    const id = await make()
    const chosen: Record<string, boolean> = { ...DEFAULTS }
    for (const [name, value] of Object.entries(DEFAULTS)) {
      chosen[name] = !value
      const { body } = await patch(id, { [name]: !value })
      expect(body).toMatchObject(chosen)
      expect((await world.get(at(id), { key })).body).toEqual(body)
    }
  })

  it('200 keeps both of two changes made at once', async () => {
    const id = await make()
    await patch(id, { apply_characterization_suggestions: true })
    const other = {
      hold: (sql: Sql) => sql`select 1 from automation_settings where empresa_id = ${id} for update`,
      change: (sql: Sql) => sql`update automation_settings set sync_rcv_daily = false where empresa_id = ${id}`,
    }
    await behind(world, other, () => patch(id, { email_documents_on_acceptance: true }))
    const { body } = await world.get(at(id), { key })
    expect(body).toMatchObject({ sync_rcv_daily: false, email_documents_on_acceptance: true })
  })

  it('200 leaves updated_at alone when nothing changed', async () => {
    const id = await make()
    expect((await patch(id, { sync_rcv_daily: true })).body.updated_at).toBeNull()
    const { updated_at } = (await patch(id, { sync_rcv_daily: false })).body
    expect(updated_at).not.toBeNull()
    expect((await patch(id, { sync_rcv_daily: false })).body.updated_at).toBe(updated_at)
  })

  it('200 in live mode too', async () => {
    const live = await world.key(account, { mode: 'live' })
    const id = await make(live, { origen: 'ninguno' })
    expect((await patch(id, { sync_rcv_daily: false }, live)).body.sync_rcv_daily).toBe(false)
  })

  it('400 invalid_field names a switch that is not a boolean and one that does not exist', async () => {
    const id = await make()
    for (const body of [{ sync_rcv_daily: 'no' }, { sync_rcv_daily: null }, { sync_rcv: true }]) {
      const refused = await patch(id, body)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatchObject({ code: 'invalid_field', param: Object.keys(body)[0] })
    }
  })

  it('403 empresa_inactive once it is archived', async () => {
    const id = await make()
    await world.patch(`/v1/empresas/${id}`, { key, body: { status: 'archived' } })
    expect((await patch(id, { sync_rcv_daily: false })).body.error.code).toBe('empresa_inactive')
  })

  it('404 for another account and 403 outside the allowlist', async () => {
    const id = await make()
    const stranger = await world.key(await world.account())
    const token = await world.key(account, { empresas: [randomRut()] })
    expect((await world.get(at(id), { key: stranger })).body.error.code).toBe('empresa_not_found')
    expect((await patch(id, { sync_rcv_daily: false }, stranger)).body.error.code).toBe('empresa_not_found')
    expect((await patch(id, { sync_rcv_daily: false }, token)).body.error.code).toBe('empresa_not_allowed')
  })
})
