import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { findEmisor } from '../../platform/empresa/emisor.ts'
import { driveOnboarding } from '../../platform/onboarding/drive.ts'
import { dropDecision, findStep } from '../../platform/onboarding/open-step.ts'
import type { ApprovalMaterial } from '../../reactions.ts'
import { supersedeFiles } from './file-store.ts'
import { digestOf } from './samples.ts'
import { listSamples, SAMPLES_STEP } from './shown-samples.ts'
import { AGAIN, type StageContext, type StageOutcome } from './stage.ts'
import { digestOfStatements, findStatements } from './statements.ts'

type Find = (sql: Sql, scope: EmpresaScope) => Promise<ApprovalMaterial | null>

const MATERIAL: Readonly<Record<string, Find>> = {
  async [SAMPLES_STEP](sql, scope) {
    const samples = await listSamples(sql, scope)
    return samples.length === 0 ? null : { sha256: digestOf(samples), files: samples.length, statements: [] }
  },
  async cumplimiento(sql, scope) {
    const statements = await findStatements(sql, scope)
    return statements && { sha256: digestOfStatements(statements), files: 0, statements }
  },
}

/** What was prepared to be approved in a step; null where nothing is, or nothing yet. */
export async function materialOf(
  { sql }: { readonly sql: Sql },
  scope: EmpresaScope,
  step: string,
): Promise<ApprovalMaterial | null> {
  return (await MATERIAL[step]?.(sql, scope)) ?? null
}

/** Samples that were declined are printed anew, once something was changed; what the SII has declared is its own. */
export async function dropMaterial(
  { sql, now }: { readonly sql: Sql; readonly now: () => Date },
  scope: EmpresaScope,
  step: string,
): Promise<boolean> {
  if (step !== SAMPLES_STEP || (await listSamples(sql, scope)).length === 0) return false
  await supersedeFiles(sql, scope, SAMPLES_STEP, ['sample'], now())
  return true
}

/** Records what was prepared, in one transaction with the question to whoever approves it. */
export async function prepare(at: StageContext, work: (tx: JobTransaction) => Promise<void>): Promise<StageOutcome> {
  await at.ctx.transact(async (tx) => {
    await work(tx)
    await driveOnboarding(tx, at.scope)
  })
  return AGAIN
}

/** Null where what was prepared is what was approved. Whoever approved something else is asked again. */
export async function unapproved(at: StageContext): Promise<StageOutcome | null> {
  const { scope, step } = at
  const material = await materialOf(at.ctx, scope, step.key)
  const approved = step.approved_at !== null && step.approval?.shown === material?.sha256
  return approved ? null : prepare(at, (tx) => dropDecision(tx.sql, scope, step.key))
}

/**
 * Whether a step is still as it was when its act began: ours, approved, of an empresa whose mandato stands. Asked by an act of
 * several calls before the one that counts.
 */
export async function isStillApproved({ ctx, scope, step }: StageContext): Promise<boolean> {
  const now = await findStep(ctx.sql, scope, step.key)
  const row = await findEmisor(ctx.sql, scope)
  if (!now || row?.status !== 'active' || now.moves !== step.moves) return false
  return now.approved_at !== null && now.handed_over === null && now.taken_by === null
}
