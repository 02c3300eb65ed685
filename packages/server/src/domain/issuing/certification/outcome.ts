import { isDeepStrictEqual } from 'node:util'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { recordEvidence } from '../../platform/evidence/record.ts'
import { blockedReason } from '../../platform/onboarding/block.ts'
import { failStep, finishStep } from '../../platform/onboarding/finish.ts'
import { handOver } from '../../platform/onboarding/hand-over.ts'
import { findStep, holdUp, type StepRow } from '../../platform/onboarding/open-step.ts'
import type { StageOutcome } from './stage.ts'

interface Asked {
  readonly row: EmpresaRow
  readonly step: StepRow
  /** Something was done since the last look: patience begins anew. */
  readonly moved: boolean
}

async function fail(
  tx: JobTransaction,
  scope: EmpresaScope,
  { key }: StepRow,
  { block = 'sii_refused', sentence, details, clear }: Extract<StageOutcome, { outcome: 'refused' }>,
): Promise<void> {
  await clear?.(tx)
  await failStep(tx, scope, key, blockedReason(block, tx.now(), null, { sentence, ...details }))
}

async function finish(tx: JobTransaction, scope: EmpresaScope, { key }: StepRow): Promise<void> {
  const nobody = { actor: null, document: null, ip: null, user_agent: null }
  await recordEvidence(tx, scope, { step: key, act: 'sii_confirmed', via: 'sii', ...nobody })
  await finishStep(tx, scope, key)
}

/**
 * Applies what an act came to, to the step as it stands now, and says when to look again; null when there is nothing to look at
 * any more. What the SII said of a step that somebody closed meanwhile, or of tipos that were changed, moves nothing.
 */
export async function applyOutcome(
  tx: JobTransaction,
  scope: EmpresaScope,
  asked: Asked,
  outcome: Exclude<StageOutcome, { outcome: 'again' }>,
): Promise<Date | null> {
  const row = await lockEmisor(tx.sql, scope)
  const step = await findStep(tx.sql, scope, asked.step.key)
  if (!row || !step || step.moves !== asked.step.moves) return tx.now()
  if (row.status !== asked.row.status || !isDeepStrictEqual(row.doc_types, asked.row.doc_types)) return tx.now()
  const waiting = asked.moved ? { ...step, looks: 0 } : step
  switch (outcome.outcome) {
    case 'wait': {
      const words = outcome.words ?? null
      return holdUp(tx, scope, waiting, outcome.block ?? 'sii_reviewing', words === null ? {} : { sentence: words })
    }
    case 'inputs':
      return holdUp(tx, scope, waiting, 'inputs_missing', { inputs: outcome.missing })
    case 'operator':
      await handOver(tx, scope, step.key, outcome.why)
      return null
    case 'refused':
      await fail(tx, scope, step, outcome)
      return null
    case 'done':
      await finish(tx, scope, step)
      return null
  }
}
