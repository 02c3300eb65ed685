import { advanceMany } from '../../../kernel/advance.ts'
import { part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Acting } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { unlockPeriod } from '../rcv/period-lock.ts'
import type { FilingError } from './filing-schema.ts'
import { type FilingRow, showFiling } from './filing-show.ts'
import { type FilingTrigger, filingMachine } from './machine.ts'
import { carryOver } from './propose.ts'

type MoveContext = Pick<Acting, 'sql' | 'now' | 'emit' | 'enqueue'>

export interface FilingFacts {
  readonly track_id?: string
  readonly folio?: string
  readonly errors?: readonly FilingError[]
  readonly failure?: FilingError
}

/** Moves a filing one step, with its event. One that fails unlocks its period. Null when the step no longer applies. */
export async function advanceFiling(
  tx: MoveContext,
  scope: EmpresaScope,
  before: FilingRow,
  trigger: FilingTrigger,
  facts: FilingFacts = {},
): Promise<FilingRow | null> {
  const { track_id = null, folio = null, errors = [], failure = null } = facts
  const settles = trigger === 'accepted' || trigger === 'failed'
  const at = tx.now()
  const set = part`, track_id = coalesce(${track_id}, track_id), folio = ${folio}, errors = ${JSON.stringify(errors)}::json,
    failure = ${failure === null ? null : JSON.stringify(failure)}::json,
    submitted_at = coalesce(submitted_at, ${trigger === 'submitted' ? at : null}), settled_at = ${settles ? at : null}`
  const moves = advanceMany<FilingRow, typeof filingMachine>
  const [moved] = await moves(tx.sql, filingMachine, scope, [before.id], trigger, set)
  if (!moved) return null
  const { row } = moved
  if (row.status === 'failed') {
    await unlockPeriod(tx.sql, scope, row.period)
    await carryOver(tx, scope, row.period)
  }
  const step = filingMachine.rows.find(({ on, from }) => on === trigger && from === moved.before)
  const object = showFiling(row)
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  if (step)
    tx.emit({
      type: step.event,
      object,
      empresa,
      previous_attributes: previousAttributes(showFiling(before), object) ?? {},
    })
  return row
}
