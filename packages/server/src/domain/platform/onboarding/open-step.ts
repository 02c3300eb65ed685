import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { blockedReason } from './block.ts'
import type { BlockName } from './copy.ts'
import { nextLook } from './follow.ts'
import type { StepKey } from './lanes.ts'
import { listSteps, type StepRow, saveBlock, saveDecision } from './store.ts'
import { tellChange } from './tell-change.ts'

export type { StepRow } from './store.ts'

export async function findStep(sql: Sql, scope: EmpresaScope, key: StepKey): Promise<StepRow | null> {
  return (await listSteps(sql, scope)).get(key) ?? null
}

/** Says what holds a step up, and when it is looked at again, at growing intervals. What was found before is no news. */
export async function holdUp(
  tx: Settling,
  scope: EmpresaScope,
  step: StepRow,
  block: BlockName,
  details: Readonly<Record<string, unknown>> = {},
): Promise<Date> {
  const next_poll_at = nextLook(step.looks, tx.now())
  const blocked_reason = blockedReason(block, tx.now(), step.blocked_reason, details)
  const save = () => saveBlock(tx.sql, scope, step.key, { blocked_reason, next_poll_at, looks: step.looks + 1 })
  if (isDeepStrictEqual(blocked_reason, step.blocked_reason)) await save()
  else await tellChange(tx, scope, save)
  return next_poll_at
}

/** What was decided was about something else: it counts no more, and whoever decides is asked again. */
export function dropDecision(sql: Sql, scope: EmpresaScope, key: StepKey): Promise<void> {
  return saveDecision(sql, scope, key, null, null)
}
