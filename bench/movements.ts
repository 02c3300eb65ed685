import { asked } from './asked.ts'
import { callerOf } from './call.ts'
import { built, openService } from './service.ts'

// A review of 100,000 movements against 20,000 facturas, and pages of a million movements and suggestions against the
// same pages of a thousand, p99.
const ROWS = Number(process.env.BENCH_ENTRIES ?? 100_000)
const FACTURAS = 20_000
const LONG = Number(process.env.BENCH_ROWS ?? 1_000_000)
const SHORT = 1_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 500)

const service = await openService({ runs_jobs: true })
const { db, account_id, empresa_id } = service

const call = callerOf(service)

/** Facturas of two thousand clients, each with its own total. */
async function fillFacturas(): Promise<void> {
  await db.sql`
    insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
      receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
    select ${account_id}, ${empresa_id}, 'test', ${built.newId('document').slice(0, 14)} || lpad(to_hex(n), 16, '0'), 'accepted', 33, n,
      date '2026-08-01' + n % 30, 0, 0, 0, 100000 + n, (70000000 + n % 2000) || '-1',
      json_build_object('receptor', json_build_object('legal_name', 'Cliente numero ' || n % 2000)), '{}', '{}', false, now()
    from generate_series(1, ${FACTURAS}) n`
  await db.sql`analyze document`
}

/** One in five pays a factura, one in two hundred goes abroad; `seen` leaves them out of the next review. */
async function fillMovements(from: number, to: number, seen: boolean): Promise<void> {
  await db.sql`
    insert into movement (account_id, empresa_id, mode, id, source_type, source_id, line_key, bank_account, post_date,
      amount, currency, description, counterparty_rut, created_at, changed_at, reviewed_at)
    select ${account_id}, ${empresa_id}, 'test', 'mov_01kz' || lpad(to_hex(n), 22, '0'), 'statement', 'stm_x', 'n' || n,
      '1', date '2026-09-01' + n % 30, case when n % 5 = 0 then 100000 + n / 5 else -n end, 'CLP',
      case when n % 200 = 1 then 'GOOGLE *ADS ' || n else 'PAGO EN COMERCIO ' || n end,
      case when n % 5 = 0 then (70000000 + n / 5 % 2000) || '-1' end, now(), now(), ${seen ? new Date(0) : null}::timestamptz
    from generate_series(${from}::int, ${to}::int) n`
  await db.sql`analyze movement`
}

async function fillSuggestions(from: number, to: number): Promise<void> {
  await db.sql`
    insert into suggestion (account_id, empresa_id, mode, id, type, status, period, provider, movement_id, post_date,
      amount, currency, description, register_read, created_at)
    select account_id, empresa_id, mode, 'sug_' || substr(id, 5), 'emit_46',
      case when n % 10 = 0 then 'open' else 'confirmed' end, '2026-' || lpad((n % 12 + 1)::text, 2, '0'), 'google', id,
      post_date, abs(amount), 'CLP', description, true, now()
    from generate_series(${from}::int, ${to}::int) n
    join movement on id = 'mov_01kz' || lpad(to_hex(n), 22, '0')
    on conflict do nothing`
  await db.sql`analyze suggestion`
}

async function left(): Promise<number> {
  const [row] = await db.sql<{ left: number }>`
    select count(*)::integer as left from movement where empresa_id = ${empresa_id} and reviewed_at is null`
  return row?.left ?? 0
}

async function review(): Promise<void> {
  await call('PATCH', `/v1/empresas/${empresa_id}/automation_settings`, { apply_movement_matches: true })
  await fillFacturas()
  for (let from = 1; from <= ROWS; from += 100_000) await fillMovements(from, Math.min(ROWS, from + 99_999), false)
  const file = Buffer.from('Fecha;Detalle;Monto\n03/09/2026;Pago;1').toString('base64')
  const started = performance.now()
  const asked = await call('POST', '/v1/tax/statements', { file, bank_account: '2' })
  if (!asked.text.includes('"job_')) throw new Error(asked.text)
  while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  const seconds = (performance.now() - started) / 1000
  const [found] = await db.sql<{ matched: number; suggested: number }>`
    select (select count(*)::integer from movement where match is not null) as matched,
      (select count(*)::integer from suggestion) as suggested`
  const rate = Math.round(ROWS / seconds)
  console.log(`review of ${ROWS} movements: ${seconds.toFixed(1)} s, ${rate} a second, ${JSON.stringify(found)}`)
}

async function p99(path: string): Promise<number> {
  const first = await call('GET', path)
  if (!first.text.startsWith('{"object":"list"')) throw new Error(first.text)
  for (let i = 0; i < 50; i++) await call('GET', path)
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) times.push((await call('GET', path)).ms)
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS * 0.99)] ?? 0
}

const PATHS = [
  '/v1/tax/movements',
  '/v1/tax/movements?matched=false',
  '/v1/tax/movements?direction=in',
  '/v1/tax/movements?direction=out&from=2026-09-05&to=2026-09-20',
  '/v1/tax/movements?source=statement',
  '/v1/tax/movements?currency=CLP',
  '/v1/tax/suggestions',
  '/v1/tax/suggestions?status=open',
  '/v1/tax/suggestions?period=2026-03',
]

async function measure(): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const path of PATHS) {
    const { next_cursor } = JSON.parse((await call('GET', path)).text)
    found.set(path, await p99(path))
    const page = `${path}${path.includes('?') ? '&' : '?'}cursor=${next_cursor}`
    if (next_cursor) found.set(`${path}, next page`, await p99(page))
  }
  return found
}

await fillMovements(ROWS + 1, ROWS + SHORT, true)
await fillSuggestions(ROWS + 1, ROWS + SHORT)
const short = await measure()
await review()
for (let from = ROWS + SHORT + 1; from <= LONG; from += 100_000) {
  const to = Math.min(LONG, from + 99_999)
  await fillMovements(from, to, true)
  await fillSuggestions(from, to)
}
const long = await measure()
for (const [name, ms] of long) {
  const before = short.get(name)
  if (before === undefined) continue
  asked(`GET ${name.slice(3)}`, ms / before, { at_most: 2 }, { because: `${before.toFixed(2)} -> ${ms.toFixed(2)} ms` })
}
await service.close()
