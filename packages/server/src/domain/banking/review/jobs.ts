import { declareJob } from '../../../kernel/job.ts'

/** What is new beside movements: documents that arrived, a month of the register that was read, or a wish. */
export interface ReviewOrder {
  readonly arrived?: readonly string[]
  readonly period?: string
  /** The empresa wants its movements matched from now on. */
  readonly everything?: true
}

/**
 * Looks at the movements of an empresa that are new or changed: what they surely paid, and what they suggest. Also at
 * those that what arrived since may explain, and at what is suggested already. All that wait in the line of an empresa
 * are one review. A key would not do: whoever asks while a review runs must be heard, since it may have read already.
 */
export const reviewMovements = declareJob<ReviewOrder>({
  name: 'movement.review',
  batch: 100,
  delete_on_success: true,
})
