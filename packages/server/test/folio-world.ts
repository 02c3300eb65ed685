import type { CafOrder } from '@timbre/dte'
import { SCOPE_NAMES } from '../src/catalog/scopes.ts'
import { REAL_TIME } from '../src/kernel/clock.ts'
import type { EmpresaScope } from '../src/kernel/context.ts'
import type { Sql } from '../src/kernel/db.ts'
import { Unit } from '../src/kernel/unit.ts'
import { type DrawnFolio, drawFolios } from '../src/modules/folio/draw.ts'
import type { CafAnswer, CafRequest } from '../src/ports/sii.ts'
import { standInSii } from './stand-in-sii.ts'
import { openWorld, randomRut, type World } from './world.ts'

type Order = Partial<CafOrder> & Pick<CafOrder, 'first_folio' | 'last_folio'>

/** A world whose live SII is a stand-in, with a live account that pays nothing and empresas that emit. */
export async function openFolioWorld() {
  const standIn = standInSii()
  const live_sii = { answer: standIn.grant as (request: CafRequest) => Promise<CafAnswer> }
  const world = await openWorld({
    live_sii: { ...standIn.sii, requestCaf: (request) => live_sii.answer(request) },
  })
  const account_id = await world.account({ plan: 'house' })
  const live = await world.key(account_id, { mode: 'live', scopes: SCOPE_NAMES })
  const test = await world.key(account_id, { scopes: SCOPE_NAMES })

  /** A live empresa at the end of its onboarding, or a sandbox one. */
  async function empresa(options: { mode?: 'test' | 'live'; body?: object } = {}): Promise<EmpresaScope> {
    const { mode = 'live', body = {} } = options
    const rut = randomRut()
    const key = mode === 'live' ? live : test
    const made = await world.post('/v1/empresas', {
      key,
      body: { rut, legal_name: 'Viña Maule S.A.', origen: 'mercado', doc_types: [33, 34, 39, 61], ...body },
    })
    await world.db.sql`update empresa set onboarding_status = 'emitting' where id = ${made.body.id}`
    await world.patch(`/v1/empresas/${made.body.id}/automation_settings`, {
      key,
      body: { request_folios_when_low: false },
    })
    return { account_id, mode, empresa_id: made.body.id, rut }
  }

  const issue = (rut: string, order: Order) =>
    standIn.issue({ emisor_rut: rut, tipo_dte: 33, authorised_on: '2026-11-01', ...order })

  const upload = (scope: EmpresaScope, file: Uint8Array) =>
    world.post('/v1/cafs', {
      key: scope.mode === 'live' ? live : test,
      empresa: scope.rut,
      body: { caf: Buffer.from(file).toString('base64') },
    })

  /** Brings a range in by the front door; its id. */
  async function grant(scope: EmpresaScope, order: Order): Promise<string> {
    const sent = await upload(scope, issue(scope.rut, order))
    if (sent.status !== 201) throw new Error(sent.text)
    return sent.body.id
  }

  /** Draws as an emission does: in a transaction of its own, with its events and its jobs. */
  async function draw(
    scope: EmpresaScope,
    count: number,
    { tipo_dte = 33, on = '2026-11-15', then = async (_sql: Sql): Promise<unknown> => undefined } = {},
  ): Promise<DrawnFolio[]> {
    const { account_id, mode, empresa_id } = scope
    const unit = new Unit({ account_id, mode, empresa_id, clock: REAL_TIME })
    const drawn = await world.db.transact(async (sql) => {
      const tx = {
        sql,
        request_id: 'req_test',
        now: unit.now,
        emit: unit.emit.bind(unit),
        enqueue: unit.enqueue.bind(unit, sql),
      }
      const folios = await drawFolios(tx, scope, tipo_dte, count, on)
      await then(sql)
      await unit.flush(sql)
      return folios
    })
    world.app.worker.wake()
    return drawn
  }

  const keyOf = (scope: EmpresaScope) => (scope.mode === 'live' ? live : test)

  async function events(scope: EmpresaScope, type: string) {
    const sent = await world.get(`/v1/events?type=${type}&empresa_rut=${scope.rut}&limit=100`, { key: keyOf(scope) })
    return sent.body.data
  }

  /** The row of one tipo as GET /folios shows it. */
  async function folios(scope: EmpresaScope, tipo_dte = 33) {
    const sent = await world.get(`/v1/folios?tipo_dte=${tipo_dte}`, { key: keyOf(scope), empresa: scope.rut })
    return sent.body.data[0]
  }

  return {
    world,
    account_id,
    live,
    test,
    live_sii,
    standIn,
    empresa,
    issue,
    upload,
    grant,
    draw,
    keyOf,
    events,
    folios,
  }
}

export type FolioWorld = Awaited<ReturnType<typeof openFolioWorld>>
