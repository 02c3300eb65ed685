import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPE_NAMES } from '../src/catalog/scopes.ts'
import { namesEmpresa, type Operation } from '../src/domain/operation.ts'
import { currentTerms } from '../src/domain/platform/mandato/terms.ts'
import { type Database, openDatabase } from '../src/kernel/db.ts'
import type { ClaimedJob } from '../src/kernel/queue.ts'
import { isStreamed } from '../src/kernel/schema.ts'
import { OPERATIONS } from '../src/operations.ts'
import { IN_FULL } from './support/in-full.ts'
import { openInterrupter } from './support/interrupt.ts'
import { BOLETA, FACTURA } from './support/issuer.ts'
import { behind } from './support/lock-contention.ts'
import { insertOneOfEach } from './support/one-of-each.ts'
import { type SavedEmpresa, saveEmpresa } from './support/saved-empresa.ts'
import { settle } from './support/settle-document.ts'
import { OPERATOR_SECRET, openWorld, type Request, randomRut, type Sent, type World } from './support/world.ts'

// A DELETE of the empresa starts before each statement of each operation in turn, and of each job. It comes first, or it
// waits: either way nothing breaks, nobody waits in a circle, and nothing of the empresa is left.

const CARTOLA = { file: Buffer.from('Fecha;Detalle;Monto\n04/11/2026;Pago;2').toString('base64') }
const ADDRESS = { street: 'Huérfanos 1055', comuna: 'Santiago' }
const CESIONARIO = { rut: '78901234-2', legal_name: 'Factoring SpA', address: ADDRESS, email: 'a@factoring.cl' }
const PURCHASE = {
  tipo_doc: 33,
  folio: 9,
  counterparty_rut: '76192083-9',
  issue_date: '2026-09-10',
  net: 1000,
  iva: 190,
}

/** A body that each operation takes; one that is not here takes an empty one. */
const BODIES: Readonly<Record<string, object>> = {
  'automation_settings.update': { sync_rcv_daily: false },
  'branding.update': { footer_text: 'Gracias' },
  'certificate.upload': { reuse: 'cert_x' },
  'connections.create': { holder_type: 'business' },
  'connections.exchange': { exchange_token: 'sandbox_banco_prueba' },
  'counterparties.update': { legal_name: 'Otro nombre' },
  'counterparties.contacts.create': { email: 'c@d.cl' },
  'counterparties.contacts.update': { name: 'Ana' },
  'documents.create': FACTURA,
  'documents.previews.create': BOLETA,
  'documents.cede': { cesionario: CESIONARIO },
  'documents.credit_note': { reason: 'Anula' },
  'test_helpers.documents.estado': { status: 'accepted' },
  'empresas.update': { giro: 'Panadería', resolucion: { numero: 80, fecha: '2014-08-22' } },
  'tax.expenses.create': { date: '2026-11-02', description: 'Nube', provider: { name: 'Google' }, amount: 5 },
  'tax.f29.filings.create': { period: '2026-09' },
  'tax.f29.filings.outcome': { outcome: 'accepted', folio: '1' },
  'test_helpers.f29.proposals': { period: '2026-09', codes: [{ code: 520, amount: 5 }] },
  'test_helpers.f29.validations': { period: '2026-09', errors: [] },
  'mandato.record': {
    terms_version: currentTerms().version,
    signer: { rut: '11111111-1', name: 'Ana Soto', role: 'representante_legal' },
  },
  'folios.request': { tipo_dte: 33 },
  'cafs.upload': { caf: Buffer.from('<AUTORIZACION/>').toString('base64') },
  'tax.movements.match': { entry_id: 'rcv_x' },
  'tax.movements.merge': { into: 'mov_x' },
  'tax.purchases.characterize_many': { entries: [{ entry_id: 'rcv_x', tipo_compra: 1 }] },
  'tax.purchases.characterize': { tipo_compra: 1 },
  'tax.purchases.estado_contable': { estado_contable: 'PENDIENTE' },
  'test_helpers.rcv.seed': { period: '2026-09', purchases: [PURCHASE] },
  'received_documents.reject': { code: 'RCD' },
  'test_helpers.received_documents.create': {
    document: { tipo_dte: 33, emisor: { rut: '76543210-3' }, items: FACTURA.items },
  },
  'test_helpers.seed': { months: 1 },
  'tax.statements.create': CARTOLA,
  'tax.statements.preview': CARTOLA,
  'onboarding.certification.set_file': { file: 'QQ==' },
  'onboarding.certification.inputs': { inputs: [{ key: 'giro', value: 'Pan' }] },
  'onboarding.steps.take': { by: 'Ana Soto' },
  'onboarding.steps.automatic': { by: 'Ana Soto' },
  'onboarding.steps.look': { by: 'Ana Soto' },
  'onboarding.steps.restart': { by: 'Ana Soto' },
  'onboarding.steps.done': { by: 'Ana Soto' },
  'onboarding.steps.refuse': { by: 'Ana Soto', reason: 'Falta un dato.' },
  'test_helpers.onboarding.move_step': { step: 'mandato', status: 'completed' },
  'onboarding.links.create': { step: 'mandato' },
  'resolucion.verify': { confirm: true },
  'sfg_credential.store': { rut: '11111111-1', password: 'secreta' },
  'subscription.record': { status: 'active' },
}

