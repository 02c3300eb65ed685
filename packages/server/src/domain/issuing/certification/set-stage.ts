import type { CertificationSet } from '@timbre/certification'
import { addMonths, periodOf, santiagoDate } from '@timbre/dte/values'
import { bookPeriods } from './book-periods.ts'
import { buildSet } from './build.ts'
import type { FileRow, SetRow } from './file.ts'
import { listFiles, listSentBooks } from './file-store.ts'
import { goOn } from './go-on.ts'
import { planInputs } from './inputs.ts'
import { giveUpRefused } from './refused.ts'
import { resolucionOn } from './resolucion.ts'
import { reviewFiles } from './review.ts'
import { sendFiles } from './send.ts'
import { AGAIN, notDone, type Stage, type StageContext, type StageOutcome } from './stage.ts'
import { findCertification, findSet, insertSet } from './store.ts'

/** The SII voids a set two months after it handed it out (manual of certification). */
const LIFE_MONTHS = 2

export function lastDayOf({ downloaded_on }: Pick<SetRow, 'downloaded_on'>): string {
  return addMonths(downloaded_on, LIFE_MONTHS)
}

/** A set of ours to begin with, or in place of one that the SII has voided. */
async function requestSet({ ctx, scope, sii }: StageContext): Promise<StageOutcome> {
  const answer = await sii.requestSet({ empresa: scope })
  if (answer.outcome !== 'done') return notDone(answer)
  await ctx.transact((tx) => {
    const received_at = tx.now()
    const downloaded_on = santiagoDate(received_at)
    return insertSet(tx.sql, scope, { kind: 'facturas', source: 'sii', file: answer.file, downloaded_on, received_at })
  })
  return AGAIN
}

/** Whatever is not understood of a set but what we refuse by name. Nothing of it is sent then. */
export function notUnderstood({ sections }: CertificationSet): string | null {
  const found = sections
    .filter(({ kind }) => kind !== 'exportacion')
    .flatMap(({ not_understood }) => not_understood)
    .map(({ line, text, why }) => `línea ${line} («${text}»): ${why}`)
  return found.length === 0 ? null : found.join(' · ')
}

/** What somebody handed in they can hand in again, corrected; of what the SII wrote a person of ours makes sense. */
export function cannotRead({ source }: Pick<SetRow, 'source'>, odd: string): StageOutcome {
  if (source === 'file') return { outcome: 'refused', block: 'preflight_failed', sentence: odd }
  return { outcome: 'operator', why: `No se entiende el set: ${odd}` }
}

const isBook = ({ kind }: FileRow): boolean => kind.startsWith('libro_')

/** Books are refused until the documents that they are made of were approved. */
async function advanceWave(at: StageContext, wave: readonly FileRow[], resolucion_on: string) {
  return (await sendFiles(at, wave, resolucion_on)) ?? (await reviewFiles(at, wave)) ?? giveUpRefused(at, wave)
}

/**
 * The set of tests: one document a case and the books, each sent, declared and reviewed. What the SII approved stands, whatever
 * becomes of the others.
 */
export const runSet: Stage = async (at) => {
  const { ctx, scope, step } = at
  const known = await resolucionOn(at)
  if ('outcome' in known) return known
  const set = await findSet(ctx.sql, scope, 'facturas')
  const files = set ? await listFiles(ctx.sql, scope, step.key) : []
  const all_approved = files.length > 0 && files.every(({ status }) => status === 'approved')
  if (!set || (!all_approved && lastDayOf(set) < santiagoDate(ctx.now()))) return requestSet(at)
  const { readSet } = await import('@timbre/certification')
  const content = readSet(set.file)
  const odd = notUnderstood(content)
  if (odd) return cannotRead(set, odd)
  if (missesFiles(content, files)) {
    const { inputs: given } = await findCertification(ctx.sql, scope)
    const issue_date = dayOf(files) ?? santiagoDate(ctx.now())
    const book_periods = bookPeriods(periodOf(issue_date), await listSentBooks(ctx.sql, scope))
    const inputs = { ...planInputs(at, given, { resolucion_date: known.on, issue_date }), book_periods }
    return buildSet(at, { set, content, inputs, kept: files })
  }
  const documents = files.filter((file) => !isBook(file))
  const books = files.filter(isBook)
  return (
    (await advanceWave(at, documents, known.on)) ??
    (await advanceWave(at, books, known.on)) ??
    goOn(at, 'set_de_pruebas')
  )
}

/** The day of what stands: documents and books of one set are of one month. */
function dayOf(files: readonly FileRow[]): string | null {
  const [first] = files.flatMap(({ plan }) => (plan?.step === 'envelope' ? plan.documents : []))
  return first?.dte.issue_date ?? null
}

/** Whether a section that can be built has no file. */
function missesFiles({ sections }: CertificationSet, files: readonly FileRow[]): boolean {
  return sections
    .filter(({ kind }) => kind !== 'exportacion' && kind !== 'boletas')
    .some(({ kind, attention }) => !files.some(({ plan }) => plan?.section === kind && plan.attention === attention))
}
