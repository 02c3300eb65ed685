import { declareJob } from '../../../kernel/job.ts'
import type { StepKey } from '../../platform/onboarding/lanes.ts'

/** Carries a step of a certification as far as it goes, and looks again at what the SII has in hand. */
export const runCertification = declareJob<{ readonly step: StepKey }>({
  name: 'certification.run',
  delete_on_success: true,
})
