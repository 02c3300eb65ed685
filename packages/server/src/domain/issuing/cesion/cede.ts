import { newId } from '../../../kernel/id.ts'
import { brokenRules, Problem, refuseAll } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { chargeAgent } from '../../platform/agent-grant/charge.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { startCesion } from '../document/advance-cesion.ts'
import { lastDueDate } from '../document/due-date.ts'
import { lockDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import { allReasons, type SiiCedibility, standingOf } from './cedibility.ts'
import { cedeToRegister } from './jobs.ts'
import { explainReasons, type Standing } from './reasons.ts'
import type { CedeDocument } from './schema.ts'
import { type CesionTerms, factsOf, insertCesion } from './store.ts'

/** The terms of the AEC, with defaults for what the caller left out. */
async function termsOf(
  ctx: EmpresaContext,
  input: CedeDocument,
  { document, credited }: Standing,
): Promise<CesionTerms> {
  const { cesionario, conditions, debtor_email, contact } = input
  const { total } = credited.left
  const amount = input.amount ?? total
  const due_date = input.due_date ?? lastDueDate(document.draft)
  const email = contact?.email ?? (await readEmisor(ctx)).contact_email ?? ''
  refuseAll(
    brokenRules(
      [cesionario.rut === ctx.empresa.rut, 'cesionario.rut', 'an empresa cannot cede to itself.'],
      [amount > total, 'amount', `at most ${total} can be ceded.`],
      [due_date < document.issue_date, 'due_date', `the document was issued later, on ${document.issue_date}.`],
      [email === '', 'contact.email', 'it is needed, for the empresa has no contact_email.'],
    ),
  )
  return { cesionario, amount, due_date, conditions, debtor_email, contact: { ...contact, email } }
}

/**
 * Requests the cesión of a factura: a job signs the AEC and sends it. Locks the document, so that it is neither ceded
 * twice nor annulled meanwhile.
 */
export async function cedeDocument(
  ctx: EmpresaContext,
  input: DocumentPath & CedeDocument & SiiCedibility,
): Promise<Job> {
  const document = await lockDocument(ctx, input)
  const standing = await standingOf(ctx, document)
  const reasons = explainReasons(allReasons(standing, input))
  if (reasons[0]) throw new Problem('document_not_cedible', { message: reasons[0].message, details: { reasons } })
  const id = newId('cesion')
  const terms = await termsOf(ctx, input, standing)
  // The credit leaves the empresa for good: it counts like a document of that amount to the cesionario.
  await chargeAgent(ctx, { rut: terms.cesionario.rut, amount: terms.amount })
  await insertCesion(ctx.sql, ctx.empresa, { id, document_id: document.id, terms, created_at: ctx.now() })
  await startCesion(ctx.sql, ctx.empresa, document.id, factsOf(id, terms))
  const job_id = await ctx.enqueue(cedeToRegister, {
    payload: { cesion_id: id },
    key: id,
    lane: ctx.empresa.empresa_id,
  })
  return readJob(ctx, { job_id })
}
