import { asked } from './asked.ts'
import { callerOf } from './call.ts'
import { openService } from './service.ts'

// A month of 20,000 entries read for the first time and again, and pages of a month of a million entries against the
// same pages of a month of a thousand, p99.
const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 20_000)
const LONG = Number(process.env.BENCH_ROWS ?? 1_000_000)
const SHORT = 1_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 500)
const A_CALL = 5_000
const PERIOD = '2026-09'

const service = await openService({ runs_jobs: true })
const { db, account_id, empresa_id } = service

const call = callerOf(service)

async function sync(): Promise<{ seconds: number; result: Record<string, unknown> }> {
  const started = performance.now()
  const { id } = JSON.parse((await call('POST', '/v1/tax/sync', { period: PERIOD })).text)
  const account = { authorization: `Bearer ${service.secret}` }
  for (;;) {
    const job = JSON.parse((await call('GET', `/v1/jobs/${id}`, undefined, account)).text)
    if (job.status === 'failed') throw new Error(JSON.stringify(job.error))
    if (job.status === 'succeeded') return { seconds: (performance.now() - started) / 1000, result: job.result }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const written = async () =>
  (
    await db.sql<{ rows: number }>`
    select n_tup_ins + n_tup_upd as rows from pg_stat_user_tables where relname = 'rcv_entry'`
  )[0]?.rows ?? 0

for (let from = 0; from < ENTRIES; from += A_CALL) {
  const purchases = Array.from({ length: Math.min(A_CALL, ENTRIES - from) }, (_, i) => ({
    tipo_doc: 33,
    folio: from + i + 1,
    counterparty_rut: '77123456-9',
    counterparty_name: 'Comercializadora de Papeles Limitada',
    net: 10_000 + i,
    iva: 1_900,
  }))
  const { text } = await call('POST', '/v1/test_helpers/rcv/seed', { period: PERIOD, purchases })
  if (!text.includes('rcv_seed')) throw new Error(text)
}
const first = await sync()
asked(`${ENTRIES} entries read for the first time`, first.seconds, { at_most: 10 }, { unit: ' s' })
if (first.result.created !== ENTRIES) throw new Error(JSON.stringify(first.result))
await new Promise((resolve) => setTimeout(resolve, 1_500))
const before = await written()
const again = await sync()
await new Promise((resolve) => setTimeout(resolve, 1_500))
console.log(`the same again                                        ${again.seconds.toFixed(2)} s`)
asked('entries written by it', (await written()) - before, { at_most: 0 }, { digits: 0 })

async function fill(period: string, rows: number): Promise<void> {
  for (let from = 1; from <= rows; from += 50_000) {
    await db.sql`
      insert into rcv_entry (account_id, empresa_id, mode, id, period, side, tipo_doc, folio, counterparty_rut, net, exempt,
        iva, iva_not_recoverable, iva_common_use, iva_fixed_assets, net_fixed_assets, other_taxes, total, estado_contable,
        tipo_compra, characterized_by, other_columns, first_seen_at, changed_at, sii, content_hash)
      select ${account_id}, ${empresa_id}, 'test', 'rcv_' || ${period} || lpad(n::text, 19, '0'), ${period}, 'purchase',
        case when n % 10 = 0 then 34 else 33 end, n, case when n % 500 = 0 then '76192083-9' else '77123456-9' end, 1000, 0,
        190, 0, 0, 0, 0, '[]', 1190, case when n % 100 = 0 then 'PENDIENTE' else 'REGISTRO' end,
        case when n % 50 = 0 then 4 else 1 end, 'sii', '{}', now(), now(), '{}', 'x'
      from generate_series(${from}::int, ${Math.min(rows, from + 49_999)}::int) n`
  }
  await db.sql`analyze rcv_entry`
}

async function p99(path: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS + 100; i++) {
    const { ms, text } = await call('GET', path)
    if (!text.startsWith('{"object":"list"')) throw new Error(text)
    if (i >= 100) times.push(ms)
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS * 0.99)] ?? 0
}

async function measure(period: string): Promise<Map<string, number>> {
  const base = `/v1/tax/purchases?period=${period}`
  const { next_cursor } = JSON.parse((await call('GET', base)).text)
  const paths: [string, string][] = [
    ['GET /tax/purchases', ''],
    ['next page', `&cursor=${next_cursor}`],
    ['tipo_doc=34', '&tipo_doc=34'],
    ['counterparty_rut', '&counterparty_rut=76192083-9'],
    ['estado_contable=PENDIENTE', '&estado_contable=PENDIENTE'],
    ['tipo_compra=4', '&tipo_compra=4'],
    ['withdrawn=only', '&withdrawn=only'],
  ]
  const found = new Map<string, number>()
  for (const [name, query] of paths) found.set(name, await p99(base + query))
  return found
}

await fill('2020-01', SHORT)
const short = await measure('2020-01')
await fill('2020-02', LONG)
const long = await measure('2020-02')
for (const [name, ms] of long) {
  const at_a_thousand = short.get(name) ?? 0
  asked(name, ms / at_a_thousand, { at_most: 2 }, { because: `${at_a_thousand.toFixed(2)} -> ${ms.toFixed(2)} ms` })
}
await service.close()
