import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from '../../../../test/support/nomina-file.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import type { Cache } from '../../../kernel/cache.ts'
import { openSteps } from '../../../kernel/in-step.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { loadNomina } from '../contribuyente/load-nomina.ts'
import { NOMINA } from '../contribuyente/sql.ts'
import { onAcceptance } from './on-acceptance.ts'
import { findOnAcceptance } from './store.ts'

const OFF = { mails: false, exchanges: false, matches_movements: false }

let world: World
let account: string
let key: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
})
afterAll(() => world.close())

async function make(): Promise<EmpresaScope> {
  const rut = randomRut()
  const { body } = await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Taller Dos' } })
  return { account_id: account, empresa_id: body.id, mode: 'test', rut }
}
const turn = ({ empresa_id }: EmpresaScope, body: object) =>
  world.patch(`/v1/empresas/${empresa_id}/automation_settings`, { key, body })
const known = (scope: EmpresaScope) => onAcceptance({ sql: world.db.sql, cache: world.app.cache }, scope)

describe('what is done by itself with a document that is accepted', () => {
  it('follows a switch from the moment its change is answered, though it was known before', async () => {
    const scope = await make()
    expect(await known(scope)).toEqual(OFF)
    await turn(scope, { email_documents_on_acceptance: true, apply_movement_matches: true })
    expect(await known(scope)).toEqual({ mails: true, exchanges: false, matches_movements: true })
    await turn(scope, { email_documents_on_acceptance: false })
    expect(await known(scope)).toEqual({ ...OFF, matches_movements: true })
  })

  it('is what each empresa chose, in their order, where several ask at once', async () => {
    const scopes = [await make(), await make(), await make()]
    await turn(scopes[1] as EmpresaScope, { email_documents_on_acceptance: true })
    const sql = openSteps(world.db.sql)(world.db.sql)
    const answers = await Promise.all(scopes.map((scope) => findOnAcceptance(sql, scope)))
    expect(answers).toEqual([OFF, { ...OFF, mails: true }, OFF])
  })

  it('is asked for again once a list of mailboxes was loaded: from then on documents are exchanged', async () => {
    const scope = await make()
    const folder = await openFolder()
    const line = await world.db.connect()
    await line.query('listen timbre_invalidated')
    const told: unknown[] = []
    line.on('notification', ({ payload }) => void told.push(payload))
    const list =
      'RUT;RAZON SOCIAL;NUMERO RESOLUCION;FECHA RESOLUCION;MAIL INTERCAMBIO;URL\n76543210-3;UNO;80;22-08-2014;dte@uno.cl;\n'
    await loadNomina(world.db, [await folder.put('ce_empresas_dwnld.csv', Buffer.from(list))], {
      published_on: '2026-08-23',
    })
    // Announcements come in the order of their commits.
    await world.db.sql`select pg_notify('timbre_invalidated', 'the last')`
    await expect.poll(() => told, { timeout: 60_000 }).toContain('the last')
    expect(told).toContain(NOMINA)
    await line.end()
    await folder.remove()
    const ids: string[] = []
    const cache: Pick<Cache, 'get'> = {
      async get(_, load, idsOf) {
        const value = await load()
        if (value !== null) ids.push(...idsOf(value))
        return value
      },
    }
    expect(await onAcceptance({ sql: world.db.sql, cache }, scope)).toEqual({ ...OFF, exchanges: true })
    expect(ids).toContain(NOMINA)
  })
})
