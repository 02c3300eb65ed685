import { MODES } from '../../../catalog/modes.ts'
import { advance } from '../../../kernel/advance.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import type { Settling } from '../../reactions.ts'
import { findEmisor, lockEmisor } from '../empresa/emisor.ts'
import { saveBoletaEmission, saveEmittingSince } from '../empresa/record-emission.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import type { Empresa } from '../empresa/schema.ts'
import { showEmpresa } from '../empresa/show.ts'
import { mandatoOf } from '../mandato/lookup.ts'
import { executionOf, listSwitches } from './execution.ts'
import { factsOf, isOutgrown, stateOf, tiposWithFolios } from './facts.ts'
import { follow } from './follow.ts'
import { STEP_KEYS, type StepKey, stepOf } from './lanes.ts'
import { onboardingStepMachine } from './machine.ts'
import { readBody } from './read.ts'
import { isClosed, type Move, settle } from './settle.ts'
import { insertSteps, listSteps, type StepRow, saveDecision, saveMove } from './store.ts'
import { isBoleta, stepsOfRow, tiposOfCertification } from './walk.ts'

const MANY = 20

/**
 * Whether anything moves: an empresa of the sandbox has no steps unless it rehearses them, and one that is suspended keeps
 * the position it held.
 */
function walks(row: EmpresaRow): boolean {
  if (row.status !== 'active') return false
  return row.steps !== null || MODES[row.mode].onboarding_starts_at !== 'emitting'
}

const PREPARING = STEP_KEYS.filter((key) => stepOf(key).prepares)

/** Steps whose approval waits for the job that prepares what has to be approved. */
async function preparing(
  tx: Settling,
  scope: EmpresaScope,
  row: EmpresaRow,
  steps: ReadonlyMap<StepKey, StepRow>,
): Promise<StepKey[]> {
  if (tiposOfCertification(row).length === 0) return []
  const switches = await listSwitches(tx)
  const keys = PREPARING.filter((key) => executionOf(key, switches, steps.get(key)) === 'automatic')
  const without: StepKey[] = []
  for (const key of keys) if ((await tx.reactions.materialOf(tx, scope, key)) === null) without.push(key)
  return without
}

async function known(tx: Settling, scope: EmpresaScope, row: EmpresaRow, steps: ReadonlyMap<StepKey, StepRow>) {
  const tipos = tiposWithFolios(row)
  return {
    preparing: await preparing(tx, scope, row, steps),
    mandato_signed: (await mandatoOf(tx.sql, scope)).status === 'signed',
    tipos_without_folios: await tx.reactions.tiposWithoutFolios(tx, scope, tipos),
  }
}

/** Boletas may leave once the SII enabled them and the first folios of each declared tipo of theirs are in. */
function boletasReady(row: EmpresaRow, steps: ReadonlyMap<StepKey, StepRow>, without: readonly number[]): boolean {
  const boletas = row.doc_types.filter(isBoleta)
  const enabled = isClosed(steps.get('habilitacion')?.status ?? 'pending')
  return (
    row.boleta_emission_enabled_at === null &&
    boletas.length > 0 &&
    enabled &&
    !boletas.some((t) => without.includes(t))
  )
}

/** Applies what follows from a settled step to the empresa itself. */
async function applyToEmpresa(
  tx: Settling,
  scope: EmpresaScope,
  row: EmpresaRow,
  steps: ReadonlyMap<StepKey, StepRow>,
  without: readonly number[],
): Promise<boolean> {
  const live = steps.get('emitting')?.status === 'completed' && row.emitting_since === null
  const boletas = boletasReady(row, steps, without)
  if (live) await saveEmittingSince(tx.sql, scope, tx.now())
  if (boletas) await saveBoletaEmission(tx.sql, scope, tx.now())
  return live || boletas
}

