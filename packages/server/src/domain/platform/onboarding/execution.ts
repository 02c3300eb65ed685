import type { Sql } from '../../../kernel/db.ts'
import type { Ports } from '../../../ports/ports.ts'
import { EXECUTIONS, type Execution, STEP_KEYS, type StepKey, stepOf } from './lanes.ts'
import { listTurned, type StepRow } from './store.ts'

type Switches = Readonly<Partial<Record<StepKey, Execution>>>

/** Steps that a job executes over the port of certification alone. */
const CERTIFYING = STEP_KEYS.filter((key) => stepOf(key).carried_out_at_sii)

const certifies = ({ sii }: Pick<Ports, 'sii'>): boolean => sii.live.certification !== undefined

/**
 * Who is able to execute what is ours in a step: a person always, a job where there is one, which are the steps that a job
 * executes unless told otherwise. None where nothing is ours to execute, as when it is closed by a decision alone.
 */
export function executorsOf(key: StepKey, ports: Pick<Ports, 'sii'>): readonly Execution[] {
  const { actor, execution, completes_on_approval } = stepOf(key)
  if (actor !== 'facturia' || completes_on_approval) return []
  const by_job = execution === 'automatic' && (certifies(ports) || !CERTIFYING.includes(key))
  return by_job ? EXECUTIONS : ['operator']
}

/** Who executes each step that does not do as its table says: its switch was turned, or nothing connects us to the SII for it. */
export async function listSwitches({
  sql,
  ports,
}: {
  readonly sql: Sql
  readonly ports: Pick<Ports, 'sii'>
}): Promise<Switches> {
  const turned = (await listTurned(sql)).map(({ step, execution }) => [step, execution] as const)
  const unconnected = certifies(ports) ? [] : CERTIFYING.map((key) => [key, 'operator'] as const)
  return Object.fromEntries([...turned, ...unconnected])
}

/**
 * Who does what is ours in a step: a person once it was handed to one or one has it in hand; else as its table says, until the
 * operator turns its switch.
 */
export function executionOf(
  key: StepKey,
  switches: Switches,
  step?: Pick<StepRow, 'handed_over' | 'taken_by'>,
): Execution {
  if (step?.handed_over || step?.taken_by) return 'operator'
  return switches[key] ?? stepOf(key).execution
}
