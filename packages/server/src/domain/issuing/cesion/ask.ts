import { Problem } from '../../../kernel/problem.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { EmpresaContext } from '../../context.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import { creditedOf } from '../credit-note/credited.ts'
import { requireDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import type { DocumentRow } from '../document/show.ts'
import { asSiiDocument } from '../document/show.ts'
import { lastDueDate } from './due-date.ts'
import { explained, type ReasonCode, reasonOfSii, reasonsAgainst, type Standing } from './reasons.ts'
import type { Cedibility } from './schema.ts'

/** What the SII said before the transaction opened; null when there was no need to ask it, or it did not answer. */
export interface Asked {
  readonly sii: Cedibility['sii']
}

export async function standingOf(ctx: EmpresaContext, document: DocumentRow): Promise<Standing> {
  const { emission_channel: channel } = await readEmisor(ctx)
  return { document, channel, credited: await creditedOf(ctx.sql, ctx.empresa, document) }
}

/** Asks the SII only about what nothing here stands in the way of. */
export async function askSii(ctx: EmpresaContext, path: DocumentPath): Promise<Asked> {
  const document = await requireDocument(ctx, path)
  if (reasonsAgainst(await standingOf(ctx, document)).length > 0) return { sii: null }
  const sent_at = document.sent_at ?? document.created_at
  const question = { empresa: ctx.empresa, document: asSiiDocument(document), sent_at, at: ctx.now() }
  return { sii: await ctx.ports.sii[ctx.account.mode].cedibilityOf(question) }
}

/** The same before a cesión: an SII that does not answer now is asked again before anything is sent to it. */
export async function askSiiIfItAnswers(ctx: EmpresaContext, path: DocumentPath): Promise<Asked> {
  return askSii(ctx, path).catch((error: unknown) => {
    if (error instanceof SiiUnreachable) return { sii: null }
    throw error
  })
}

/** And before an answer that is nothing but what it says. */
export async function askSiiForSure(ctx: EmpresaContext, path: DocumentPath): Promise<Asked> {
  return askSii(ctx, path).catch((error: unknown) => {
    throw error instanceof SiiUnreachable ? new Problem('sii_unreachable') : error
  })
}

export function allReasons(standing: Standing, { sii }: Asked): ReasonCode[] {
  const said = sii && reasonOfSii(sii)
  return [...reasonsAgainst(standing), ...(said ? [said] : [])]
}

const DAY_MS = 86_400_000
const RECEPTOR_DAYS = 8

/** Whether a document can be ceded now, and all that stands in the way. */
export async function tellCedible(ctx: EmpresaContext, input: DocumentPath & Asked): Promise<Cedibility> {
  const document = await requireDocument(ctx, input)
  const standing = await standingOf(ctx, document)
  const reasons = allReasons(standing, input)
  const { sent_at } = document
  return {
    object: 'cedibility',
    document: document.id,
    cedible: reasons.length === 0,
    reasons: explained(reasons),
    amount: standing.credited.annulment ? 0 : Math.max(0, standing.credited.left.total),
    due_date: lastDueDate(document.draft),
    receptor_answers_until: sent_at && new Date(sent_at.getTime() + RECEPTOR_DAYS * DAY_MS).toISOString(),
    sii: input.sii,
  }
}
