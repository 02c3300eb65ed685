import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { findEmisor, lockEmisor } from '../empresa/emisor.ts'
import { saveEmittingSince, saveTrack } from '../empresa/record-emission.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { blockedReason } from './block.ts'
import { tell } from './drive.ts'
import type { Lane, StepKey } from './lanes.ts'
import { onboardingStepMachine } from './machine.ts'
import { readBody } from './read.ts'
import { type Move, type StepStatus, TRIGGERS } from './settle.ts'
import type { OnboardingStatus } from './status.ts'
import { deleteSteps, insertSteps, listSteps, type StepRow, saveBlock, saveMove } from './store.ts'
import { stepsOfRow } from './walk.ts'

interface Point {
  readonly step: StepKey
  readonly status: StepStatus
}

/** Where a lane stands in each status that a rehearsal can begin at: at the first step that has it, and that tells most. */
export const POINTS: Readonly<Record<Lane, Readonly<Partial<Record<OnboardingStatus, Point>>>>> = {
  mercado: {
    mandato_pending: { step: 'mandato', status: 'action_required' },
    certificate_pending: { step: 'certificate', status: 'action_required' },
    action_required: { step: 'sii_postulacion', status: 'action_required' },
    certifying: { step: 'set_de_pruebas', status: 'in_progress' },
    blocked: { step: 'set_de_pruebas', status: 'failed' },
    waiting_sii: { step: 'resolucion', status: 'in_progress' },
    go_live_pending: { step: 'emitting', status: 'action_required' },
  },
  sfg: {
    mandato_pending: { step: 'mandato', status: 'action_required' },
    credential_pending: { step: 'credential', status: 'action_required' },
    action_required: { step: 'clave_centralizado', status: 'action_required' },
    waiting_sii: { step: 'emisor_verificado', status: 'in_progress' },
    blocked: { step: 'puesta_en_vivo', status: 'failed' },
    go_live_pending: { step: 'emitting', status: 'action_required' },
  },
}

/** A change of where a rehearsal stands, told as the world's would be. */
async function telling(
  tx: Settling,
  scope: EmpresaScope,
  change: (row: EmpresaRow) => Promise<readonly Move[]>,
): Promise<void> {
  const before = await lockEmisor(tx.sql, scope)
  if (!before) throw new Problem('empresa_not_found')
  const body_before = await readBody(tx, scope, before)
  const moves = await change(before)
  const after = (await findEmisor(tx.sql, scope)) as EmpresaRow
  tx.invalidate(scope.account_id)
  await tell(tx, scope, { before, after, body_before, moves })
}

/** Puts one step of a new rehearsal where it is to stand; one that failed was begun first. */
async function place(tx: Settling, scope: EmpresaScope, row: EmpresaRow, step: StepRow, to: StepStatus): Promise<void> {
  const way: readonly StepStatus[] = to === 'failed' ? ['in_progress', 'failed'] : [to]
  for (const status of way) {
    await advance(tx.sql, onboardingStepMachine, scope, step.id, TRIGGERS[status])
    await saveMove(tx.sql, scope, { key: step.key, to: status, tipos: row.doc_types, at: tx.now() })
  }
  if (to !== 'failed') return
  const blocked_reason = blockedReason('operator_refused', tx.now(), null)
  await saveBlock(tx.sql, scope, step.key, { blocked_reason, next_poll_at: null, looks: 0 })
}

/** Gives a sandbox empresa an onboarding that stands at a point of its lane, whatever it rehearsed before. It emits no more. */
export function beginRehearsal(tx: Settling, scope: EmpresaScope, lane: Lane, point: Point): Promise<void> {
  return telling(tx, scope, async () => {
    await deleteSteps(tx.sql, scope)
    await saveEmittingSince(tx.sql, scope, null)
    await saveTrack(tx.sql, scope, lane)
    const row = (await findEmisor(tx.sql, scope)) as EmpresaRow
    const keys = stepsOfRow(row)
    await insertSteps(tx.sql, scope, keys)
    const steps = await listSteps(tx.sql, scope)
    for (const key of keys.slice(0, keys.indexOf(point.step)))
      await place(tx, scope, row, steps.get(key) as StepRow, 'completed')
    await place(tx, scope, row, steps.get(point.step) as StepRow, point.status)
    return [{ key: point.step, trigger: TRIGGERS[point.status], to: point.status }]
  })
}

/** Ends it: the empresa emits as it was born to, and has no steps. */
export function endRehearsal(tx: Settling, scope: EmpresaScope): Promise<void> {
  return telling(tx, scope, async (row) => {
    await deleteSteps(tx.sql, scope)
    if (row.emitting_since === null) await saveEmittingSince(tx.sql, scope, tx.now())
    return []
  })
}
