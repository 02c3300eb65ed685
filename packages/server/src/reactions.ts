import { requestReview, requestReviewOfArrivals } from './domain/banking/movement/review/request.ts'
import type { Reactions } from './domain/reactions.ts'

/** Who hears of what: payments are looked at again when what they may have paid arrives. */
export const REACTIONS: Reactions = {
  documentsArrived: requestReviewOfArrivals,
  registerRead: requestReview,
  matchingTurnedOn: (tx, scope) => requestReview(tx, scope, { everything: true }),
}
