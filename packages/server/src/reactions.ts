import { askForReview, reviewArrivals } from './domain/banking/review/ask.ts'
import type { Reactions } from './domain/reactions.ts'

/** Who hears of what: payments are looked at again when what they may have paid arrives. */
export const REACTIONS: Reactions = {
  documentsArrived: reviewArrivals,
  registerRead: askForReview,
  matchingTurnedOn: (tx, scope) => askForReview(tx, scope, { everything: true }),
}