/** An approval that was given for fewer tipos than are declared now is asked for again. */
async function dropOutgrown(tx: Settling, scope: EmpresaScope, row: EmpresaRow): Promise<Map<StepKey, StepRow>> {
  const steps = await listSteps(tx.sql, scope)
  const outgrown = [...steps.values()].filter((step) => isOutgrown(row, step))
  for (const { key } of outgrown) await saveDecision(tx.sql, scope, key, null, null)
  return outgrown.length === 0 ? steps : listSteps(tx.sql, scope)
}

/** Moves the steps as far as they go; a step that closes may open what closes by itself. */
async function moveAll(tx: Settling, scope: EmpresaScope): Promise<Move[]> {
  const made: Move[] = []
  for (let round = 0; round < MANY; round++) {
    const row = await findEmisor(tx.sql, scope)
    if (!row) break
    const steps = await dropOutgrown(tx, scope, row)
    const facts = await known(tx, scope, row, steps)
    const states = new Map([...steps].map(([key, step]) => [key, stateOf(step)]))
    const moves = settle(factsOf(row, facts, tx.now()), states)
    for (const move of moves) {
      const step = steps.get(move.key)
      if (!step) continue
      await advance(tx.sql, onboardingStepMachine, scope, step.id, move.trigger)
      await saveMove(tx.sql, scope, { key: move.key, to: move.to, tipos: row.doc_types, at: tx.now() })
    }
    made.push(...moves)
    const changed = await applyToEmpresa(tx, scope, row, await listSteps(tx.sql, scope), facts.tipos_without_folios)
    if (moves.length === 0 && !changed) break
  }
  return made
}

/**
 * Brings the onboarding of an empresa in line with what is known, in the transaction of whatever changed it: steps move,
 * events tell, the SII is asked about the step that waits for it. Called twice it changes nothing the second time.
 */
export async function driveOnboarding(tx: Settling, scope: EmpresaScope): Promise<void> {
  const before = await lockEmisor(tx.sql, scope)
  if (!before || !walks(before)) return
  const body_before = await readBody(tx, scope, before)
  await insertSteps(tx.sql, scope, stepsOfRow(before))
  const moves = await moveAll(tx, scope)
  const after = (await findEmisor(tx.sql, scope)) as EmpresaRow
  await follow(tx, scope, after)
  tx.invalidate(scope.account_id)
  await tell(tx, scope, { before, after, body_before, moves })
}

interface Told {
  readonly before: EmpresaRow
  readonly after: EmpresaRow
  readonly body_before: Awaited<ReturnType<typeof readBody>>
  readonly moves: readonly Move[]
}

/** The event of each step that was completed, then what the whole came to. */
export async function tell(
  tx: Settling,
  scope: EmpresaScope,
  { before, after, body_before, moves }: Told,
): Promise<void> {
  const about = { empresa: { id: scope.empresa_id, rut: scope.rut } }
  const object = await readBody(tx, scope, after)
  const previous_attributes = previousAttributes(body_before, object)
  if (!previous_attributes) return
  const event = { ...about, object, previous_attributes }
  const completed = moves.filter(({ to }) => to === 'completed')
  for (const { key } of completed)
    tx.emit({ type: 'empresa.onboarding.step.completed', ...event, detail: { step: key } })
  const went_live = before.emitting_since === null && after.emitting_since !== null
  const awaited = moves.find(({ to }) => to === 'action_required')
  if (went_live) tx.emit({ type: 'empresa.onboarding.completed', ...event })
  else if (awaited) tx.emit({ type: 'empresa.onboarding.action_required', ...event, detail: { step: awaited.key } })
  else if (completed.length === 0) tx.emit({ type: 'empresa.onboarding.updated', ...event })
  // Where the onboarding stands is told by its own events: this one tells of what the empresa can do since.
  const changed = previousAttributes(beside(before, tx), beside(after, tx))
  if (changed)
    tx.emit({ type: 'empresa.updated', object: showEmpresa(after, tx), previous_attributes: changed, ...about })
}

function beside(row: EmpresaRow, tx: Settling): Omit<Empresa, 'onboarding'> {
  const { onboarding: _, ...empresa } = showEmpresa(row, tx)
  return empresa
}
