import { type Execution, type StepKey, stepOf } from './lanes.ts'

/** Who does what is ours in a step: as its table says, until the operator turns its switch. */
export function executionOf(key: StepKey, switches: Readonly<Partial<Record<StepKey, Execution>>>): Execution {
  return switches[key] ?? stepOf(key).execution
}
