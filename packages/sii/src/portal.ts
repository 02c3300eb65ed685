import { annulFolios, type FolioAnnulment } from './folios/annul.ts'
import type { CafFile, FolioQuestion, FolioRange } from './folios/door.ts'
import { folioHistory, type StampedRange } from './folios/history.ts'
import { reobtainableFolios, reobtainFolios } from './folios/reobtain.ts'
import { type FolioGrant, type FolioSituation, folioSituation, requestFolios } from './folios/request.ts'
import type { Ambiente } from './hosts.ts'
import type { PortalUser } from './portal/log-in.ts'
import type { SessionStore } from './portal/session-store.ts'
import { openSessions } from './portal/sessions.ts'
import type { Wire } from './wire.ts'

/** What the SII offers only on its pages and to its own web applications. */
export interface SiiPortal {
  folioSituation(question: FolioQuestion): Promise<FolioSituation>
  requestFolios(order: FolioQuestion & { readonly quantity: number }): Promise<FolioGrant>
  folioHistory(question: FolioQuestion): Promise<readonly StampedRange[]>
  reobtainableFolios(question: FolioQuestion): Promise<readonly FolioRange[]>
  reobtainFolios(order: FolioQuestion & FolioRange): Promise<CafFile>
  annulFolios(order: FolioAnnulment): Promise<{ readonly before: boolean }>
  /** Ends the person's session, so that it no longer counts against the cap of the SII. */
  logOut(user: PortalUser, ambiente: Ambiente): Promise<void>
}

export function openPortal(wire: Wire, store: SessionStore): SiiPortal {
  const sessions = openSessions(wire, store)
  return {
    folioSituation: (question) => folioSituation(wire, sessions, question),
    requestFolios: (order) => requestFolios(wire, sessions, order),
    folioHistory: (question) => folioHistory(wire, sessions, question),
    reobtainableFolios: (question) => reobtainableFolios(wire, sessions, question),
    reobtainFolios: (order) => reobtainFolios(wire, sessions, order),
    annulFolios: (order) => annulFolios(wire, sessions, order),
    logOut: (user, ambiente) => sessions.logOut(user, ambiente),
  }
}