const QUERIES: Readonly<Record<string, string>> = {
  'tax.summary.get': '?period=2026-09',
  'tax.purchases.list': '?period=2026-09',
  'tax.sales.list': '?period=2026-09',
}

const rut = randomRut()
const interrupter = openInterrupter()
let world: World
/** Beside the one under test, so that nothing it asks is taken for the service's. */
let beside: Database
let account: string
let key: string
let ids: Record<string, string>
let saved: SavedEmpresa

beforeAll(async () => {
  world = await openWorld({ runs_jobs: false, database: interrupter.database })
  beside = openDatabase(world.url, { pool_size: 2, onError: () => undefined })
  account = await world.account()
  key = await world.key(account, { scopes: SCOPE_NAMES })
  ids = await insertOneOfEach(world, { account, key, rut })
  await settle(world, ids.document_id ?? '')
  saved = await saveEmpresa(beside, ids.empresa_id ?? '')
})
afterAll(async () => {
  await world.close()
  await beside.end()
})

/** Whether the empresa is as it was saved. */
let is_whole = false

async function restore(): Promise<void> {
  if (is_whole) return
  await saved.restore()
  is_whole = true
  world.app.cache.invalidate(account)
}

function requestOf(operation: Operation): { path: string; request: Request } {
  const path = `/v1${operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '')}`
  const headers: Record<string, string> = {}
  if (operation.idempotent !== false) headers['idempotency-key'] = randomUUID()
  if (operation.reach === 'operator') headers['svc-operator-secret'] = OPERATOR_SECRET
  const request = {
    headers,
    ...(operation.reach === 'empresa' && { key }),
    ...(operation.reach === 'empresa' && !namesEmpresa(operation) && { empresa: rut }),
    ...(operation.body && { body: BODIES[operation.id] ?? {} }),
  }
  return { path: path + (QUERIES[operation.id] ?? ''), request }
}

function call(operation: Operation): Promise<Sent> {
  const { path, request } = requestOf(operation)
  if (operation.method !== 'GET') is_whole = false
  return world.call(operation.method, path, request)
}

async function waitsForLock(): Promise<boolean> {
  const [row] = await beside.sql<{ any: boolean }>`
    select exists (
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as any`
  return row?.any ?? false
}

/** Starts the deletion, and goes on once it ended or waits for someone. */
function deletion() {
  const state = { ended: false, sent: Promise.resolve<Sent | null>(null) }
  return {
    state,
    async start(): Promise<void> {
      is_whole = false
      state.sent = world.delete(`/v1/empresas/${ids.empresa_id}`, { key }).finally(() => {
        state.ended = true
      })
      // Most end within a few milliseconds; to look costs a statement.
      do await Promise.race([state.sent, sleep(10)])
      while (!state.ended && !(await waitsForLock()))
    },
  }
}

// Its credential and its empresa are looked up first, by the same two statements in every call.
const FIRST = 2

/** In the short form one statement of each call, not the same of all: the first, second, fourth or eighth, or the first. */
function* someMoments(turn: number): Generator<number> {
  yield FIRST + ([0, 1, 3, 7][turn % 4] ?? 0)
  yield FIRST
}

/** In the long form every statement. */
function* everyMoment(): Generator<number> {
  for (let nth = FIRST; ; nth += 1) yield nth
}

let turns = 0

