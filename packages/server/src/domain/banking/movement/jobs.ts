import { declareJob } from '../../../kernel/job.ts'

/** The news beside the movements: documents that arrived, a month of the register that was read, or the settings. */
export interface ReviewOrder {
  readonly arrived?: readonly string[]
  readonly period?: string
  /** The empresa wants its movements matched from now on. */
  readonly everything?: true
}

/**
 * Reviews the movements of an empresa that are new or changed: what they surely paid, and what they suggest. Also those
 * that a document which arrived since may explain, and open suggestions. All reviews that wait in the lane of an empresa
 * run as one. Without a key: a request made while a review runs needs one of its own, since that one may have read
 * already.
 */
export const reviewMovements = declareJob<ReviewOrder>({
  name: 'movement.review',
  batch: 100,
  delete_on_success: true,
})
