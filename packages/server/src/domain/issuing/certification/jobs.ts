import { declareJob } from '../../../kernel/job.ts'
import type { StepKey } from '../../platform/onboarding/lanes.ts'

/** A day of tries, an hour apart at the end; then a person of ours goes on. */
export const CARRY_ATTEMPTS = 30

/** Carries a step of a certification as far as it goes, and looks again at what the SII has in hand. */
export const runCertification = declareJob<{ readonly step: StepKey }>({
  name: 'certification.run',
  max_attempts: CARRY_ATTEMPTS,
  delete_on_success: true,
})
