import type { FileKind, FileRow } from './file.ts'
import { supersedeFiles } from './file-store.ts'
import type { StageContext, StageOutcome } from './stage.ts'

/** Files that are made of others: a book is of the documents of a set, and is made again with them. */
const MADE_OF: Readonly<Partial<Record<FileKind, readonly FileKind[]>>> = {
  basico: ['libro_ventas'],
  guias: ['libro_guias'],
  exenta: ['libro_ventas'],
}

/**
 * What is said of files that the SII refused, and they are set aside with what is made of them, so that another try begins with
 * fresh folios and nothing stale. Null where none was refused. What was approved stays.
 */
export function giveUpRefused({ scope, step }: StageContext, files: readonly FileRow[]): StageOutcome | null {
  const refused = files.filter(({ status }) => status === 'refused')
  if (refused.length === 0) return null
  const kinds = new Set(refused.map(({ kind }) => kind))
  for (const kind of [...kinds])
    for (const made of MADE_OF[kind] ?? [])
      if (files.some((file) => file.kind === made && file.status !== 'approved')) kinds.add(made)
  const told = refused.map(({ kind, words, findings, track_id }) => ({ kind, words, findings, track_id }))
  const sentence = refused.map(({ words }) => words).find((words) => words !== null) ?? ''
  return {
    outcome: 'refused',
    sentence,
    details: { files: told },
    clear: (tx) => supersedeFiles(tx.sql, scope, step.key, [...kinds], tx.now()),
  }
}
