import type { ListPage } from '../../../../kernel/cursor.ts'
import { invalidField, Problem } from '../../../../kernel/problem.ts'
import type { InstallationContext } from '../../../context.ts'
import { executionOf, executorsOf, listSwitches } from '../execution.ts'
import { isStepKey, STEP_KEYS, type StepKey } from '../lanes.ts'
import { listTurned } from '../store.ts'
import type { OnboardingSwitch, TurnSwitch } from './schema.ts'
import { saveSwitch } from './store.ts'

/** Steps in which something is ours, and so has a switch. */
const switchedOf = ({ ports }: InstallationContext) => STEP_KEYS.filter((key) => executorsOf(key, ports).length > 0)

async function showSwitches(ctx: InstallationContext, steps: readonly StepKey[]): Promise<OnboardingSwitch[]> {
  const turned = new Map((await listTurned(ctx.sql)).map((row) => [row.step, row]))
  const switches = await listSwitches(ctx)
  return steps.map((step) => ({
    object: 'onboarding_switch',
    step,
    execution: executionOf(step, switches),
    executions: [...executorsOf(step, ctx.ports)],
    changed_at: turned.get(step)?.changed_at.toISOString() ?? null,
  }))
}

export async function listOnboardingSwitches(ctx: InstallationContext): Promise<ListPage<OnboardingSwitch>> {
  return { object: 'list', data: await showSwitches(ctx, switchedOf(ctx)), has_more: false, next_cursor: null }
}

/** Turns who executes a step, of every empresa and from now on. To a job only where one is able to. */
export async function turnSwitch(
  ctx: InstallationContext,
  { step, execution }: TurnSwitch & { step: string },
): Promise<OnboardingSwitch> {
  const steps = switchedOf(ctx)
  if (!isStepKey(step) || !steps.includes(step))
    throw new Problem('onboarding_step_not_found', {
      message: 'No such step has a switch.',
      details: { step, steps },
    })
  if (!executorsOf(step, ctx.ports).includes(execution))
    throw invalidField('execution', `no job is able to carry out ${step} yet: it stays with a person.`)
  await saveSwitch(ctx.sql, { step, execution, changed_at: ctx.now() })
  const [shown] = await showSwitches(ctx, [step])
  return shown as OnboardingSwitch
}
