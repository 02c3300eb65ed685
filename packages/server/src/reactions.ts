import { endDistrustedPages } from './domain/banking/connection/connect-page.ts'
import { endDistrustedConnections } from './domain/banking/connection/end.ts'
import { requestReview, requestReviewOfArrivals } from './domain/banking/movement/review/request.ts'
import { watchArrivals } from './domain/banking/payment/tell.ts'
import { dropMaterial, materialOf } from './domain/issuing/certification/material.ts'
import { startCertification } from './domain/issuing/certification/start.ts'
import { resumeEmission } from './domain/issuing/document/resume.ts'
import { lacksFolios, requestFirstFolios } from './domain/issuing/folio/first.ts'
import { forgetRefusals } from './domain/issuing/folio/look-again.ts'
import { endDistrustedLinks } from './domain/issuing/public-link/mint.ts'
import { changeContact } from './domain/platform/onboarding/change-contact.ts'
import { driveOnboarding } from './domain/platform/onboarding/drive.ts'
import { endDistrustedOnboardingPages } from './domain/platform/onboarding-link/revoke.ts'
import type { Reactions } from './domain/reactions.ts'
import { rereadDeclared } from './domain/tax/rcv/reread-declared.ts'

/**
 * Binds the domain's reactions: a document that arrives may explain movements, its due date is watched, and the register of a
 * month that was declared is read again for it.
 */
export const REACTIONS: Reactions = {
  async documentsArrived(tx, scope, documents) {
    await requestReviewOfArrivals(tx, scope, documents)
    await watchArrivals(tx, scope, documents)
    await rereadDeclared(tx, scope, documents)
  },
  accountRecovered: async (tx, account_id, distrust) => ({
    ended: {
      public_links: await endDistrustedLinks(tx.sql, account_id, distrust),
      bank_pages: await endDistrustedPages(tx.sql, account_id, distrust),
      onboarding_pages: await endDistrustedOnboardingPages(tx.sql, account_id, distrust),
    },
    connections: await endDistrustedConnections(tx, account_id, distrust),
  }),
  emisorChanged: resumeEmission,
  async certificateChanged(tx, scope) {
    await resumeEmission(tx, scope)
    await forgetRefusals(tx, scope)
  },
  onboardingFactsChanged: driveOnboarding,
  contactChanged: changeContact,
  tiposWithoutFolios: lacksFolios,
  requestFirstFolios,
  certificationStepOpen: startCertification,
  materialOf,
  dropMaterial,
  registerRead: requestReview,
  matchingTurnedOn: (tx, scope) => requestReview(tx, scope, { everything: true }),
}
