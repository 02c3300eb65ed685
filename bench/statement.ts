import { xlsxOf } from '../packages/server/test/support/cartola-file.ts'
import { asked } from './asked.ts'
import { callerOf } from './call.ts'
import { openService } from './service.ts'

// A cartola of 100,000 rows as text and as a spreadsheet, and the same file again; then pages of a million expenses
// against the same pages of a thousand, p99. The memory is what the whole process took at most while it imported.
const ROWS = Number(process.env.BENCH_ENTRIES ?? 100_000)
const LONG = Number(process.env.BENCH_ROWS ?? 1_000_000)
const SHORT = 1_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 500)
/** Of what PostgreSQL alone needs for the same rows. */
const AT_LEAST = 0.3

const service = await openService({ runs_jobs: true })
const { db, account_id, empresa_id } = service

const call = callerOf(service)

const MIB = 1024 * 1024

interface Import {
  readonly answered: number
  readonly seconds: number
  readonly mib: number
  readonly result: { readonly imported: number; readonly duplicates: number }
}

/** What an import sets off looks through the new movements: it is another measure. */
async function quiet(): Promise<void> {
  for (let busy = 1; busy > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const rows = await db.sql<object>`
      select 1 from job where status in ('queued', 'running') and run_at < now() + interval '1 minute'`
    busy = rows.length
  }
}

async function upload(file: Buffer, bank_account: string): Promise<Import> {
  const body = { file: file.toString('base64'), bank_account }
  await quiet()
  global.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const started = performance.now()
  const asked = await call('POST', '/v1/tax/statements', body)
  const { id } = JSON.parse(asked.text)
  if (!id) throw new Error(asked.text)
  const account = { authorization: `Bearer ${service.secret}` }
  for (;;) {
    const job = JSON.parse((await call('GET', `/v1/jobs/${id}`, undefined, account)).text)
    if (job.status === 'failed') throw new Error(JSON.stringify(job.error))
    if (job.status === 'succeeded') {
      clearInterval(watch)
      const seconds = (performance.now() - started) / 1000
      return { answered: asked.ms / 1000, seconds, mib: (peak - before) / MIB, result: job.result }
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const day = (i: number) => `${String((i % 28) + 1).padStart(2, '0')}/${String((i % 10) + 1).padStart(2, '0')}/2026`
const words = (i: number) => `COMPRA ${i}`
const text = (rows: number) =>
  Buffer.from(
    ['Fecha;Descripción;Cargos;Abonos']
      .concat(
        Array.from({ length: rows }, (_, i) => `${day(i)};${words(i)};${i % 5 ? i + 1 : ''};${i % 5 ? '' : i + 1}`),
      )
      .join('\n'),
  )
const spreadsheet = (rows: number) =>
  xlsxOf([
    {
      name: 'Cartola',
      rows: [
        ['Fecha', 'Descripción', 'Cargos', 'Abonos'],
        ...Array.from({ length: rows }, (_, i) => [day(i), words(i), i % 5 ? i + 1 : null, i % 5 ? null : i + 1]),
      ],
    },
  ])

function tell(name: string, { answered, seconds, mib, result }: Import, rows: number): void {
  const rate = Math.round(rows / seconds)
  console.log(
    `${name.padEnd(34)} answered in ${answered.toFixed(2)} s, ` +
      `all in ${seconds.toFixed(2)} s, ${Math.round(mib)} MiB more at most; new ${result.imported}, known ${result.duplicates}`,
  )
  asked(`${name}, to PostgreSQL alone`, rate / bare, { at_least: AT_LEAST }, { because: `${rate} rows/s` })
}

/** Rows a second of the same movements and expenses into empty tables with the same indexes, in one statement each. */
async function copyRate(rows: number): Promise<number> {
  await db.sql`create table bare_movement (like movement including all)`
  await db.sql`create table bare_expense (like expense including all)`
  const started = performance.now()
  await db.sql`insert into bare_movement select * from movement`
  await db.sql`insert into bare_expense select * from expense`
  const seconds = (performance.now() - started) / 1000
  await db.sql`drop table bare_movement, bare_expense`
  return rows / seconds
}

const csv = text(ROWS)
const first = await upload(csv, '1001')
const bare = await copyRate(ROWS)
console.log(`${ROWS} rows by PostgreSQL alone        ${Math.round(bare)} rows/s`)
tell(`${ROWS} rows of text`, first, ROWS)
tell('the same file again', await upload(csv, '1001'), ROWS)
tell(`${ROWS} rows of a spreadsheet`, await upload(spreadsheet(ROWS), '1002'), ROWS)
const twice = text(2 * ROWS)
tell(`${2 * ROWS} rows (${(twice.length / MIB).toFixed(1)} MiB)`, await upload(twice, '1003'), 2 * ROWS)

async function fill(rows: number): Promise<void> {
  await db.sql`delete from expense where empresa_id = ${empresa_id}`
  for (let from = 1; from <= rows; from += 50_000) {
    await db.sql`
      insert into expense (account_id, empresa_id, mode, id, source, date, description, provider_name, provider_rut,
        amount, currency, created_at, changed_at)
      select ${account_id}, ${empresa_id}, 'test', 'exp_' || lpad(n::text, 26, '0'),
        'manual', date '2026-01-01' + n % 300, 'Compra',
        case when n % 500 = 0 then 'Luz SA' else 'Otro' end, case when n % 500 = 0 then '76192083-9' end, n,
        case when n % 100 = 0 then 'USD' else 'CLP' end, now(), now()
      from generate_series(${from}::int, ${Math.min(rows, from + 49_999)}::int) n`
  }
  await db.sql`vacuum analyze expense`
}

async function p99(path: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS + 100; i++) {
    const { ms, text: shown } = await call('GET', path)
    if (!shown.startsWith('{"object":"list"')) throw new Error(shown)
    if (i >= 100) times.push(ms)
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS * 0.99)] ?? 0
}

async function measure(): Promise<Map<string, number>> {
  const { next_cursor } = JSON.parse((await call('GET', '/v1/tax/expenses')).text)
  const paths: [string, string][] = [
    ['GET /tax/expenses', ''],
    ['next page', `?cursor=${next_cursor}`],
    ['from and to', '?from=2026-03-01&to=2026-03-02'],
    ['provider by RUT', '?provider=76192083-9'],
    ['provider by name', '?provider=luz%20sa'],
    ['source=manual', '?source=manual'],
    ['currency=USD', '?currency=USD'],
  ]
  const found = new Map<string, number>()
  for (const [name, query] of paths) found.set(name, await p99(`/v1/tax/expenses${query}`))
  return found
}

await quiet()
await fill(SHORT)
const short = await measure()
await fill(LONG)
const long = await measure()
for (const [name, ms] of long) {
  const at_a_thousand = short.get(name) ?? 0
  asked(name, ms / at_a_thousand, { at_most: 2 }, { because: `${at_a_thousand.toFixed(2)} -> ${ms.toFixed(2)} ms` })
}
await service.close()
