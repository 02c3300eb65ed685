import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { asked } from './asked.ts'
import { callerOf } from './call.ts'
import { fallBehind, type Grown, grow } from './growth-rows.ts'
import { built, openService, type Service } from './service.ts'

// What people and programs ask most, of a service with ten thousand documents and of one with a million (GROWTH_ROWS, ten
// million too). Both stand side by side and are asked in turn, so that whatever else the machine does falls on both.
const SHORT = Number(process.env.GROWTH_FROM ?? 10_000)
const LONG = Number(process.env.GROWTH_ROWS ?? 1_000_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 1_000)
const WARM = 100
const MOST = 2.0
/** How deep a page lies that was reached by cursors. */
const DEEP_PAGES = 40

type Ask = (round: number) => Promise<void>

const BODY = {
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
  },
  items: [{ description: 'Resma de papel carta', quantity: 2, unit_price: 2500 }],
}

/** What is asked over HTTP: every answer must be what it claims to be. */
async function requests(service: Service, grown: Grown): Promise<[string, Ask][]> {
  const call = callerOf(service)
  const of_account = { authorization: `Bearer ${service.secret}`, 'content-type': 'application/json' }
  const own = { ...of_account, 'svc-empresa': service.rut }
  const get = (path: string, rows: number): Ask => {
    return async () => {
      const { text } = await call('GET', path, undefined, path.startsWith('/v1/events') ? of_account : own)
      const { data } = JSON.parse(text) as { data?: unknown[] }
      if (data === undefined || data.length < rows) throw new Error(`${path}: ${text.slice(0, 300)}`)
    }
  }
  let deep = '/v1/documents?limit=100'
  for (let page = 0; page < DEEP_PAGES; page++) {
    const { next_cursor } = JSON.parse((await call('GET', deep)).text)
    deep = `/v1/documents?limit=100&cursor=${next_cursor}`
  }
  const post: Ask = async (round) => {
    const { text } = await call('POST', '/v1/documents', BODY, { ...own, 'idempotency-key': `growth-${round}` })
    if (!text.startsWith('{"object":"document"')) throw new Error(text)
  }
  const one: Ask = async () => {
    const { text } = await call('GET', `/v1/documents/${grown.document_id}`)
    if (!text.startsWith('{"object":"document"')) throw new Error(text)
  }
  return [
    ['GET /documents', get('/v1/documents', 20)],
    ['GET /documents, 4,000 documents deep', get(deep, 90)],
    ['GET /documents?status=rejected', get('/v1/documents?status=rejected', 20)],
    ['GET /documents?status=queued, none', get('/v1/documents?status=queued', 0)],
    ['GET /documents?tipo_dte=33', get('/v1/documents?tipo_dte=33', 20)],
    ['GET /documents?receptor_rut', get('/v1/documents?receptor_rut=70000000-1', 20)],
    ['GET /documents?tipo_dte=33&folio', get(`/v1/documents?tipo_dte=33&folio=${grown.folio}`, 1)],
    ['GET /documents?folio', get(`/v1/documents?folio=${grown.folio}`, 1)],
    ['GET /documents?external_id', get(`/v1/documents?external_id=${grown.external_id}`, 1)],
    ['GET /documents?created_at[lte] the middle', get(`/v1/documents?created_at[lte]=${grown.middle_at}`, 20)],
    ['GET /documents/{id}', one],
    ['GET /events', get('/v1/events', 20)],
    ['GET /events?type=', get('/v1/events?type=document.accepted', 20)],
    ['GET /events?after= the last', get(`/v1/events?after=${grown.last_event}`, 0)],
    ['GET /events?after= the middle', get(`/v1/events?after=${grown.middle_event}&limit=100`, 100)],
    ['POST /documents', post],
  ]
}

// One job at a time, as one is queued before each claim: a backlog is then as long at the end as it was at the beginning. A
// larger claim would empty the short queue before anything is measured, and go on to take its fill of the long one.
const CLAIM = {
  worker: 'bench',
  pool: 'work' as const,
  after: '',
  accounts: 1,
  places: 1,
  room: 16,
  turns: [],
  busy: [],
  capacities: new Map<string, number>(),
  batches: new Map<string, number>(),
}

