import { defineJob } from '../../kernel/job.ts'

// What these run asks for these very jobs again, so it is loaded when it runs.

/**
 * Computes the proposal of a period. Whoever changes what it is made of asks for it; all that wait in the line of an
 * empresa are computed together, each period once. A key would not do: whoever asks while a computation runs must be
 * heard, since that one may have read already.
 */
export const computeProposal = defineJob<{ readonly period: string }>({
  name: 'f29.compute',
  batch: 100,
  leaves_no_trace: true,
  runMany: async (ctx, entries) => (await import('./run-compute.ts')).runComputes(ctx, entries),
})

export const FILE_ATTEMPTS = 8

/** Hands a declaration to the SII and asks until it is decided. */
export const fileDeclaration = defineJob<{ readonly filing_id: string }>({
  name: 'f29.file',
  max_attempts: FILE_ATTEMPTS,
  run: async (ctx, { filing_id }) => (await import('./run-filing.ts')).runFiling(ctx, filing_id),
})

export const f29Jobs = [computeProposal, fileDeclaration]
