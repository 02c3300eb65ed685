import { declareJob } from '../../../kernel/job.ts'

/** How often a cesión is tried before it fails: about an hour and a half. */
export const CEDE_ATTEMPTS = 8

/** Signs a cesión, sends it to the register of the SII and polls until it is decided. */
export const cedeToRegister = declareJob<{ readonly cesion_id: string }>({
  name: 'document.cede',
  type: 'document_cesion',
  max_attempts: CEDE_ATTEMPTS,
})