/** Runs `work` with the deletion before one of its statements; in the long form again and again, before each of them. */
async function interrupted<T>(work: () => Promise<T>, check: (result: T, deleted: Sent) => void): Promise<void> {
  for (const nth of IN_FULL ? everyMoment() : someMoments(turns++)) {
    await restore()
    const { state, start } = deletion()
    const { result, happened } = await interrupter.at(nth, start, work)
    if (!happened && IN_FULL) return
    if (!happened) continue
    const deleted = (await state.sent) as Sent
    check(result, deleted)
    expect(await saved.remains(), `left behind at statement ${nth}`).toEqual([])
    if (!IN_FULL) return
  }
}

/** A file that is on its way when its empresa goes breaks off, so that nobody takes a part for the whole. */
function orBrokenOff(sent: Promise<Sent>): Promise<Sent> {
  return sent.catch((error: Error) => {
    if (error.message !== 'response destroyed before completion') throw error
    return { status: 404, headers: {}, body: null, text: '', bytes: Buffer.alloc(0) }
  })
}

const every = OPERATIONS.filter(({ reach }) => reach === 'empresa' || reach === 'operator')
/** Readings share one road, without a transaction: in the short form one in three of them is raced. */
const readings = every.filter(({ method }) => method === 'GET')
const raced = every.filter((one) => IN_FULL || one.method !== 'GET' || readings.indexOf(one) % 3 === 0)

describe('a call whose empresa is deleted meanwhile', () => {
  for (const operation of raced) {
    it(`${operation.id}: answers as ever or 404, and leaves nothing of the empresa`, async () => {
      await restore()
      const usual = await call(operation)
      expect(usual.status, usual.text).toBeLessThan(500)
      await interrupted(
        () => (isStreamed(operation.returns) ? orBrokenOff(call(operation)) : call(operation)),
        (sent, deleted) => {
          expect([usual.status, 404], sent.text).toContain(sent.status)
          expect(operation.deletes_empresa ? [204, 404] : [204], deleted.text).toContain(deleted.status)
        },
      )
    })
  }

  it('404 empresa_not_found for a write that was admitted before and comes to its transaction after', async () => {
    await restore()
    const write = OPERATIONS.find(({ id }) => id === 'counterparties.contacts.create') as Operation
    const sent = await behind(
      world,
      {
        hold: (sql) => sql`select 1 from empresa where id = ${ids.empresa_id} for update`,
        change: (sql) => sql`delete from empresa where id = ${ids.empresa_id}`,
      },
      () => call(write),
    )
    expect([sent.status, sent.body.error.code, sent.body.error.empresa]).toEqual([404, 'empresa_not_found', rut])
  })
})

interface QueuedJob extends ClaimedJob {
  readonly status: string
}

/** Starts a job as the worker of the world does when it claims it. */
async function claim(id: string): Promise<ClaimedJob> {
  is_whole = false
  const [job] = await beside.sql<QueuedJob>`
    update job set status = 'running', attempts = 1, worker = ${world.app.worker.id}, parked = false,
      lease_until = now() + interval '1 hour' where id = ${id} returning *`
  return { ...(job as QueuedJob), offset_ms: null, frozen_at: null }
}

/** Calls whose work goes on in a job. */
const ENQUEUE = [
  'documents.create',
  'folios.request',
  'tax.sync',
  'tax.purchases.characterize',
  'tax.statements.create',
  'tax.f29.filings.create',
  'connections.exchange',
  'test_helpers.received_documents.create',
]

describe('a job whose empresa is deleted meanwhile', () => {
  it('ends without a word, whatever statement it is at, and leaves nothing of the empresa', async () => {
    await restore()
    // The one of each noun was inserted by hand: no document can be stamped with it, and nothing is left to file.
    await beside.sql`delete from caf where empresa_id = ${ids.empresa_id}`
    await beside.sql`delete from f29_filing where empresa_id = ${ids.empresa_id}`
    for (const id of ENQUEUE) await call(raced.find((one) => one.id === id) as Operation)
    const queued = await beside.sql<{ id: string; name: string }>`
      select distinct on (name) id, name from job where empresa_id = ${ids.empresa_id} and status = 'queued'
      order by name, created_at desc`
    expect(queued.length).toBeGreaterThan(ENQUEUE.length - 1)
    saved = await saveEmpresa(beside, ids.empresa_id ?? '')
    world.log_lines.length = 0
    for (const { id } of queued) {
      await interrupted(
        async () => world.app.worker.perform([await claim(id)]),
        (_done, deleted) => expect(deleted.status, deleted.text).toBe(204),
      )
    }
    expect(world.log_lines.filter((line) => line.includes('job failed'))).toEqual([])
  })
})
