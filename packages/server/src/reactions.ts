import { requestReview, requestReviewOfArrivals } from './domain/banking/movement/review/request.ts'
import type { Reactions } from './domain/reactions.ts'

/** Binds the domain's reactions: movements are reviewed again when a document that they may have paid arrives. */
export const REACTIONS: Reactions = {
  documentsArrived: requestReviewOfArrivals,
  registerRead: requestReview,
  matchingTurnedOn: (tx, scope) => requestReview(tx, scope, { everything: true }),
}
