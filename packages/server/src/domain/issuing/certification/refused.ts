import type { FileKind, FileRow } from './file.ts'
import { supersedeFiles } from './file-store.ts'
import type { StageContext, StageOutcome } from './stage.ts'

/** The book that is made of the documents of a set, and is made again with them. That of sales is of the basic set where there is one. */
function bookOf(kind: FileKind, files: readonly FileRow[]): FileKind[] {
  if (kind === 'guias') return ['libro_guias']
  const sales = files.some((file) => file.kind === 'basico') ? 'basico' : 'exenta'
  return kind === sales ? ['libro_ventas'] : []
}

/**
 * What is said of files that the SII refused, and they are set aside with what is made of them, so that another try begins with
 * fresh folios and nothing stale. Null where none was refused. What was approved stays.
 */
export function giveUpRefused({ scope, step }: StageContext, files: readonly FileRow[]): StageOutcome | null {
  const refused = files.filter(({ status }) => status === 'refused')
  if (refused.length === 0) return null
  const kinds = [...new Set(refused.flatMap(({ kind }) => [kind, ...bookOf(kind, files)]))]
  const told = refused.map(({ kind, words, findings, track_id }) => ({ kind, words, findings, track_id }))
  const sentence = refused.map(({ words }) => words).find((words) => words !== null) ?? ''
  return {
    outcome: 'refused',
    sentence,
    details: { files: told },
    clear: (tx) => supersedeFiles(tx.sql, scope, step.key, kinds, tx.now()),
  }
}
