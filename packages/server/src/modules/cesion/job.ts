import { defineJob } from '../../kernel/job.ts'

/** How often a cesión is tried before it fails: about an hour and a half. */
export const CEDE_ATTEMPTS = 8

/**
 * Signs a cesión, hands it to the register of the SII and asks until it is decided. Loaded when it runs: it brings the
 * whole engine.
 */
export const cedeToRegister = defineJob<{ readonly cesion_id: string }>({
  name: 'document.cede',
  type: 'document_cesion',
  max_attempts: CEDE_ATTEMPTS,
  run: async (ctx, { cesion_id }) => (await import('./run.ts')).runCesion(ctx, cesion_id),
})
