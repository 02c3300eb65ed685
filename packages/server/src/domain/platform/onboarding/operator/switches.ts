import type { ListPage } from '../../../../kernel/cursor.ts'
import { invalidField, Problem } from '../../../../kernel/problem.ts'
import type { InstallationContext } from '../../../context.ts'
import { executorsOf, isStepKey, STEP_KEYS, type StepKey, stepOf } from '../lanes.ts'
import type { OnboardingSwitch, TurnSwitch } from './schema.ts'
import { listTurned, type SwitchRow, saveSwitch } from './store.ts'

/** Steps in which something is ours, and so has a switch. */
const SWITCHED = STEP_KEYS.filter((key) => executorsOf(key).length > 0)

function showSwitch(step: StepKey, turned: SwitchRow | undefined): OnboardingSwitch {
  return {
    object: 'onboarding_switch',
    step,
    execution: turned?.execution ?? stepOf(step).execution,
    executions: [...executorsOf(step)],
    changed_at: turned?.changed_at.toISOString() ?? null,
  }
}

export async function listOnboardingSwitches(ctx: InstallationContext): Promise<ListPage<OnboardingSwitch>> {
  const turned = new Map((await listTurned(ctx.sql)).map((row) => [row.step, row]))
  const data = SWITCHED.map((step) => showSwitch(step, turned.get(step)))
  return { object: 'list', data, has_more: false, next_cursor: null }
}

/** Turns who executes a step, of every empresa and from now on. To a job only where one is able to. */
export async function turnSwitch(
  ctx: InstallationContext,
  { step, execution }: TurnSwitch & { step: string },
): Promise<OnboardingSwitch> {
  if (!isStepKey(step) || !SWITCHED.includes(step))
    throw new Problem('onboarding_step_not_found', {
      message: 'No such step has a switch.',
      details: { step, steps: SWITCHED },
    })
  if (!executorsOf(step).includes(execution))
    throw invalidField('execution', `no job is able to carry out ${step} yet: it stays with a person.`)
  const turned = { step, execution, changed_at: ctx.now() }
  await saveSwitch(ctx.sql, turned)
  return showSwitch(step, turned)
}
