import { endDistrustedPages } from './domain/banking/connection/connect-page.ts'
import { requestReview, requestReviewOfArrivals } from './domain/banking/movement/review/request.ts'
import { endDistrustedLinks } from './domain/issuing/public-link/mint.ts'
import type { Reactions } from './domain/reactions.ts'

/** Binds the domain's reactions: movements are reviewed again when a document that they may have paid arrives. */
export const REACTIONS: Reactions = {
  documentsArrived: requestReviewOfArrivals,
  accountRecovered: async (tx, account_id, distrust) => ({
    public_links: await endDistrustedLinks(tx.sql, account_id, distrust),
    bank_pages: await endDistrustedPages(tx.sql, account_id, distrust),
  }),
  registerRead: requestReview,
  matchingTurnedOn: (tx, scope) => requestReview(tx, scope, { everything: true }),
}
