import type { Addresses } from '../../../ports/ports.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import type { Execution, StepKey } from './lanes.ts'
import type { Walk } from './status.ts'
import type { StepRow } from './store.ts'

/** Everything that the body of an onboarding is made of. */
export interface Shown {
  readonly row: EmpresaRow
  readonly walk: Walk
  readonly steps: ReadonlyMap<StepKey, StepRow>
  readonly switches: Readonly<Partial<Record<StepKey, Execution>>>
  readonly addresses: Addresses
  readonly now: Date
}
