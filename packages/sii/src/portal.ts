import type { Tokens } from './auth.ts'
import { type CertificationService, openCertification } from './certification/service.ts'
import * as f29 from './f29/f29.ts'
import type { FacadeCaller } from './facade/facade.ts'
import { openFacade } from './facade/facade.ts'
import type { JsonRecord } from './facade/json.ts'
import { annulFolios, type FolioAnnulment } from './folios/annul.ts'
import type { CafFile, FolioQuestion, FolioRange } from './folios/door.ts'
import { folioHistory, type StampedRange } from './folios/history.ts'
import { reobtainableFolios, reobtainFolios } from './folios/reobtain.ts'
import {
  type FolioGrant,
  type FolioOrder,
  type FolioSituation,
  folioSituation,
  requestFolios,
} from './folios/request.ts'
import type { Ambiente } from './hosts.ts'
import type { SessionOwner } from './portal/log-in.ts'
import { openPace, type TurnStore } from './portal/pace.ts'
import type { SessionStore } from './portal/session-store.ts'
import { openSessions } from './portal/sessions.ts'
import * as acts from './rcv/acts.ts'
import * as rcv from './rcv/rcv.ts'
import { type SfgCaller, sfgCompanies } from './sfg/door.ts'
import { type SfgFile, type SfgRange, sfgDownload } from './sfg/download.ts'
import { issueInSfg, type SfgIssued, type SfgOrder } from './sfg/emit.ts'
import { type SfgFilter, type SfgList, type SfgSide, sfgList } from './sfg/lists.ts'
import { type EmitterAuthorisation, emitterAuthorisation } from './taxpayer/authorisation.ts'
import {
  type EmitterRegistration,
  emitterRegistration,
  exchangeMailbox,
  type TaxpayerQuestion,
} from './taxpayer/pages.ts'
import type { Wire } from './wire.ts'

export interface FolioService {
  /** What could be asked for; asks for nothing. */
  situation(question: FolioQuestion): Promise<FolioSituation>
  request(order: FolioOrder): Promise<FolioGrant>
  history(question: FolioQuestion): Promise<readonly StampedRange[]>
  reobtainable(question: FolioQuestion): Promise<readonly FolioRange[]>
  reobtain(order: FolioQuestion & FolioRange): Promise<CafFile>
  annul(order: FolioAnnulment): Promise<{ readonly before: boolean }>
}

export interface TaxpayerService {
  /** Public: name, resolution and authorised tipos of whoever issues electronic documents. */
  authorisation(question: { readonly rut: string; readonly ambiente: Ambiente }): Promise<EmitterAuthorisation | null>
  registration(question: TaxpayerQuestion): Promise<EmitterRegistration>
  exchangeMailbox(question: TaxpayerQuestion): Promise<string | null>
}

export interface RcvService {
  totals(question: rcv.RcvQuestion, book: rcv.RcvBook): Promise<readonly rcv.RcvTotals[]>
  detail(question: rcv.RcvQuestion, book: rcv.RcvBook, tipo: number): Promise<readonly rcv.RcvDetail[]>
  /** Every tipo at once, unless one is named. */
  export(question: rcv.RcvQuestion, book: rcv.RcvBook, tipo?: number): Promise<Uint8Array>
  start(question: rcv.RcvQuestion): Promise<unknown>
  claim(caller: FacadeCaller, claims: readonly acts.RcvClaim[]): Promise<unknown>
  changePurchaseType(change: acts.PurchaseTypeChange): Promise<void>
  boletasByDay(question: rcv.RcvQuestion, tipo: 39 | 48): Promise<readonly JsonRecord[]>
}

/** The free invoicing system. It exists in production only. */
export interface SfgService {
  companies(caller: Omit<SfgCaller, 'rut'>): Promise<readonly string[]>
  issue(order: SfgOrder): Promise<SfgIssued>
  list(caller: SfgCaller, side: SfgSide, filter: SfgFilter): Promise<SfgList>
  download(caller: SfgCaller, side: SfgSide, range: SfgRange): Promise<readonly SfgFile[]>
}

export interface F29Service {
  periods(question: Omit<f29.F29Question, 'rut' | 'period'>): Promise<unknown>
  declarations(question: f29.F29Question): Promise<readonly f29.F29Declaration[]>
  proposal(question: f29.F29Question): Promise<f29.F29Proposal | null>
  ppmRate(question: f29.F29Question): Promise<JsonRecord>
  inForce(question: f29.F29Question): Promise<unknown>
  /** Always refuses, without asking: no public source tells what these methods take. */
  write(method: f29.F29WriteMethod, caller: Pick<FacadeCaller, 'ambiente'>): never
}

/** What the SII offers only on its pages and to its own web applications. */
export interface SiiPortal {
  readonly folios: FolioService
  readonly taxpayers: TaxpayerService
  readonly rcv: RcvService
  readonly f29: F29Service
  readonly sfg: SfgService
  readonly certification: CertificationService
  /** Ends the person's session, so that it no longer counts against the cap of the SII. */
  logOut(user: SessionOwner, ambiente: Ambiente): Promise<void>
}

export function openPortal(wire: Wire, tokens: Tokens, store: SessionStore, turns: TurnStore): SiiPortal {
  const pace = openPace(wire, turns)
  const sessions = openSessions(wire, store, pace)
  const facade = openFacade(wire, tokens, sessions, pace)
  return {
    folios: {
      situation: (question) => folioSituation(wire, sessions, question),
      request: (order) => requestFolios(wire, sessions, order),
      history: (question) => folioHistory(wire, sessions, question),
      reobtainable: (question) => reobtainableFolios(wire, sessions, question),
      reobtain: (order) => reobtainFolios(wire, sessions, order),
      annul: (order) => annulFolios(wire, sessions, order),
    },
    taxpayers: {
      authorisation: (question) => emitterAuthorisation(wire, question),
      registration: (question) => emitterRegistration(wire, sessions, question),
      exchangeMailbox: (question) => exchangeMailbox(wire, sessions, question),
    },
    rcv: {
      totals: (question, book) => rcv.rcvTotals(facade, question, book),
      detail: (question, book, tipo) => rcv.rcvDetail(facade, question, book, tipo),
      export: (question, book, tipo) => rcv.rcvExport(facade, question, book, tipo),
      start: (question) => rcv.rcvStart(facade, question),
      claim: (caller, claims) => acts.rcvClaims(facade, caller, claims),
      changePurchaseType: (change) => acts.changePurchaseType(facade, change),
      boletasByDay: (question, tipo) => acts.boletasByDay(facade, question, tipo),
    },
    f29: {
      periods: (question) => f29.f29Periods(facade, question),
      declarations: (question) => f29.f29Declarations(facade, question),
      proposal: (question) => f29.f29Proposal(facade, question),
      ppmRate: (question) => f29.f29PpmRate(facade, question),
      inForce: (question) => f29.f29InForce(facade, question),
      write: f29.f29Write,
    },
    sfg: {
      companies: (caller) => sfgCompanies(wire, sessions, caller),
      issue: (order) => issueInSfg(wire, sessions, order),
      list: (caller, side, filter) => sfgList(wire, sessions, caller, side, filter),
      download: (caller, side, range) => sfgDownload(wire, sessions, caller, side, range),
    },
    certification: openCertification(wire, sessions),
    logOut: (user, ambiente) => sessions.logOut(user, ambiente),
  }
}