/** Folios and the queue, as emission asks for them. */
function statements({ db, account_id, empresa_id, rut }: Service): [string, Ask][] {
  const scope = { account_id, empresa_id, rut, mode: 'test' as const }
  const today = new Date(built.systemNow()).toISOString().slice(0, 10)
  const draw: Ask = () =>
    db.steady.transact(async (sql) => {
      const [range] = await built.lockChain(sql, scope, 56, today)
      if (!range) throw new Error('no folios')
      const moved = [{ id: range.id, next_folio: range.next_folio + 1 }]
      await built.recordDraw(sql, scope, moved, { tipo_dte: 56, on: today, used: 1 })
    })
  const look: Ask = async () => {
    await built.lookAtQueue(db.steady.sql, ['work', 'delivery'], { asks_recovery: true })
  }
  const claim: Ask = async () => {
    const jobs = await built.claimJobs(db.steady.sql, CLAIM)
    if (jobs.length !== 1) throw new Error(`${jobs.length} jobs were claimed`)
    await built.finishJobs(
      db.steady.sql,
      CLAIM.worker,
      jobs.map(({ id }) => ({ id, result: undefined, keep: false, at: new Date() })),
    )
  }
  return [
    ['drawing a folio', draw],
    ['looking at the queue', look],
    ['claiming jobs and ending them', claim],
  ]
}

/** A job for each claim, in a queue that is short as long as there is no backlog. */
async function queueOne({ db, account_id }: Service): Promise<void> {
  await db.sql`insert into job (id, name, account_id, mode, payload, due_at, run_at, max_attempts, lane, created_at)
    values (${built.newId('job')}, 'document.emit', ${account_id}, 'test', '{}', now(), now() - interval '1 second', 5, 'document.emit|one:33', now())`
}

const at = (times: readonly number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void
/** Odd, so that whoever is asked first after it changes too, and more often than V8 would by itself. */
const COLLECT_EVERY = 7

/**
 * Both in turn, and whoever was second is first the next time. V8 collects between them and not within: it does so after so many bytes, which in
 * regular turns is always on the same side, and its four milliseconds are then the p99 of that side, however many documents there are.
 */
async function compare(name: string, asks: readonly [Ask, Ask], before: (n: 0 | 1) => Promise<void>): Promise<void> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM + ROUNDS; round++) {
    if (round % COLLECT_EVERY === 0) collect({ type: 'minor' })
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      await before(which)
      const started = performance.now()
      await asks[which](round)
      if (round >= WARM) times[which].push(performance.now() - started)
    }
  }
  const part = (share: number) => {
    const [short, long] = [at(times[0], share), at(times[1], share)]
    return { ratio: long / short, because: `${short.toFixed(2)} -> ${long.toFixed(2)} ms` }
  }
  // The median too: where others use the machine, what they do hides in the slowest of a hundred what grew.
  for (const share of [0.5, 0.99]) {
    const { ratio, because } = part(share)
    asked(`${name}, p${share * 100}`, ratio, { at_most: MOST }, { because })
  }
}

const nothing = async () => undefined
const services = [await openService({ runs_jobs: false }), await openService({ runs_jobs: false })] as const
try {
  const sizes = [SHORT, LONG] as const
  const all: [string, Ask][][] = []
  for (const [n, service] of services.entries()) {
    const started = performance.now()
    const grown = await grow(service, sizes[n] as number)
    console.log(`${sizes[n]} documents loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`)
    all.push([...(await requests(service, grown)), ...statements(service)])
  }
  const [short = [], long = []] = all
  for (const [n, [name, ask]] of short.entries()) {
    const asks = [ask, long[n]?.[1] ?? ask] as const
    // POST left jobs of its own; what is claimed is put there for it.
    if (name.startsWith('claiming'))
      for (const { db } of services) await db.sql`delete from job where status = 'queued'`
    await compare(name, asks, name.startsWith('claiming') ? (which) => queueOne(services[which]) : nothing)
  }
  for (const [n, service] of services.entries()) await fallBehind(service, sizes[n] as number)
  for (const [n, [name, ask]] of short.entries()) {
    if (!/claiming|looking/.test(name)) continue
    await compare(`${name}, a tenth waits`, [ask, long[n]?.[1] ?? ask], (which) => queueOne(services[which]))
  }
} finally {
  for (const service of services) await service.close()
}
