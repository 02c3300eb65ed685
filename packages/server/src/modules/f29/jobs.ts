import { defineJob } from '../../kernel/job.ts'

// What these run asks for these very jobs again, so it is loaded when it runs.

/** Computes the proposal of a period. Whoever changes what it is made of asks for it, once per period and empresa. */
export const computeProposal = defineJob<{ readonly period: string }>({
  name: 'f29.compute',
  lane_concurrency: 1,
  leaves_no_trace: true,
  run: async (ctx, { period }) => (await import('./run-compute.ts')).runCompute(ctx, period),
})

export const FILE_ATTEMPTS = 8

/** Hands a declaration to the SII and asks until it is decided. */
export const fileDeclaration = defineJob<{ readonly filing_id: string }>({
  name: 'f29.file',
  max_attempts: FILE_ATTEMPTS,
  run: async (ctx, { filing_id }) => (await import('./run-filing.ts')).runFiling(ctx, filing_id),
})

export const f29Jobs = [computeProposal, fileDeclaration]
