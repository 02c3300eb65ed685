import { santiagoDate } from '@timbre/dte/values'
import type { CertificationAdvance, CertificationSetKind } from '../../../ports/sii-certification.ts'
import type { FileKind, FileRow } from './file.ts'
import { moveFiles, saveFileWords } from './file-store.ts'
import { AGAIN, notDone, type StageContext, type StageOutcome } from './stage.ts'
import { saveWords } from './store.ts'

/** What the SII calls the kinds of file that are declared. */
const DECLARED: Readonly<Partial<Record<FileKind, CertificationSetKind>>> = {
  basico: 'basico',
  guias: 'guias',
  exenta: 'exenta',
  compra: 'factura_compra',
  libro_ventas: 'libro_ventas',
  libro_compras: 'libro_compras',
  libro_guias: 'libro_guias',
  simulacion: 'simulacion',
}

function declaredAs({ kind }: FileRow): CertificationSetKind {
  const name = DECLARED[kind]
  if (!name) throw new TypeError(`${kind} is declared nowhere`)
  return name
}

const rowOf = ({ sets }: CertificationAdvance, file: FileRow) => sets.find(({ kind }) => kind === declaredAs(file))

/** The SII has this very file, and not one of an attempt before. */
function isAbout(file: FileRow, set: CertificationAdvance['sets'][number]): boolean {
  return set.track_id === null || file.track_id === null || Number(set.track_id) === Number(file.track_id)
}

/** Records what the table of the SII says of files that it reviews, or has reviewed. */
async function record({ ctx, scope }: StageContext, files: readonly FileRow[], advance: CertificationAdvance) {
  let moved = 0
  await ctx.transact(async (tx) => {
    for (const file of files) {
      const set = rowOf(advance, file)
      if (!set || !isAbout(file, set)) continue
      const { state, words } = set
      const now = tx.now()
      const trigger = state === 'approved' ? 'approved' : state === 'refused' ? 'refused' : null
      if (trigger) moved += await moveFiles(tx.sql, scope, [file.id], trigger, now, { words })
      else if (state === 'in_review' && file.status === 'taken')
        moved += await moveFiles(tx.sql, scope, [file.id], 'declared', now, { words })
      else await saveFileWords(tx.sql, scope, [file.id], words)
    }
    if (advance.sentence !== null) await saveWords(tx.sql, scope, advance.sentence, tx.now())
  })
  return moved
}

/** Declares files that the SII has taken, so that it reviews them. Those that it knows already are not declared again. */
async function declare(at: StageContext, files: readonly FileRow[]): Promise<StageOutcome> {
  const { ctx, scope, sii } = at
  const told = await sii.advanceOf({ empresa: scope })
  if (told.outcome !== 'done') return notDone(told)
  const known = files.filter((file) => {
    const set = rowOf(told, file)
    return set !== undefined && set.track_id !== null && isAbout(file, set) && set.state !== 'to_do'
  })
  if (known.length > 0 && (await record(at, known, told)) > 0) return AGAIN
  const sets = files.map((file) => ({
    kind: declaredAs(file),
    track_id: file.track_id as string,
    date: santiagoDate(file.sent_at as Date),
  }))
  const answer = await sii.declare({ empresa: scope, sets })
  if (answer.outcome !== 'done') return notDone(answer)
  await ctx.transact(async (tx) => {
    const now = tx.now()
    const of = (kind: CertificationSetKind) => files.filter((file) => declaredAs(file) === kind).map(({ id }) => id)
    for (const kind of answer.taken) {
      const words = answer.advance.sets.find((set) => set.kind === kind)?.words
      await moveFiles(tx.sql, scope, of(kind), 'declared', now, words === undefined ? {} : { words })
    }
    for (const { kind, sentence } of answer.refused)
      await moveFiles(tx.sql, scope, of(kind), 'refused', now, { words: sentence })
    if (answer.advance.sentence !== null) await saveWords(tx.sql, scope, answer.advance.sentence, now)
  })
  return AGAIN
}

/**
 * Has files reviewed that the SII took, and reads what became of it. Null when each of them was approved or refused. A review
 * takes minutes to days, and only the SII's table tells how it ended.
 */
export async function reviewFiles(at: StageContext, files: readonly FileRow[]): Promise<StageOutcome | null> {
  const taken = files.filter(({ status }) => status === 'taken')
  if (taken.length > 0) return declare(at, taken)
  const in_review = files.filter(({ status }) => status === 'in_review')
  if (in_review.length === 0) return null
  const told = await at.sii.advanceOf({ empresa: at.scope })
  if (told.outcome !== 'done') return notDone(told)
  if ((await record(at, in_review, told)) > 0) return AGAIN
  const words = in_review.map((file) => rowOf(told, file)?.words).find((one) => one !== undefined) ?? null
  return { outcome: 'wait', words, block: 'sii_reviewing' }
}
