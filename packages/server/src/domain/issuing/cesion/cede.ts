import { newId } from '../../../kernel/id.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { chargeAgent } from '../../platform/agent-grant/charge.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { startCesion } from '../document/advance-cesion.ts'
import { lockDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import { type Asked, allReasons, standingOf } from './ask.ts'
import { lastDueDate } from './due-date.ts'
import { cedeToRegister } from './jobs.ts'
import { explained, type Standing } from './reasons.ts'
import type { CedeDocument } from './schema.ts'
import { type CesionTerms, factsOf, insertCesion } from './store.ts'

/** What the AEC will say, with everything the caller left to us. */
async function termsOf(ctx: EmpresaContext, input: CedeDocument, { document, credited }: Standing) {
  const { cesionario, conditions, debtor_email, contact } = input
  const { total } = credited.left
  const amount = input.amount ?? total
  const due_date = input.due_date ?? lastDueDate(document.draft)
  if (cesionario.rut === ctx.empresa.rut) throw invalidField('cesionario.rut', 'an empresa cannot cede to itself.')
  if (amount > total) throw invalidField('amount', `at most ${total} can be ceded.`)
  if (due_date < document.issue_date) {
    throw invalidField('due_date', `the document was issued later, on ${document.issue_date}.`)
  }
  const email = contact?.email ?? (await readEmisor(ctx)).contact_email
  if (!email) throw invalidField('contact.email', 'it is needed, for the empresa has no contact_email.')
  const terms: CesionTerms = { cesionario, amount, due_date, conditions, debtor_email, contact: { ...contact, email } }
  return terms
}

/**
 * Has a factura ceded: the AEC is signed and sent by a job. The document is held meanwhile, so that it is neither
 * ceded twice nor annulled on the way.
 */
export async function cedeDocument(ctx: EmpresaContext, input: DocumentPath & CedeDocument & Asked): Promise<Job> {
  const document = await lockDocument(ctx, input)
  const standing = await standingOf(ctx, document)
  const reasons = explained(allReasons(standing, input))
  if (reasons[0]) throw new Problem('document_not_cedible', { message: reasons[0].message, details: { reasons } })
  const id = newId('cesion')
  const terms = await termsOf(ctx, input, standing)
  // The credit leaves the empresa for good: it counts as much as a document of that amount, to whom it goes.
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
