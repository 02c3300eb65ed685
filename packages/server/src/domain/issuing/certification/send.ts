import type { PlanStep } from '@timbre/certification'
import type { CertificationUploadState } from '../../../ports/sii-certification.ts'
import type { FileRow } from './file.ts'
import { contentOf, moveFiles, saveFileWords } from './file-store.ts'
import { signFile } from './sign.ts'
import { AGAIN, notDone, type StageContext, type StageOutcome } from './stage.ts'
import { saveWords } from './store.ts'

const isPlanned = (file: FileRow): file is FileRow & { readonly plan: PlanStep } => file.plan !== null

/** Signed once and stored before it is sent. */
async function sign(at: StageContext, file: FileRow, resolucion_on: string): Promise<StageOutcome> {
  if (!isPlanned(file)) throw new Error(`the file ${file.id} has nothing to be signed`)
  const content = await signFile(at, file, resolucion_on)
  await at.ctx.transact((tx) => moveFiles(tx.sql, at.scope, [file.id], 'signed', tx.now(), { content }))
  return AGAIN
}

async function upload({ ctx, scope, sii }: StageContext, { id, file_name }: FileRow): Promise<StageOutcome> {
  const file = await contentOf(ctx.sql, scope, id)
  if (!file) throw new Error(`the file ${id} is signed and has no bytes`)
  const answer = await sii.upload({ empresa: scope, file_name, file })
  if (answer.outcome === 'operator') return notDone(answer)
  await ctx.transact(async (tx) => {
    const now = tx.now()
    if (answer.outcome === 'done')
      await moveFiles(tx.sql, scope, [id], 'sent', now, { track_id: answer.track_id, sent_at: now })
    else await moveFiles(tx.sql, scope, [id], 'refused', now, { words: answer.sentence })
  })
  return AGAIN
}

/** What a file came to. A reparo ends it too: the SII reviews no set with one. */
const MOVES = {
  accepted: 'taken',
  reparo: 'refused',
  rejected: 'refused',
  mixed: 'refused',
  lost: 'lost',
} as const satisfies Partial<Record<CertificationUploadState['outcome'], string>>

async function look({ ctx, scope, sii }: StageContext, { id, track_id }: FileRow): Promise<StageOutcome> {
  if (track_id === null) throw new Error(`the file ${id} was sent and has no track id`)
  const { outcome, estado, glosa } = await sii.uploadStateOf({ empresa: scope, track_id })
  const words = glosa === null ? estado : `${estado}: ${glosa}`
  await ctx.transact(async (tx) => {
    if (outcome === 'pending') await saveFileWords(tx.sql, scope, [id], words)
    else await moveFiles(tx.sql, scope, [id], MOVES[outcome], tx.now(), { words })
    await saveWords(tx.sql, scope, words, tx.now())
  })
  return outcome === 'pending' ? { outcome: 'wait', words } : AGAIN
}

/**
 * Brings files one act nearer to where the SII has taken them, in their order. Null when none of them is on its way any more:
 * each was taken, or refused, or is further on.
 */
export async function sendFiles(
  at: StageContext,
  files: readonly FileRow[],
  resolucion_on: string,
): Promise<StageOutcome | null> {
  const planned = files.find(({ status }) => status === 'planned')
  if (planned) return sign(at, planned, resolucion_on)
  const signed = files.find(({ status }) => status === 'signed')
  if (signed) return upload(at, signed)
  const sent = files.filter(({ status }) => status === 'sent')
  let waits: StageOutcome | null = null
  for (const file of sent) {
    const outcome = await look(at, file)
    if (outcome.outcome !== 'wait') return outcome
    waits = outcome
  }
  return waits
}
