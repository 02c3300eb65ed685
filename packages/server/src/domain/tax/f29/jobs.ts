import { declareJob } from '../../../kernel/job.ts'

/**
 * Computes the proposal of a period. Whoever changes what it is made of asks for it; all that wait in the line of an
 * empresa are computed together, each period once. A key would not do: whoever asks while a computation runs must be
 * heard, since that one may have read already.
 */
export const computeProposal = declareJob<{ readonly period: string }>({
  name: 'f29.compute',
  batch: 100,
  delete_on_success: true,
})

export const FILE_ATTEMPTS = 8

/** Hands a declaration to the SII and asks until it is decided. */
export const fileDeclaration = declareJob<{ readonly filing_id: string }>({
  name: 'f29.file',
  max_attempts: FILE_ATTEMPTS,
})
