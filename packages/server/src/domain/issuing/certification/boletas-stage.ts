import { santiagoDate } from '@timbre/dte/values'
import { buildSet } from './build.ts'
import type { FileRow, SetKind, SetRow } from './file.ts'
import { listFiles, moveFiles, saveFileWords } from './file-store.ts'
import { planInputs } from './inputs.ts'
import { giveUpRefused } from './refused.ts'
import { resolucionOn } from './resolucion.ts'
import { sendFiles } from './send.ts'
import { cannotRead, lastDayOf, notUnderstood } from './set-stage.ts'
import { AGAIN, notDone, type Stage, type StageContext, type StageOutcome } from './stage.ts'
import { findCertification, findSet, insertSet, saveWords } from './store.ts'

type BoletaSet = Exclude<SetKind, 'facturas'>

/** The tipo that each of the SII's two sets of boletas is about. */
const TIPOS: Readonly<Record<BoletaSet, number>> = { boletas: 39, boletas_exentas: 41 }

async function requestSet(at: StageContext, kind: BoletaSet): Promise<StageOutcome> {
  const { ctx, scope, sii } = at
  const order = { empresa: scope, exempt: kind === 'boletas_exentas', provider_email: ctx.addresses.operator_email }
  const answer = await sii.boletas.requestSet(order)
  if (answer.outcome !== 'done') return notDone(answer)
  await ctx.transact((tx) => {
    const received_at = tx.now()
    const downloaded_on = santiagoDate(received_at)
    return insertSet(tx.sql, scope, { kind, source: 'sii', file: answer.file, downloaded_on, received_at })
  })
  return AGAIN
}

/** The envelope of boletas, by whose track id a review is asked for; the notes and the RVD go beside it. */
const isReviewed = ({ plan, position }: FileRow): boolean => plan?.step === 'envelope' && position === 0

/** Asks for the review of one set once everything of it was taken, unless the SII has it, and reads what came of it. */
async function reviewBoletas(
  at: StageContext,
  kind: BoletaSet,
  files: readonly FileRow[],
): Promise<StageOutcome | null> {
  const { ctx, scope, sii } = at
  const reviewed = files.find(isReviewed)
  if (!reviewed || reviewed.status === 'approved' || reviewed.status === 'refused') return null
  const told = await sii.boletas.reviewOf({ empresa: scope, exempt: kind === 'boletas_exentas' })
  if (told.outcome !== 'done') return notDone(told)
  const ids = files.map(({ id }) => id)
  if (told.state === 'to_do' || (told.state === 'refused' && reviewed.status === 'taken')) {
    const answer = await sii.boletas.requestReview({ empresa: scope, track_id: reviewed.track_id as string })
    if (answer.outcome !== 'done') return notDone(answer)
    await ctx.transact((tx) => moveFiles(tx.sql, scope, ids, 'declared', tx.now(), { words: answer.sentence }))
    return AGAIN
  }
  const { state, words, findings } = told
  await ctx.transact(async (tx) => {
    const now = tx.now()
    if (state === 'in_review') await saveFileWords(tx.sql, scope, ids, words)
    else await moveFiles(tx.sql, scope, ids, state, now, { words, findings })
    if (state === 'in_review' && reviewed.status === 'taken') await moveFiles(tx.sql, scope, ids, 'declared', now)
    await saveWords(tx.sql, scope, words, now)
  })
  return state === 'in_review' ? { outcome: 'wait', words, block: 'sii_reviewing' } : AGAIN
}

async function certifySet(at: StageContext, kind: BoletaSet): Promise<StageOutcome | null> {
  const { ctx, scope, step } = at
  const set = await findSet(ctx.sql, scope, kind)
  const files = (await listFiles(ctx.sql, scope, step.key)).filter((file) => file.kind === kind)
  const approved = files.length > 0 && files.every(({ status }) => status === 'approved')
  if (approved) return null
  if (!set || lastDayOf(set) < santiagoDate(ctx.now())) return requestSet(at, kind)
  // Whoever certifies nothing but boletas is authorised to try by asking for their set.
  const known = await resolucionOn(at)
  if ('outcome' in known) return known
  if (files.length === 0) return build(at, kind, set, known.on)
  return (await sendFiles(at, files, known.on)) ?? (await reviewBoletas(at, kind, files)) ?? giveUpRefused(at, files)
}

async function build(at: StageContext, kind: BoletaSet, set: SetRow, resolucion_date: string): Promise<StageOutcome> {
  const { ctx, scope } = at
  const { readSet } = await import('@timbre/certification')
  const content = readSet(set.file)
  const odd = notUnderstood(content)
  if (odd) return cannotRead(set, odd)
  const { inputs: given } = await findCertification(ctx.sql, scope)
  const inputs = planInputs(at, given, { resolucion_date, issue_date: santiagoDate(ctx.now()) })
  return buildSet(at, { set, content, inputs, kept: [], kind })
}

/** The declaration of the representante legal, who approved it before the step began. Made before, it is not made again. */
async function declareCompliance(at: StageContext, kind: BoletaSet): Promise<StageOutcome> {
  const { ctx, scope, step, sii } = at
  const told = await sii.boletas.reviewOf({ empresa: scope, exempt: kind === 'boletas_exentas' })
  if (told.outcome !== 'done') return notDone(told)
  if (told.declared) return { outcome: 'done' }
  const approved_by = step.approval?.approved_by
  if (!approved_by) throw new Error('nobody approved the declaration of boletas')
  const answer = await sii.boletas.declareCompliance({ empresa: scope, approved_by })
  if (answer.outcome !== 'done') return notDone(answer)
  await ctx.transact((tx) => saveWords(tx.sql, scope, answer.sentence, tx.now()))
  return { outcome: 'done' }
}

/** Boletas are certified apart from the rest: a set for each tipo, its RVD, a review, and a declaration of their own. */
export const runBoletas: Stage = async (at) => {
  const kinds = (Object.keys(TIPOS) as BoletaSet[]).filter((kind) => at.row.doc_types.includes(TIPOS[kind]))
  for (const kind of kinds) {
    const outcome = await certifySet(at, kind)
    if (outcome) return outcome
  }
  return declareCompliance(at, kinds[0] as BoletaSet)
}
