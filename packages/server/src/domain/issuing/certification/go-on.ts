import type { CertificationStep } from '../../../ports/sii-certification.ts'
import { notDone, type StageContext, type StageOutcome } from './stage.ts'
import { saveWords } from './store.ts'

/** Everything of a step is approved: the SII goes on to the next, unless it did already. */
export async function goOn({ ctx, scope, sii }: StageContext, from: CertificationStep): Promise<StageOutcome> {
  const answer = await sii.goOn({ empresa: scope, from })
  if (answer.outcome === 'refused' && answer.reason === 'step_not_finished')
    return { outcome: 'wait', words: answer.sentence, block: 'sii_reviewing' }
  if (answer.outcome !== 'done') return notDone(answer)
  await ctx.transact((tx) => saveWords(tx.sql, scope, answer.sentence, tx.now()))
  return { outcome: 'done' }
}
