import { isDeepStrictEqual } from 'node:util'
import { isStillApproved, prepare, unapproved } from './material.ts'
import { notDone, type Stage, type StageContext, type StageOutcome } from './stage.ts'
import { findStatements, saveStatements } from './statements.ts'
import { saveWords } from './store.ts'

/** The SII asks for no statements any more: of whoever has declared, by us or by anybody, its own page says so too. */
async function declaredBefore({ scope, sii }: StageContext): Promise<StageOutcome> {
  const told = await sii.progressOf({ empresa: scope })
  if (told.outcome !== 'done') return notDone(told)
  return told.step === 'finished' ? { outcome: 'done' } : { outcome: 'wait', block: 'sii_propagation' }
}

/** Reads what would be declared, so that the representante legal reads the SII's own words before they approve. */
async function read(at: StageContext, known: readonly string[] | null): Promise<StageOutcome | null> {
  const { scope, sii } = at
  const answer = await sii.complianceStatements({ empresa: scope })
  if (answer.outcome !== 'done') return notDone(answer)
  const { statements } = answer
  if (statements.length === 0) return declaredBefore(at)
  if (isDeepStrictEqual(statements, known)) return null
  return prepare(at, (tx) => saveStatements(tx.sql, scope, statements))
}

async function declare(at: StageContext): Promise<StageOutcome> {
  const { ctx, scope, step, sii } = at
  const approved_by = step.approval?.approved_by
  if (!approved_by) throw new Error('nobody approved the declaration of compliance')
  let withdrawn = false
  const still_wanted = async () => {
    withdrawn = !(await isStillApproved(at))
    return !withdrawn
  }
  const answer = await sii.declareCompliance({ empresa: scope, approved_by, still_wanted })
  if (withdrawn) return { outcome: 'again' }
  if (answer.outcome === 'refused' && answer.reason === 'step_passed') return { outcome: 'done' }
  if (answer.outcome !== 'done') return notDone(answer)
  await ctx.transact((tx) => saveWords(tx.sql, scope, answer.sentence, tx.now()))
  return { outcome: 'done' }
}

/**
 * The declaration of compliance, an irreversible legal statement: the SII's sentences are read, the representante legal approves
 * those very sentences, and they are declared once. They are read again before: other sentences are another approval, and none
 * are asked of whoever has declared, so that an answer that was lost is no second declaration.
 */
export const runCompliance: Stage = async (at) => {
  const known = await findStatements(at.ctx.sql, at.scope)
  return (await read(at, known)) ?? (await unapproved(at)) ?? declare(at)
}
