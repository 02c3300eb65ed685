import { ANSWER_DAYS } from '@timbre/dte/values'
import { daysFrom } from '../../../kernel/clock.ts'
import { Problem } from '../../../kernel/problem.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { EmpresaContext } from '../../context.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import { creditedOf } from '../credit-note/credited.ts'
import { lastDueDate } from '../document/due-date.ts'
import { requireDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import { asSiiDocument, type DocumentRow } from '../document/show.ts'
import { explainReasons, type ReasonCode, reasonOfSii, reasonsAgainst, type Standing } from './reasons.ts'
import type { Cedibility } from './schema.ts'

/** The SII's answer, fetched before the transaction opens; null when it was not asked, or did not answer. */
export interface SiiCedibility {
  readonly sii: Cedibility['sii']
}

export async function standingOf(ctx: EmpresaContext, document: DocumentRow): Promise<Standing> {
  const { emission_channel: channel } = await readEmisor(ctx)
  return { document, channel, credited: await creditedOf(ctx.sql, ctx.empresa, document) }
}

/** Asks the SII, unless something here stands in the way already. */
async function fetchSiiCedibility(ctx: EmpresaContext, path: DocumentPath): Promise<SiiCedibility> {
  const document = await requireDocument(ctx, path)
  if (reasonsAgainst(await standingOf(ctx, document)).length > 0) return { sii: null }
  const sent_at = document.sent_at ?? document.created_at
  const question = { empresa: ctx.empresa, document: asSiiDocument(document), sent_at, at: ctx.now() }
  return { sii: await ctx.ports.sii[ctx.account.mode].cedibilityOf(question) }
}

/** Before a cesión the SII may be away: the job asks it again before it sends anything. */
export async function prepareCesion(ctx: EmpresaContext, path: DocumentPath): Promise<SiiCedibility> {
  return fetchSiiCedibility(ctx, path).catch((error: unknown) => {
    if (error instanceof SiiUnreachable) return { sii: null }
    throw error
  })
}

/** Here the SII's answer is the whole point: without it the request is refused. */
export async function prepareCedibility(ctx: EmpresaContext, path: DocumentPath): Promise<SiiCedibility> {
  return fetchSiiCedibility(ctx, path).catch((error: unknown) => {
    throw error instanceof SiiUnreachable ? new Problem('sii_unreachable', { message: error.told }) : error
  })
}

export function allReasons(standing: Standing, { sii }: SiiCedibility): ReasonCode[] {
  const of_sii = sii && reasonOfSii(sii)
  return [...reasonsAgainst(standing), ...(of_sii ? [of_sii] : [])]
}

/** Whether a document can be ceded now, and everything that stands in the way. */
export async function checkCedibility(ctx: EmpresaContext, input: DocumentPath & SiiCedibility): Promise<Cedibility> {
  const document = await requireDocument(ctx, input)
  const standing = await standingOf(ctx, document)
  const reasons = allReasons(standing, input)
  const { sent_at } = document
  return {
    object: 'cedibility',
    document: document.id,
    cedible: reasons.length === 0,
    reasons: explainReasons(reasons),
    amount: standing.credited.annulment ? 0 : Math.max(0, standing.credited.left.total),
    due_date: lastDueDate(document.draft),
    receptor_answers_until: sent_at && daysFrom(sent_at, ANSWER_DAYS).toISOString(),
    sii: input.sii,
  }
}
