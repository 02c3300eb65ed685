import { defineMachine } from '../../../kernel/machine.ts'

/**
 * A step of the onboarding. `opened` and `awaited` begin it, for us or for a person; `returned` gives it back to a person;
 * `withdrawn` puts it back behind those before it, because one of them has to be done again; a step that was done may have
 * to be done again too: a certificate expires, the SII takes a permission away, another tipo is declared.
 */
// biome-ignore format: one transition per line reads as the table it is
export const onboardingStepMachine = defineMachine({
  object: 'onboarding_step',
  table: 'onboarding_step',
  column: 'status',
  initial: ['pending', 'action_required'],
  terminal: [],
  rows: [
    { on: 'awaited',   from: 'pending',         to: 'action_required', event: 'empresa.onboarding.action_required' },
    { on: 'awaited',   from: 'in_progress',     to: 'action_required', event: 'empresa.onboarding.action_required' },
    { on: 'awaited',   from: 'failed',          to: 'action_required', event: 'empresa.onboarding.action_required' },
    { on: 'awaited',   from: 'completed',       to: 'action_required', event: 'empresa.onboarding.action_required' },
    { on: 'awaited',   from: 'skipped',         to: 'action_required', event: 'empresa.onboarding.action_required' },
    { on: 'opened',    from: 'pending',         to: 'in_progress',     event: 'empresa.onboarding.updated' },
    { on: 'opened',    from: 'action_required', to: 'in_progress',     event: 'empresa.onboarding.updated' },
    { on: 'opened',    from: 'failed',          to: 'in_progress',     event: 'empresa.onboarding.updated' },
    { on: 'opened',    from: 'completed',       to: 'in_progress',     event: 'empresa.onboarding.updated' },
    { on: 'opened',    from: 'skipped',         to: 'in_progress',     event: 'empresa.onboarding.updated' },
    { on: 'done',      from: 'pending',         to: 'completed',       event: 'empresa.onboarding.step.completed' },
    { on: 'done',      from: 'action_required', to: 'completed',       event: 'empresa.onboarding.step.completed' },
    { on: 'done',      from: 'in_progress',     to: 'completed',       event: 'empresa.onboarding.step.completed' },
    { on: 'done',      from: 'failed',          to: 'completed',       event: 'empresa.onboarding.step.completed' },
    { on: 'done',      from: 'skipped',         to: 'completed',       event: 'empresa.onboarding.step.completed' },
    { on: 'failed',    from: 'action_required', to: 'failed',          event: 'empresa.onboarding.updated' },
    { on: 'failed',    from: 'in_progress',     to: 'failed',          event: 'empresa.onboarding.updated' },
    { on: 'skipped',   from: 'pending',         to: 'skipped',         event: 'empresa.onboarding.updated' },
    { on: 'skipped',   from: 'action_required', to: 'skipped',         event: 'empresa.onboarding.updated' },
    { on: 'skipped',   from: 'in_progress',     to: 'skipped',         event: 'empresa.onboarding.updated' },
    { on: 'skipped',   from: 'failed',          to: 'skipped',         event: 'empresa.onboarding.updated' },
    { on: 'withdrawn', from: 'action_required', to: 'pending',         event: 'empresa.onboarding.updated' },
    { on: 'withdrawn', from: 'in_progress',     to: 'pending',         event: 'empresa.onboarding.updated' },
    { on: 'withdrawn', from: 'failed',          to: 'pending',         event: 'empresa.onboarding.updated' },
    { on: 'withdrawn', from: 'completed',       to: 'pending',         event: 'empresa.onboarding.updated' },
    { on: 'withdrawn', from: 'skipped',         to: 'pending',         event: 'empresa.onboarding.updated' },
  ],
})
