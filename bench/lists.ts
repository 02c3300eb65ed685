import { request } from 'node:http'
import { asked } from './asked.ts'
import { built, openService } from './service.ts'

// Pages of long lists against the same pages of short ones, p99: what an index serves does not grow with the table.
const ROUNDS = 1_500
const SHORT = 1_000
const LONG = Number(process.env.BENCH_ROWS ?? 1_000_000)

const service = await openService({ runs_jobs: false })
const { db } = service
const headers = { authorization: `Bearer ${service.secret}` }

/** Documents and their events as a year of sales leaves them: mostly boletas, nearly all accepted. */
async function fill(from: number, to: number): Promise<void> {
  const { account_id, empresa_id, rut } = service
  await db.sql`
    insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
      receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
    select ${account_id}, ${empresa_id}, 'test', ${built.newId('document').slice(0, 14)} || lpad(to_hex(n), 16, '0'),
      case when n % 20 = 0 then 'rejected' else 'accepted' end, case when n % 10 = 0 then 33 else 39 end, n,
      date '2025-11-01' + (n * 365 / ${LONG})::int, 1000, 190, 0, 1190, case when n % 10 = 0 then '77123456-9' else '66666666-6' end,
      '{"tipo_dte":39,"receptor":{"rut":"66666666-6"},"items":[]}', '{}', '{}', false,
      timestamptz '2025-11-01' + n * interval '30 seconds'
    from generate_series(${from}::int, ${to}::int) n`
  await db.sql`
    insert into event (id, account_id, mode, empresa_id, empresa_rut, type, created_at, data)
    select 'evt_' || substr(${newest}, 5, 10) || lpad(to_hex(n), 16, '0'), ${account_id}, 'test', ${empresa_id}, ${rut},
      (array['document.created', 'document.sent', 'document.accepted'])[n % 3 + 1], now(),
      '{"object":{"object":"document","id":"doc_x"}}'
    from generate_series(${from}::int, ${to}::int) n`
  await db.sql`analyze document`
  await db.sql`analyze event`
}
const [{ id: newest } = { id: '' }] = await db.sql<{ id: string }>`select max(id) as id from event`

function get(path: string, empresa: boolean): Promise<{ ms: number; text: string }> {
  const started = performance.now()
  const sent = { ...headers, ...(empresa && { 'svc-empresa': service.rut }) }
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: service.port, path, headers: sent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ ms: performance.now() - started, text }))
    })
    call.on('error', reject)
    call.end()
  })
}

async function p99(path: string): Promise<number> {
  const empresa = path.startsWith('/v1/documents')
  const first = await get(path, empresa)
  if (!first.text.startsWith('{"object":"list"')) throw new Error(first.text)
  for (let i = 0; i < 100; i++) await get(path, empresa)
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) times.push((await get(path, empresa)).ms)
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS * 0.99)] ?? 0
}

/** A page from the middle of a list: cursors must not cost more the deeper they are. */
async function deep(path: string): Promise<string> {
  const { next_cursor } = JSON.parse((await get(path, true)).text)
  return `${path}&cursor=${next_cursor}`
}

async function checkpoint(rows: number): Promise<string> {
  const [row] = await db.sql<{ id: string }>`
    select id from event where account_id = ${service.account_id} order by position, seq offset ${Math.floor(rows / 2)} limit 1`
  return `/v1/events?after=${row?.id}`
}

async function measure(rows: number): Promise<Map<string, number>> {
  const paths: [string, string][] = [
    ['GET /documents', '/v1/documents'],
    ['GET /documents, next page', await deep('/v1/documents?limit=20')],
    ['GET /documents?status=rejected', '/v1/documents?status=rejected'],
    ['GET /documents?tipo_dte=33', '/v1/documents?tipo_dte=33'],
    ['GET /documents?receptor_rut', '/v1/documents?receptor_rut=77123456-9'],
    [
      'GET /documents?created_at[gte]',
      '/v1/documents?created_at[gte]=2025-11-01T00:05:00Z&created_at[lte]=2025-11-01T02:00:00Z',
    ],
    ['GET /events', '/v1/events'],
    ['GET /events?after=', await checkpoint(rows)],
    ['GET /events?type=', '/v1/events?type=document.accepted'],
  ]
  const found = new Map<string, number>()
  for (const [name, path] of paths) found.set(name, await p99(path))
  return found
}

await fill(1, SHORT)
const short = await measure(SHORT)
for (let from = SHORT + 1; from <= LONG; from += 100_000) await fill(from, Math.min(LONG, from + 99_999))
const long = await measure(LONG)
for (const [name, ms] of long) {
  const before = short.get(name) ?? 0
  asked(name, ms / before, { at_most: 2 }, { because: `${before.toFixed(2)} -> ${ms.toFixed(2)} ms` })
}
await service.close()
