// Generated from the operation table: `npm run generate` writes it anew.

import type { AgentGrant, ApiKey, Certificate, Connection, Document, Empresa, Expense, F29Filing, F29Proposal, FolioAvailability, Onboarding, QuarantinedFile, RcvSync, ReceivedDocument, Statement, TaxSuggestion, WebhookEndpoint } from './types.ts'

/** What `data.object` of an event is, by its type: the resource as a GET shows it at that moment. */
export interface EventObjects {
  /** A document was accepted for emission. */
  'document.created': Document
  /** It was transmitted to the SII. */
  'document.sent': Document
  /** The SII accepted it. */
  'document.accepted': Document
  /** The SII accepted it with observations. */
  'document.reparo': Document
  /** The SII refused it. */
  'document.rejected': Document
  /** The result e-mail of the SII said why it was refused or observed; the status stays. */
  'document.finding_received': Document
  /** It could not be processed; it may be retried. */
  'document.failed': Document
  /** An accepted credit note annulled it. */
  'document.annulled': Document
  /** It was mailed to the receptor. */
  'document.emailed': Document
  /** The mail to the receptor could not be delivered. */
  'document.email_failed': Document
  /** It was sent to the receptor's exchange mailbox. */
  'document.exchange_sent': Document
  /** It could not be sent there, or the SII lists no mailbox; the document stands. */
  'document.exchange_failed': Document
  /** The receptor's system answered that the file arrived (RecepcionEnvio). */
  'document.delivered': Document
  /** The receptor's system answered that it did not take the file. */
  'document.delivery_refused': Document
  /** The receptor acknowledged the goods or services. */
  'document.receipt_acknowledged': Document
  /** The receptor accepted it, or its eight days lapsed. */
  'document.accepted_by_receptor': Document
  /** The receptor claimed it: in the register of the SII, or by mail. */
  'document.claimed': Document
  /** A cesión was sent to the SII register. */
  'document.cesion_submitted': Document
  /** The SII registered the cesión. */
  'document.cesion_confirmed': Document
  /** The SII refused the cesión. */
  'document.cesion_failed': Document
  /** Payments settled it: matched movements of a bank, or recorded ones. */
  'document.paid': Document
  /** It fell due without being paid; told once. */
  'document.overdue': Document
  /** A supplier document arrived. */
  'received_document.created': ReceivedDocument
  /** Three days, then one day, are left to answer it. */
  'received_document.deadline_approaching': ReceivedDocument
  /** It was accepted, or the eight days lapsed. */
  'received_document.accepted': ReceivedDocument
  /** A reclamo was registered. */
  'received_document.rejected': ReceivedDocument
  /** Receipt of goods or services was acknowledged. */
  'received_document.receipt_acknowledged': ReceivedDocument
  /** A better proven document of the same emisor, tipo and folio took its place; its answers stand. */
  'received_document.replaced': ReceivedDocument
  /** Payments of ours settled it. */
  'received_document.paid': ReceivedDocument
  /** It fell due without being paid; told once. */
  'received_document.overdue': ReceivedDocument
  /** The exchange answer was sent to the supplier. */
  'reception.acuse_sent': Record<string, unknown>
  /** The exchange answer could not be sent. */
  'reception.acuse_failed': Record<string, unknown>
  /** A mail or file could not be taken in; the reason is in the detail. */
  'reception.quarantined': Record<string, unknown>
  /** A person released a file from quarantine: its documents are here. */
  'reception.released': QuarantinedFile
  /** A person discarded a file in quarantine. */
  'reception.discarded': QuarantinedFile
  /** An empresa was created. */
  'empresa.created': Empresa
  /** Its data changed. */
  'empresa.updated': Empresa
  /** It was archived: emission and billing stop. `data.detail.reason` says why where the account did not ask for it. */
  'empresa.archived': Empresa
  /** Its mandato was revoked. */
  'empresa.suspended': Empresa
  /** Its mandato was signed again. */
  'empresa.reactivated': Empresa
  /** A sandbox empresa was deleted with all it held. */
  'empresa.deleted': Empresa
  /** The onboarding moved. */
  'empresa.onboarding.updated': Onboarding
  /** A step was completed; `data.detail.step` names it. */
  'empresa.onboarding.step.completed': Onboarding
  /** A person has to act. */
  'empresa.onboarding.action_required': Onboarding
  /** The empresa can emit. */
  'empresa.onboarding.completed': Onboarding
  /** A certificate entered custody for an empresa: uploaded or reused. */
  'certificate.uploaded': Certificate
  /** It expires in 30, 7 or 1 days. */
  'certificate.expiring': Certificate
  /** It expired: emission stops. */
  'certificate.expired': Certificate
  /** The SII does not let its holder send for the empresa: documents wait. `data.detail` says what it said and who has to act. */
  'certificate.refused': Certificate
  /** It was purged from the custody of an empresa: emission stops. */
  'certificate.deleted': Certificate
  /** A range was asked of the SII. */
  'folios.requested': FolioAvailability
  /** A range was received or uploaded. */
  'folios.received': FolioAvailability
  /** Few folios are left, or they last less than five business days. */
  'folios.low': FolioAvailability
  /** No folio is left. */
  'folios.exhausted': FolioAvailability
  /** The SII did not grant a range. */
  'folios.request_failed': FolioAvailability
  /** The SII was asked to annul the unused folios of a range. */
  'folios.annulment_requested': FolioAvailability
  /** The SII annulled the unused folios of a range. */
  'folios.annulled': FolioAvailability
  /** The SII did not annul the unused folios of a range. */
  'folios.annulment_failed': FolioAvailability
  /** A range with unused folios is about to expire. */
  'folios.expiring': FolioAvailability
  /** A bank connection was created. */
  'connection.created': Connection
  /** It is linked and syncing. */
  'connection.active': Connection
  /** New movements were read. */
  'connection.synced': Connection
  /** The bank asks for the person again. */
  'connection.needs_reconnect': Connection
  /** It was removed. */
  'connection.deleted': Connection
  /** An API key was minted. */
  'api_key.created': ApiKey
  /** Its secret was rolled; the old one works for 24 hours. */
  'api_key.rolled': ApiKey
  /** It was revoked. */
  'api_key.revoked': ApiKey
  /** A person let an agent in, within limits. */
  'agent_grant.created': AgentGrant
  /** It was revoked, or ended because a token of it was used twice. */
  'agent_grant.revoked': AgentGrant
  /** Deliveries failed for too long, or the receiver answered 410. */
  'webhook_endpoint.disabled': WebhookEndpoint
  /** A period of the RCV was read. */
  'tax.rcv.synced': RcvSync
  /** A proposal was computed. */
  'tax.f29.proposal_ready': F29Proposal
  /** A new compute changed a code. */
  'tax.f29.proposal_changed': F29Proposal
  /** A filing was handed over. */
  'tax.f29.filing_submitted': F29Filing
  /** The SII registered it. */
  'tax.f29.filing_accepted': F29Filing
  /** It was refused or could not be handed over. */
  'tax.f29.filing_failed': F29Filing
  /** A tipo 46 is suggested. */
  'tax.suggestion.created': TaxSuggestion
  /** It was confirmed. */
  'tax.suggestion.confirmed': TaxSuggestion
  /** It was dismissed. */
  'tax.suggestion.dismissed': TaxSuggestion
  /** Somebody wrote an expense down by hand. */
  'tax.expense.created': Expense
  /** An expense that was written down by hand was corrected. */
  'tax.expense.updated': Expense
  /** An expense that was written down by hand was deleted. */
  'tax.expense.deleted': Expense
  /** A cartola was imported. */
  'tax.statement.imported': Statement
  /** Someone asked for a ping. */
  'ping': WebhookEndpoint
}

export type EventType = keyof EventObjects

/** An event of one type. */
export interface EventOf<Type extends EventType> {
  id: string
  object: 'event'
  type: Type
  api_version: 'v1'
  mode: 'test' | 'live'
  created_at: string
  /** Null for events of the account itself. */
  empresa: { id: string; rut: string } | null
  data: {
    object: EventObjects[Type]
    /** What changed, as it was before; present only on a change of something that existed. */
    previous_attributes?: Partial<EventObjects[Type]>
    detail?: Record<string, unknown>
  }
}

/** An event of the ledger or of a webhook. `event.type` narrows `event.data.object`. New types may come: ignore those that you do not know. */
export type Event = { [Type in EventType]: EventOf<Type> }[EventType]
