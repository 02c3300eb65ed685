import { declareJob } from '../../../kernel/job.ts'
import type { StepKey } from './lanes.ts'

/** Looks at the SII whether a step is done, at intervals that grow; `once` for a look that somebody asked for. */
export const lookAtStep = declareJob<{ readonly step: StepKey; readonly once?: true }>({
  name: 'onboarding.look',
  delete_on_success: true,
})

/** Writes to the person whom a step waits for: once for each news, and at most once a day. */
export const writeToPerson = declareJob<{ readonly step: StepKey }>({
  name: 'onboarding.write',
  delete_on_success: true,
})
