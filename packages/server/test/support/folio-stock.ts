// A world whose live SII grants folios, and empresas that draw them.

import { randomUUID } from 'node:crypto'
import type { CafOrder } from '@timbre/dte'
import { santiagoDate } from '@timbre/dte/values'
import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import { type DrawnFolio, drawFolios } from '../../src/domain/issuing/folio/draw.ts'
import type { JobContext } from '../../src/domain/job.ts'
import { REAL_TIME, systemNow } from '../../src/kernel/clock.ts'
import type { Sql } from '../../src/kernel/db.ts'
import type { EmpresaScope } from '../../src/kernel/scope.ts'
import { UnitOfWork } from '../../src/kernel/unit-of-work.ts'
import type { CafAnswer, CafRequest, Sii } from '../../src/ports/sii.ts'
import { defineJob } from './define-job.ts'
import { standInSii } from './stand-in-sii.ts'
import { openWorld, randomRut } from './world.ts'

const acts = new Map<string, (ctx: JobContext) => Promise<void>>()
const probe = defineJob<{ mark: string }>({
  name: 'probe.folio',
  async run(ctx, { mark }) {
    await acts.get(mark)?.(ctx)
    return 'done'
  },
})

/** The civil date in Santiago some days from today. */
export function day(offset: number): string {
  return santiagoDate(new Date(systemNow() + offset * 86_400_000))
}

type Order = Partial<CafOrder> & Pick<CafOrder, 'first_folio' | 'last_folio'>

/** A world whose live SII is a stand-in, able to do `more` than grant ranges, with a live account that pays nothing and empresas that emit. */
export async function openFolioWorld(more: Partial<Sii> = {}) {
  const standIn = standInSii()
  const live_sii = { answer: standIn.grant as (request: CafRequest) => Promise<CafAnswer> }
  const world = await openWorld({
    live_sii: { ...standIn.sii, ...more, requestCaf: (request) => live_sii.answer(request) },
    jobs: [probe],
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
    await world.db
      .sql`update empresa set emitting_since = now(), certified_tipos = doc_types, certificate_until = '2099-01-01' where id = ${made.body.id}`
    await world.patch(`/v1/empresas/${made.body.id}/automation_settings`, {
      key,
      body: { request_folios_when_low: false },
    })
    return { account_id, mode, empresa_id: made.body.id, rut }
  }

  const issue = (rut: string, order: Order) =>
    standIn.issue({ emisor_rut: rut, tipo_dte: 33, authorised_on: day(-14), ...order })

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
    { tipo_dte = 33, on = day(0), before_commit = async (_sql: Sql): Promise<unknown> => undefined } = {},
  ): Promise<DrawnFolio[]> {
    const { account_id, mode, empresa_id } = scope
    const unit = new UnitOfWork({ account_id, mode, empresa_id, clock: REAL_TIME })
    const drawn = await world.db.transact(async (sql) => {
      const tx = {
        sql,
        request_id: 'req_test',
        now: unit.now,
        emit: unit.emit.bind(unit),
        enqueue: unit.enqueue.bind(unit, sql),
      }
      const folios = await drawFolios(tx, scope, tipo_dte, count, on)
      await before_commit(sql)
      await unit.flush(sql)
      return folios
    })
    world.app.worker.wake()
    return drawn
  }

  /** Does something as a job of the empresa does. */
  async function inJob<T>(scope: EmpresaScope, work: (ctx: JobContext) => Promise<T>): Promise<T> {
    const mark = randomUUID()
    const unit = new UnitOfWork({ ...scope, clock: REAL_TIME })
    const ended = new Promise<T>((resolve, reject) => acts.set(mark, (ctx) => work(ctx).then(resolve, reject)))
    await world.db.transact(async (sql) => {
      await unit.enqueue(sql, probe, { payload: { mark } })
      await unit.flush(sql)
    })
    world.app.worker.wake()
    return ended
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
    inJob,
    keyOf,
    events,
    folios,
  }
}

export type FolioWorld = Awaited<ReturnType<typeof openFolioWorld>>
