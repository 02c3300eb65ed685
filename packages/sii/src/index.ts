/** The public face of the package. What is not listed here is private to it. */

export type { BoletaService } from './boleta.ts'
export type { Advance, SetAdvance } from './certification/advance.ts'
export type { Approval } from './certification/approval.ts'
export type { BoletaCertification } from './certification/boletas.ts'
export type { Compliance, ComplianceOrder } from './certification/compliance.ts'
export type { DeclarationOrder, Declared, SetDeclaration, SetRefusal } from './certification/declare.ts'
export type { CertificationQuestion } from './certification/door.ts'
export type { ExchangeAnswers } from './certification/exchange.ts'
export type { GoOnOrder } from './certification/go-on.ts'
export type { Postulation, PostulationOrder } from './certification/postulate.ts'
export type { PostulatedTipo } from './certification/postulated-tipos.ts'
export type { CertificationReason } from './certification/refusals.ts'
export type { SamplesOrder } from './certification/samples.ts'
export type { CertificationStep, StepSentence } from './certification/sentences.ts'
export type { CertificationService } from './certification/service.ts'
export type { SetFile } from './certification/set-file.ts'
export type { SetKind, SetState } from './certification/sets.ts'
export type { ReviewState } from './certification/stand-in.ts'
export type { AecFile, CededDocument, CesionEnvelopeStatus, CesionService, CesionStatus } from './cesion.ts'
export type { ClaimAction, ClaimAnswer, ClaimEvent, ClaimedDocument, ClaimsService } from './claims.ts'
export { openSiiClient, type SiiClient, type SiiClientOptions } from './client.ts'
export type { DocumentQuestion, DocumentState, DocumentStatus } from './document.ts'
export type { DteService, UploadFile } from './dte.ts'
export {
  ENVELOPE_NOT_FOUND,
  type EnvelopeOutcome,
  type EnvelopeStatus,
  type Finding,
  type JudgedDocument,
  outcomeForTipo,
  type TipoCount,
} from './envelope-status.ts'
export {
  F29_WRITE_METHODS,
  type F29Code,
  type F29Declaration,
  type F29Proposal,
  type F29Question,
  type F29State,
  type F29WriteMethod,
} from './f29/f29.ts'
export type { FacadeCaller, FacadeUser } from './facade/facade.ts'
export type { JsonRecord } from './facade/json.ts'
export { SiiFailure, type SiiFailureKind, type SiiRetry } from './failure.ts'
export type { FolioAnnulment } from './folios/annul.ts'
export type { CafFile, FolioQuestion, FolioRange } from './folios/door.ts'
export type { StampedRange } from './folios/history.ts'
export type { FolioReason } from './folios/refusals.ts'
export { type FolioGrant, type FolioOrder, type FolioSituation, FoliosUncertain } from './folios/request.ts'
export { type Ambiente, SII_HOSTS, type SiiHosts, type SiiService, simulatedHosts } from './hosts.ts'
export type { Caller, Identity } from './identity.ts'
export { type CallLimits, DEFAULT_LIMITS } from './limits.ts'
export type { Cookies } from './portal/cookies.ts'
export type { PortalUser, SessionOwner } from './portal/log-in.ts'
export { memoryTurns, type TurnStore } from './portal/pace.ts'
export { type HeldCap, type HeldSession, memorySessions, type SessionStore } from './portal/session-store.ts'
export type { F29Service, FolioService, RcvService, SfgService, SiiPortal, TaxpayerService } from './portal.ts'
export { MAX_CLAIMS, type PurchaseTypeChange, type RcvClaim } from './rcv/acts.ts'
export { PURCHASE_STATES, type PurchaseState } from './rcv/columns.ts'
export type { RcvBook, RcvDetail, RcvQuestion, RcvTotals } from './rcv/rcv.ts'
export type { UploadReceipt } from './reception.ts'
export { type ResultMail, readResultMail } from './result-mail.ts'
export type { SfgCaller, SfgReason } from './sfg/door.ts'
export type { SfgFile, SfgRange } from './sfg/download.ts'
export { type SfgIssued, type SfgOrder, type SfgSigned, SfgUncertain } from './sfg/emit.ts'
export type { SfgDocument } from './sfg/form.ts'
export type { SfgEntry, SfgFilter, SfgList, SfgSide } from './sfg/lists.ts'
export type { AuthorisedTipo, EmitterAuthorisation } from './taxpayer/authorisation.ts'
export type { EmitterRegistration, TaxpayerQuestion } from './taxpayer/pages.ts'
export { memoryTokens, type Token, type TokenChannel, type TokenKey, type TokenStore } from './tokens.ts'
export { UNVERIFIED } from './unverified.ts'
export type { CallFact, CallTrace, TracedMessage } from './wire.ts'
