import { addDays, TIPO } from '@timbre/dte/values'
import type { EmpresaContext } from '../../domain/context.ts'
import { issueDocument } from '../../domain/issuing/document/create.ts'
import type { CreateDocument } from '../../domain/issuing/document/create-schema.ts'
import { emitQueued } from '../../domain/issuing/document/emit.ts'
import { emitDocuments, type Polled, pollDocuments } from '../../domain/issuing/document/jobs.ts'
import { pollSii } from '../../domain/issuing/document/poll-sii.ts'
import type { JobContext, JobTransaction } from '../../domain/job.ts'
import { santiagoInstant } from '../../domain/tax/rcv/santiago-instant.ts'
import { REAL_TIME, secondsFrom } from '../../kernel/clock.ts'
import type { Job } from '../../kernel/job.ts'
import type { NewJob } from '../../kernel/outbox.ts'
import { Problem } from '../../kernel/problem.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import type { Month, Sale } from './month.ts'

/** The story emits and settles what it issues itself; what a run leaves that died is taken up by the worker after this. */
const LEFT_TO_WORKER_SECONDS = 120
const SETTLED_AFTER_SECONDS = 1

/** A job as of a moment of the story: what it writes is dated then, and whom it would poll it notes in `polled`. */
function atMoment(ctx: JobContext, at: Date, polled: Polled[]): JobContext {
  const due_at = secondsFrom(ctx.now(), LEFT_TO_WORKER_SECONDS)
  const now = () => at
  function left<Payload>(job: Job<Payload>, request: NewJob<Payload>): NewJob<Payload> {
    if (job.name === pollDocuments.name) polled.push(request.payload as Polled)
    return job.name === pollDocuments.name || job.name === emitDocuments.name ? { ...request, due_at } : request
  }
  return {
    ...ctx,
    now,
    // The job that ends with the work is that of the worker, and not this one.
    transact: (work) =>
      ctx.transact((tx) => work({ ...tx, now, enqueue: (job, request) => tx.enqueue(job, left(job, request)) })),
    land: (as_read, gather) =>
      ctx.land(as_read, (landing) =>
        gather({ ...landing, now, enqueue: (job, request) => landing.enqueue(job, left(job, request)) }),
      ),
  }
}

/** Nobody calls: the story issues as somebody of the account would, and no cap of an agent is touched. */
export function asAccount(tx: JobTransaction, scope: EmpresaScope): EmpresaContext {
  return {
    ...tx,
    account: scope,
    empresa: scope,
    caller: { kind: 'session', credential_id: tx.request_id, email_verified: false },
    clock: REAL_TIME,
    origin: { via: 'api', ip: null, user_agent: null },
  }
}

/** What keeps an empresa from issuing a tipo: it does not declare it, or rehearses an onboarding. The story goes on without. */
const CANNOT_ISSUE: readonly string[] = ['tipo_not_declared', 'empresa_not_emitting', 'empresa_incomplete']

/** Issues a document at a moment of the story and has it settled a second later. Gives its id, new or known. */
async function issueAt(
  ctx: JobContext,
  scope: EmpresaScope,
  at: Date,
  input: CreateDocument,
): Promise<{ readonly id: string; readonly is_new: boolean } | null> {
  const polled: Polled[] = []
  const then = atMoment(ctx, at, polled)
  let id: string
  try {
    id = (await then.transact((tx) => issueDocument(asAccount(tx, scope), input))).id
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'external_id_exists' && error.facts.existing_id !== undefined)
      return { id: error.facts.existing_id, is_new: false }
    if (CANNOT_ISSUE.includes(error.code)) return null
    throw error
  }
  await emitQueued(then, [{ id: ctx.job_id, payload: { document_id: id }, attempt: 1, looks: 0 }])
  const later = atMoment(ctx, secondsFrom(at, SETTLED_AFTER_SECONDS), [])
  for (const payload of polled) await pollSii(later, payload)
  return { id, is_new: true }
}

function receptorOf({ party: { rut, name, giro, street, comuna } }: Sale): NonNullable<CreateDocument['receptor']> {
  return { rut, legal_name: name, giro, address: { street, comuna } }
}

function facturaOf(sale: Sale, external_id: string): CreateDocument {
  const { issue_date, what, quantity, unit_price } = sale
  return {
    tipo_dte: TIPO.factura,
    external_id,
    issue_date,
    receptor: receptorOf(sale),
    payment: { form: 'credit', due_date: addDays(issue_date, 30) },
    items: [{ description: what, quantity, unit_price }],
  }
}

interface Step {
  readonly date: string
  readonly time: string
  readonly issue: (at: Date) => Promise<{ readonly is_new: boolean } | null>
}

/** Issues what the empresa sold in a month, in the order of its days. Gives how many documents are new. */
export async function issueMonth(ctx: JobContext, scope: EmpresaScope, month: Month): Promise<number> {
  const now = ctx.now()
  const ids = new Map<string, string>()
  const numbered = (kind: string, i: number) => `${kind}-${month.period}-${i + 1}`
  const facturas = month.sales.map((sale, i): Step => {
    const input = facturaOf(sale, numbered('venta', i))
    const issue = async (at: Date) => {
      const made = await issueAt(ctx, scope, at, input)
      if (made) ids.set(numbered('venta', i), made.id)
      return made
    }
    return { date: sale.issue_date, time: sale.time, issue }
  })
  const notas = month.sales.flatMap((sale, i): Step[] => {
    const { annulled_on, time, what, quantity, unit_price } = sale
    if (annulled_on === null) return []
    const issue = async (at: Date) => {
      const document_id = ids.get(numbered('venta', i))
      if (document_id === undefined) return null
      return issueAt(ctx, scope, at, {
        tipo_dte: TIPO.nota_de_credito,
        external_id: numbered('anula', i),
        issue_date: annulled_on,
        receptor: receptorOf(sale),
        references: [{ document_id, code: 1, reason: 'El cliente desistió de la compra' }],
        items: [{ description: what, quantity, unit_price }],
      })
    }
    return [{ date: annulled_on, time, issue }]
  })
  const boletas = month.counter.map(({ issue_date: date, time, what, price }, i): Step => {
    const items = [{ description: what, quantity: 1, unit_price: price }]
    const input = { tipo_dte: TIPO.boleta, external_id: numbered('boleta', i), issue_date: date, items }
    return { date, time, issue: (at) => issueAt(ctx, scope, at, input) }
  })
  const steps = [...facturas, ...boletas, ...notas].sort((a, b) =>
    `${a.date} ${a.time}` < `${b.date} ${b.time}` ? -1 : 1,
  )
  let issued = 0
  for (const { date, time, issue } of steps) {
    const at = santiagoInstant(`${date}T${time}`)
    const made = await issue(new Date(Math.min(at.getTime(), now.getTime())))
    if (made?.is_new) issued++
  }
  return issued
}
