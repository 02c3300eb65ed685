import { addPeriods, periodOf, santiagoDate, TIPO } from '@timbre/dte/values'
import { inspectFile } from '../../domain/banking/statement/parse/inspect.ts'
import { hasStatement, saveStatement } from '../../domain/banking/statement/upload.ts'
import {
  readAutomationSettings,
  updateAutomationSettings,
} from '../../domain/issuing/automation-settings/automation-settings.ts'
import type { JobContext, JobTransaction } from '../../domain/job.ts'
import { jobEmpresa } from '../../domain/platform/empresa/job-empresa.ts'
import { ingestFile } from '../../domain/receiving/received-document/ingest.ts'
import { hasReceived } from '../../domain/receiving/received-document/numbering.ts'
import { requestPeriod } from '../../domain/tax/rcv/request-sync.ts'
import { santiagoInstant } from '../../domain/tax/rcv/santiago-instant.ts'
import type { JobOutcome } from '../../kernel/job.ts'
import { recordProgress } from '../../kernel/job-progress.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import type { SupplierContext } from '../helpers/issue-as-supplier.ts'
import { playSupplier } from '../helpers/play-supplier.ts'
import { seedRcv } from '../helpers/seed-rcv.ts'
import { accountFile, cardFile } from './bank-lines.ts'
import { asAccount, issueMonth } from './issue.ts'
import type { SeedOrder } from './jobs.ts'
import { type Month, monthOf, type Paper } from './month.ts'
import type { Supplier } from './people.ts'

/** The verbs of the other helpers work on an empresa at a time of day; a job has both. */
function actingAt(ctx: JobContext | JobTransaction, scope: EmpresaScope, at: Date): SupplierContext {
  return { ...ctx, account: scope, empresa: scope, now: () => at }
}

const entryOf = ({ party, folio, issue_date, net, iva }: Paper) => ({
  tipo_doc: TIPO.factura,
  folio,
  counterparty_rut: party.rut,
  counterparty_name: party.name,
  issue_date,
  net,
  iva,
})

async function seedRegister(ctx: JobContext, scope: EmpresaScope, month: Month): Promise<void> {
  const { period, purchases, boletas } = month
  const summary = { tipo_doc: TIPO.boleta, ...boletas }
  await ctx.transact(async (tx) => {
    const register = { period, purchases: purchases.map(entryOf), sales: [summary] }
    await seedRcv(actingAt(tx, scope, tx.now()), register)
  })
}

/** A supplier signs its document on the day of the story, and it arrives on that day: old ones were accepted by silence. */
async function receive(ctx: JobContext, scope: EmpresaScope, paper: Paper<Supplier>): Promise<boolean> {
  const { rut, name, giro, sells } = paper.party
  if (await hasReceived(ctx.sql, scope, { emisor_rut: rut, folio: paper.folio, tipo_dte: TIPO.factura })) return false
  const at = santiagoInstant(`${paper.issue_date}T12:00:00`)
  const document = {
    tipo_dte: TIPO.factura,
    folio: paper.folio,
    emisor: { rut, legal_name: name, giro },
    items: [{ description: sells, quantity: 1, unit_price: paper.net }],
    issue_date: paper.issue_date,
  }
  const { file, inspected } = await playSupplier(actingAt(ctx, scope, at), { document })
  const arrival = { source: 'test_helper', sender: null, file_name: 'envio.xml', bytes: file, received_at: at } as const
  await ctx.transact((tx) => ingestFile(tx, scope, arrival, inspected, () => at))
  return true
}

async function bank(ctx: JobContext, scope: EmpresaScope, months: readonly Month[], today: string): Promise<number> {
  const files = [
    { filename: 'cuenta-corriente.csv', bytes: accountFile(scope.empresa_id, months, today) },
    { filename: 'tarjeta.csv', bytes: cardFile(scope.empresa_id, months, today) },
  ]
  let kept = 0
  for (const { filename, bytes } of files) {
    if (bytes === null || (await hasStatement(ctx.sql, scope, bytes))) continue
    const options = { filename, bank_account: undefined, positive_is: undefined, today }
    const inspected = await inspectFile(bytes, options)
    await ctx.transact((tx) => saveStatement(tx, scope, { bytes, options, inspected }))
    kept++
  }
  return kept
}

/** Movements are matched by themselves, unless somebody of the empresa chose otherwise. */
async function matchMovements(ctx: JobContext, scope: EmpresaScope): Promise<void> {
  await ctx.transact(async (tx) => {
    const settings = await readAutomationSettings({ sql: tx.sql, empresa: scope })
    if (settings.updated_at !== null) return
    await updateAutomationSettings(asAccount(tx, scope), { apply_movement_matches: true })
  })
}

/** Tells the story of the months behind an empresa. What was told before is left as it is, so telling it twice adds nothing. */
export async function runSeed(ctx: JobContext, { months: count }: SeedOrder): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const today = santiagoDate(ctx.now())
  const periods = Array.from({ length: count }, (_, i) => addPeriods(periodOf(today), i + 1 - count))
  const months = periods.map((period) => monthOf(scope.empresa_id, period, today))
  await matchMovements(ctx, scope)
  let received = 0
  let issued = 0
  for (const month of months) {
    await seedRegister(ctx, scope, month)
    for (const paper of month.received) if (await receive(ctx, scope, paper)) received++
    issued += await issueMonth(ctx, scope, month)
    await recordProgress(ctx.sql, ctx.job_id, { period: month.period })
  }
  const statements = await bank(ctx, scope, months, today)
  await ctx.transact(async (tx) => {
    for (const period of periods) await requestPeriod(tx, scope, period, 'past')
  })
  const purchases = months.reduce((sum, month) => sum + month.purchases.length, 0)
  const sales = months.reduce((sum, month) => sum + month.sales.length, 0)
  return { done: { months: count, purchases, sales, documents: issued, received_documents: received, statements } }
}
