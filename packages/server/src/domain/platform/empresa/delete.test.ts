import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, openIssuer } from '../../../../test/support/issuer.ts'
import { accepted } from '../../../../test/support/settle-document.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import type { Printer } from '../../../ports/printer.ts'

let world: World
let account: string
let key: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
})
afterAll(() => world.close())

async function make(by = key) {
  const body = { rut: randomRut(), legal_name: 'Ferretería Sur Ltda.', origen: 'ninguno' }
  return (await world.post('/v1/empresas', { key: by, body })).body
}

const TABLES = ['empresa', 'branding', 'automation_settings', 'test_clock', 'job']

async function rowsOf(id: string): Promise<number> {
  const counts = TABLES.map(
    (table) => `(select count(*) from ${table} where ${table === 'empresa' ? 'id' : 'empresa_id'} = $1)`,
  )
  const client = await world.db.connect()
  const { rows } = await client.query(`select ${counts.join(' + ')} as rows`, [id])
  await client.end()
  return Number(rows[0].rows)
}

describe('DELETE /v1/empresas/{empresa_id}', () => {
  it('204 deletes a sandbox empresa with everything under it and keeps its events', async () => {
    const empresa = await make()
    const under = `/v1/empresas/${empresa.id}`
    await world.patch(`${under}/branding`, { key, body: { footer_text: 'Gracias' } })
    await world.patch(`${under}/automation_settings`, { key, body: { sync_rcv_daily: false } })
    await world.db.sql`insert into test_clock (account_id, empresa_id) values (${account}, ${empresa.id})`
    await world.db.sql`
      insert into job (id, name, account_id, mode, empresa_id, payload, due_at, run_at, max_attempts, created_at)
      values (${`job_${empresa.id}`}, 'later', ${account}, 'test', ${empresa.id}, '{}', '2100-01-01', '2100-01-01', 1, now())`
    expect(await rowsOf(empresa.id)).toBe(TABLES.length)

    const sent = await world.delete(under, { key })
    expect(sent.status).toBe(204)
    expect(sent.text).toBe('')
    expect(await rowsOf(empresa.id)).toBe(0)
    expect((await world.get(under, { key })).status).toBe(404)
    const { body } = await world.get(`/v1/events?empresa_rut=${empresa.rut}`, { key })
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['empresa.deleted', 'empresa.created'])
    expect(body.data[0].data).toEqual({ object: empresa })
  })

  it('204 leaves no file of it, not even one that was being printed meanwhile', async () => {
    let duringPrint = async () => {}
    const printer: Omit<Printer, 'measureLogo'> = {
      async print() {
        await duringPrint()
        return Buffer.from('%PDF-1.4 %%EOF')
      },
      close: async () => undefined,
    }
    const own = await openWorld({ printer })
    const issuer = await openIssuer(own)
    const { id } = await accepted(own, issuer, FACTURA)
    const owner = await own.key(issuer.account, { scopes: ['empresas:write'] })
    duringPrint = async () => {
      expect((await own.delete(`/v1/empresas/${issuer.empresa_id}`, { key: owner })).status).toBe(204)
      const left = () => own.db.sql`select 1 from job where name = 'artifact.drop'`
      await expect.poll(left).toEqual([])
    }
    expect((await issuer.get(`/v1/documents/${id}/pdf`)).status).toBe(200)
    expect(await own.artifacts()).toEqual([])
    await own.close()
  })

  it('204 frees the RUT for any account', async () => {
    const empresa = await make()
    await world.delete(`/v1/empresas/${empresa.id}`, { key })
    const stranger = await world.key(await world.account())
    const body = { rut: empresa.rut, legal_name: 'Otra' }
    expect((await world.post('/v1/empresas', { key: stranger, body })).status).toBe(201)
  })

  it('204 deletes an archived one', async () => {
    const empresa = await make()
    await world.patch(`/v1/empresas/${empresa.id}`, { key, body: { status: 'archived' } })
    expect((await world.delete(`/v1/empresas/${empresa.id}`, { key })).status).toBe(204)
  })

  it('204 for one and 404 for the other when two delete it at once', async () => {
    const { id } = await make()
    const sent = await Promise.all([
      world.delete(`/v1/empresas/${id}`, { key }),
      world.delete(`/v1/empresas/${id}`, { key }),
    ])
    expect(sent.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  it('409 empresa_delete_not_allowed for a live empresa, which stays', async () => {
    const live = await world.key(account, { mode: 'live' })
    const empresa = await make(live)
    const refused = await world.delete(`/v1/empresas/${empresa.id}`, { key: live })
    expect(refused.status).toBe(409)
    expect(refused.body.error.code).toBe('empresa_delete_not_allowed')
    expect((await world.get(`/v1/empresas/${empresa.id}`, { key: live })).body).toEqual(empresa)
  })

  it('404 for another account and 403 outside the allowlist, and it stays', async () => {
    const empresa = await make()
    const stranger = await world.key(await world.account())
    const token = await world.key(account, { empresas: [randomRut()] })
    expect((await world.delete(`/v1/empresas/${empresa.id}`, { key: stranger })).status).toBe(404)
    expect((await world.delete(`/v1/empresas/${empresa.id}`, { key: token })).status).toBe(403)
    expect((await world.get(`/v1/empresas/${empresa.id}`, { key })).status).toBe(200)
  })
})
