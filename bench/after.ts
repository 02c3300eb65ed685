import { setTimeout as sleep } from 'node:timers/promises'
import { asked } from './asked.ts'
import { callerOf } from './call.ts'
import { FACTURA } from './factura.ts'
import { cpuSpent } from './process-cpu.ts'
import { openService } from './service.ts'
import { readLedger } from './statement-ledger.ts'

// What a factura costs once it is accepted: the ten days in which the register is asked what its receptor answered, until silence
// accepts it. Facturas that came one at a time, as a shop issues them, told as statements and as a ratio to all of its emission.
const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 60)
const DAYS = 10
/** What an emission alone took when the days after it were asked not to cost more. It takes less since, and is no measure of them. */
const MOST_STATEMENTS = 17

const service = await openService({ runs_jobs: true, counts_statements: true })
const { db } = service
const call = callerOf(service)
const own = {
  authorization: `Bearer ${service.secret}`,
  'content-type': 'application/json',
  'svc-empresa': service.rut,
}
const of_account = { authorization: own.authorization, 'content-type': 'application/json' }

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20)
}

async function allHave(status: string): Promise<boolean> {
  const [left] = await db.sql<{ some: boolean }>`
    select exists (select from document where status <> ${status}) as some`
  return !left?.some
}

async function issue(key: string): Promise<void> {
  const { text } = await call('POST', '/v1/documents', JSON.parse(FACTURA), { ...own, 'idempotency-key': key })
  if (!text.startsWith('{"object":"document"')) throw new Error(text)
  await until(() => allHave('accepted'))
}

interface Cost {
  readonly statements: number
  readonly cpu: number
}

async function measure(work: () => Promise<void>): Promise<Cost> {
  await db.sql`select pg_stat_statements_reset()`
  const before = cpuSpent()
  await work()
  const after = cpuSpent()
  const ledger = await readLedger(db.sql)
  return {
    statements: ledger.reduce((sum, { calls }) => sum + calls, 0) / DOCUMENTS,
    cpu: (after.own - before.own + (after.postgres ?? 0) - (before.postgres ?? 0)) / DOCUMENTS,
  }
}

/** Day by day, as they pass. */
async function moveClock(): Promise<void> {
  for (let day = 0; day < DAYS; day++) {
    const change = { empresa_rut: service.rut, advance: 'P1D' }
    const { text } = await call('POST', '/v1/test_helpers/clock', change, of_account)
    if (!text.includes('"object":"test_clock"')) throw new Error(text)
    await until(async () => {
      const { text: now } = await call(
        'GET',
        `/v1/test_helpers/clock?empresa_rut=${service.rut}`,
        undefined,
        of_account,
      )
      return now.includes('"status":"ready"')
    })
  }
}

await issue('first')
const emitted = await measure(async () => {
  for (let n = 1; n < DOCUMENTS; n++) await issue(`one-${n}`)
})
const after = await measure(moveClock)
const [answered] = await db.sql<{ by_silence: number }>`
  select count(*) filter (where receptor_response::text like '%accepted_tacitly%')::int as by_silence from document`
if (answered?.by_silence !== DOCUMENTS)
  throw new Error(`${answered?.by_silence} of ${DOCUMENTS} were accepted by silence`)
const line = (label: string, { statements, cpu }: Cost) =>
  console.log(
    `${label.padEnd(44)} ${statements.toFixed(1).padStart(6)} statements, ${cpu.toFixed(1)} ms of CPU a document`,
  )
line('from POST to accepted, one at a time', emitted)
line(`the ${DAYS} days after`, after)
console.log(`after to before, statements                    ${(after.statements / emitted.statements).toFixed(2)}`)
asked('statements of the days after', after.statements, { at_most: MOST_STATEMENTS }, { digits: 1 })
await service.close()
