import { asked } from './asked.ts'
import { callerOf } from './call.ts'
import { openService } from './service.ts'

// The F29 proposal of a month of 20,000 entries: computed for the first time, again, and read code by code.
const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 20_000)
const ROUNDS = 20
const PERIOD = '2026-09'
const PROPOSAL = `/v1/tax/f29/proposals/${PERIOD}`

const service = await openService({ runs_jobs: false })
const { db, account_id, empresa_id } = service

const call = callerOf(service)

/** Half purchases and half sales, of several tipos and characterizations. */
await db.sql`
  insert into rcv_entry (account_id, empresa_id, mode, id, period, side, tipo_doc, folio, counterparty_rut, net, exempt,
    iva, iva_not_recoverable, iva_common_use, iva_fixed_assets, net_fixed_assets, other_taxes, total, estado_contable,
    tipo_compra, tipo_venta, characterized_by, other_columns, first_seen_at, changed_at, sii, content_hash)
  select ${account_id}, ${empresa_id}, 'test', 'rcv_' || lpad(n::text, 26, '0'), ${PERIOD},
    case when n % 2 = 0 then 'purchase' else 'sale' end, case when n % 20 in (0, 1) then 61 else 33 end, n, '77123456-9',
    10000, case when n % 10 = 2 then 500 else 0 end, 1900, 0, 0, 0, 0, '[]', 11900,
    case when n % 2 = 0 then 'REGISTRO' end, case when n % 2 = 0 then 1 + n / 2 % 4 end,
    case when n % 2 = 1 then 1 end, 'sii', '{}', now(), now(), '{}', 'x'
  from generate_series(1, ${ENTRIES}::int) n`
await db.sql`analyze rcv_entry`

async function slowest(ask: (round: number) => Promise<{ ms: number; text: string }>): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, text } = await ask(round)
    if (text.includes('"error"')) throw new Error(text)
    times.push(ms)
  }
  return `${Math.max(...times).toFixed(0)} ms`
}

const first = await call('POST', `${PROPOSAL}/recompute`, {})
if (!first.text.includes('f29_proposal')) throw new Error(first.text)
asked(`${ENTRIES} entries, first compute`, first.ms, { below: 1_000 }, { unit: ' ms', digits: 0 })
const again = await slowest((round) => call('POST', `${PROPOSAL}/recompute`, { payroll_tax: round }))
console.log(`slowest of ${ROUNDS} computes after it                 ${again}`)
console.log(`slowest of ${ROUNDS} readings of the proposal          ${await slowest(() => call('GET', PROPOSAL))}`)
const behind = await slowest(() => call('GET', `${PROPOSAL}/codes/502?limit=100`))
console.log(`slowest of ${ROUNDS} pages of what is behind 502       ${behind}`)
await service.close()
