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

/** How long the SII may take to show a file under the track id that it gave. */
const UNKNOWN_MS = 3_600_000

async function look({ ctx, scope, sii }: StageContext, { id, track_id, sent_at }: FileRow): Promise<StageOutcome> {
  if (track_id === null) throw new Error(`the file ${id} was sent and has no track id`)
  const { outcome, estado, glosa } = await sii.uploadStateOf({ empresa: scope, track_id })
  const words = glosa === null ? estado : `${estado}: ${glosa}`
  return ctx.transact(async (tx) => {
    const now = tx.now()
    const gone = outcome === 'unknown' && sent_at !== null && now.getTime() - sent_at.getTime() >= UNKNOWN_MS
    const ended = gone ? 'lost' : outcome
    await saveWords(tx.sql, scope, words, now)
    if (ended === 'pending' || ended === 'unknown') {
      await saveFileWords(tx.sql, scope, [id], words)
      return { outcome: 'wait', words }
    }
    await moveFiles(tx.sql, scope, [id], MOVES[ended], now, { words })
    return AGAIN
  })
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
