import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc } from '../../test/support/agent-grant.ts'
import { MASTER_KEY } from '../../test/support/master-key.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { openSessions } from '../domain/platform/account/session.ts'
import { revokeSlug } from '../domain/platform/agent-grant/revoke.ts'
import { oneKey } from '../kernel/vault.ts'

let world: World
let account: string

beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
})
afterAll(() => world.close())

const sessions = openSessions(oneKey(MASTER_KEY))
const post = (path: string) =>
  world.post(path, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, raw: '' })

describe('/agentes/{slug}', () => {
  it('200 shows what the agent may do, and opening it ends nothing', async () => {
    const { id, token } = await grantTo(world, account, { max_clp_per_day: 50_000, scopes: ['documents:read'] })
    const sent = await world.get(`/agentes/${revokeSlug(sessions, id)}`)
    expect(sent.status).toBe(200)
    for (const text of ['Asistente de prueba', 'Leer documentos e impuestos', '$ 50.000', 'modo de prueba']) {
      expect(sent.text).toContain(text)
    }
    expect(sent.headers['referrer-policy']).toBe('no-referrer')
    expect((await rpc(world, token, 'tools/list')).status).toBe(200)
  })

  it('200 tells every limit: tipos, receptores, and whether it asks before it acts', async () => {
    const { id } = await grantTo(world, account, { two_steps: false })
    const path = `/agentes/${revokeSlug(sessions, id)}`
    for (const text of ['todos', 'cualquiera']) expect((await world.get(path)).text).toContain(`<dd>${text}</dd>`)
    const ruts = Array.from({ length: 12 }, () => '76192083-9')
    await world.db.sql`update agent_grant set tipos = '{33,39}', receptores = ${ruts} where id = ${id}`
    const { text } = await world.get(path)
    expect(text).toContain('<dd>Factura electrónica; Boleta electrónica</dd>')
    expect(text).toContain('76192083-9 y 2 más</dd>')
    expect(text).toContain('<dt>Pregunta primero</dt><dd>solo antes de archivar una empresa, borrar una de prueba')
  })

  it('200 ends it with the button, for good', async () => {
    const { id, token } = await grantTo(world, account)
    const path = `/agentes/${revokeSlug(sessions, id)}`
    expect((await post(path)).status).toBe(200)
    expect((await rpc(world, token, 'tools/list')).status).toBe(401)
    expect((await post(path)).status).toBe(200)
    expect((await world.get(path)).text).toContain('se le quitó')
  })

  it('404 for an address that we did not write', async () => {
    const [mine, other] = [await grantTo(world, account), await grantTo(world, account)]
    const seal = revokeSlug(sessions, mine.id).split('.')[1]
    const strange = openSessions(oneKey(Buffer.alloc(32, 7)))
    for (const slug of ['x', `${other.id}.${seal}`, revokeSlug(strange, mine.id), `${mine.id}.`]) {
      expect([(await world.get(`/agentes/${slug}`)).status, (await post(`/agentes/${slug}`)).status]).toEqual([
        404, 404,
      ])
    }
    for (const { token } of [mine, other]) expect((await rpc(world, token, 'tools/list')).status).toBe(200)
  })
})
