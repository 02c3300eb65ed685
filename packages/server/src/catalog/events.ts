interface EventEntry {
  readonly object: string
  readonly group: string
  /** Whether `data.previous_attributes` is present: only on a change of something that existed. */
  readonly updates: boolean
  readonly when: string
}

const doc = { object: 'document', group: 'document lifecycle' }
const sent = { object: 'document', group: 'document delivery', updates: false }
const receptor = { object: 'document', group: 'receptor of a document', updates: true }
const payment = { object: 'document', group: 'document payment', updates: false }
const cesion = { object: 'document', group: 'document cesión', updates: true }
const received = { object: 'received_document', group: 'received documents' }
const reception = { object: 'reception', group: 'reception operations', updates: false }
const quarantined = { object: 'quarantined_file', group: 'reception operations', updates: true }
const empresa = { object: 'empresa', group: 'empresa and infrastructure' }
const onboarding = { object: 'onboarding', group: 'empresa and infrastructure', updates: true }
const certificate = { object: 'certificate', group: 'empresa and infrastructure', updates: false }
const folios = { object: 'folio_availability', group: 'empresa and infrastructure', updates: false }
const connection = { object: 'connection', group: 'empresa and infrastructure' }
const api_key = { object: 'api_key', group: 'empresa and infrastructure' }
const agent_grant = { object: 'agent_grant', group: 'empresa and infrastructure', updates: false }
const f29 = { object: 'f29_proposal', group: 'tax' }
const filing = { object: 'f29_filing', group: 'tax', updates: true }
const expense = { object: 'expense', group: 'tax' }
const suggestion = { object: 'tax_suggestion', group: 'tax' }

/** Every event type of the contract, the wildcards of the specification expanded. */
export const EVENTS = {
  'document.created': { ...doc, updates: false, when: 'A document was accepted for emission.' },
  'document.sent': { ...doc, updates: true, when: 'It was transmitted to the SII.' },
  'document.accepted': { ...doc, updates: true, when: 'The SII accepted it.' },
  'document.reparo': { ...doc, updates: true, when: 'The SII accepted it with observations.' },
  'document.rejected': { ...doc, updates: true, when: 'The SII refused it.' },
  'document.finding_received': {
    ...doc,
    updates: true,
    when: 'The result e-mail of the SII said why it was refused or observed; the status stays.',
  },
  'document.failed': { ...doc, updates: true, when: 'It could not be processed; it may be retried.' },
  'document.annulled': { ...doc, updates: true, when: 'An accepted credit note annulled it.' },
  'document.emailed': { ...sent, when: 'It was mailed to the receptor.' },
  'document.email_failed': { ...sent, when: 'The mail to the receptor could not be delivered.' },
  'document.exchange_sent': { ...receptor, when: "It was sent to the receptor's exchange mailbox." },
  'document.exchange_failed': {
    ...receptor,
    when: 'It could not be sent there, or the SII lists no mailbox; the document stands.',
  },
  'document.delivered': { ...receptor, when: "The receptor's system answered that the file arrived (RecepcionEnvio)." },
  'document.delivery_refused': { ...receptor, when: "The receptor's system answered that it did not take the file." },
  'document.receipt_acknowledged': { ...receptor, when: 'The receptor acknowledged the goods or services.' },
  'document.accepted_by_receptor': { ...receptor, when: 'The receptor accepted it, or its eight days lapsed.' },
  'document.claimed': { ...receptor, when: 'The receptor claimed it: in the register of the SII, or by mail.' },
  'document.cesion_submitted': { ...cesion, when: 'A cesión was sent to the SII register.' },
  'document.cesion_confirmed': { ...cesion, when: 'The SII registered the cesión.' },
  'document.cesion_failed': { ...cesion, when: 'The SII refused the cesión.' },
  'document.paid': { ...payment, when: 'Payments settled it: matched movements of a bank, or recorded ones.' },
  'document.overdue': { ...payment, when: 'It fell due without being paid; told once.' },
  'received_document.created': { ...received, updates: false, when: 'A supplier document arrived.' },
  'received_document.deadline_approaching': {
    ...received,
    updates: false,
    when: 'Three days, then one day, are left to answer it.',
  },
  'received_document.accepted': { ...received, updates: true, when: 'It was accepted, or the eight days lapsed.' },
  'received_document.rejected': { ...received, updates: true, when: 'A reclamo was registered.' },
  'received_document.receipt_acknowledged': {
    ...received,
    updates: true,
    when: 'Receipt of goods or services was acknowledged.',
  },
  'received_document.replaced': {
    ...received,
    updates: true,
    when: 'A better proven document of the same emisor, tipo and folio took its place; its answers stand.',
  },
  'received_document.paid': { ...received, updates: false, when: 'Payments of ours settled it.' },
  'received_document.overdue': { ...received, updates: false, when: 'It fell due without being paid; told once.' },
  'reception.acuse_sent': { ...reception, when: 'The exchange answer was sent to the supplier.' },
  'reception.acuse_failed': { ...reception, when: 'The exchange answer could not be sent.' },
  'reception.quarantined': { ...reception, when: 'A mail or file could not be taken in; the reason is in the detail.' },
  'reception.released': { ...quarantined, when: 'A person released a file from quarantine: its documents are here.' },
  'reception.discarded': { ...quarantined, when: 'A person discarded a file in quarantine.' },
  'empresa.created': { ...empresa, updates: false, when: 'An empresa was created.' },
  'empresa.updated': { ...empresa, updates: true, when: 'Its data changed.' },
  'empresa.archived': {
    ...empresa,
    updates: true,
    when: 'It was archived: emission and billing stop. `data.detail.reason` says why where the account did not ask for it.',
  },
  'empresa.suspended': { ...empresa, updates: true, when: 'Its mandato was revoked.' },
  'empresa.reactivated': { ...empresa, updates: true, when: 'Its mandato was signed again.' },
  'empresa.deleted': { ...empresa, updates: false, when: 'A sandbox empresa was deleted with all it held.' },
  'empresa.onboarding.updated': { ...onboarding, when: 'The onboarding moved.' },
  'empresa.onboarding.step.completed': { ...onboarding, when: 'A step was completed; `data.detail.step` names it.' },
  'empresa.onboarding.action_required': { ...onboarding, when: 'A person has to act.' },
  'empresa.onboarding.completed': { ...onboarding, when: 'The empresa can emit.' },
  'certificate.uploaded': { ...certificate, when: 'A certificate entered custody for an empresa: uploaded or reused.' },
  'certificate.expiring': { ...certificate, when: 'It expires in 30, 7 or 1 days.' },
  'certificate.expired': { ...certificate, when: 'It expired: emission stops.' },
  'certificate.refused': {
    ...certificate,
    when: 'The SII does not let its holder send for the empresa: documents wait. `data.detail` says what it said and who has to act.',
  },
  'certificate.deleted': { ...certificate, when: 'It was purged from the custody of an empresa: emission stops.' },
  'folios.requested': { ...folios, when: 'A range was asked of the SII.' },
  'folios.received': { ...folios, when: 'A range was received or uploaded.' },
  'folios.low': { ...folios, when: 'Few folios are left, or they last less than five business days.' },
  'folios.exhausted': { ...folios, when: 'No folio is left.' },
  'folios.request_failed': { ...folios, when: 'The SII did not grant a range.' },
  'folios.annulment_requested': { ...folios, when: 'The SII was asked to annul the unused folios of a range.' },
  'folios.annulled': { ...folios, when: 'The SII annulled the unused folios of a range.' },
  'folios.annulment_failed': { ...folios, when: 'The SII did not annul the unused folios of a range.' },
  'folios.expiring': { ...folios, when: 'A range with unused folios is about to expire.' },
  'connection.created': { ...connection, updates: false, when: 'A bank connection was created.' },
  'connection.active': { ...connection, updates: true, when: 'It is linked and syncing.' },
  'connection.synced': { ...connection, updates: true, when: 'New movements were read.' },
  'connection.needs_reconnect': { ...connection, updates: true, when: 'The bank asks for the person again.' },
  'connection.deleted': { ...connection, updates: false, when: 'It was removed.' },
  'api_key.created': { ...api_key, updates: false, when: 'An API key was minted.' },
  'api_key.rolled': { ...api_key, updates: true, when: 'Its secret was rolled; the old one works for 24 hours.' },
  'api_key.revoked': { ...api_key, updates: false, when: 'It was revoked.' },
  'agent_grant.created': { ...agent_grant, when: 'A person let an agent in, within limits.' },
  'agent_grant.revoked': { ...agent_grant, when: 'It was revoked, or ended because a token of it was used twice.' },
  'webhook_endpoint.disabled': {
    object: 'webhook_endpoint',
    group: 'empresa and infrastructure',
    updates: true,
    when: 'Deliveries failed for too long, or the receiver answered 410.',
  },
  'tax.rcv.synced': { object: 'rcv_sync', group: 'tax', updates: false, when: 'A period of the RCV was read.' },
  'tax.f29.proposal_ready': { ...f29, updates: false, when: 'A proposal was computed.' },
  'tax.f29.proposal_changed': { ...f29, updates: true, when: 'A new compute changed a code.' },
  'tax.f29.filing_submitted': { ...filing, when: 'A filing was handed over.' },
  'tax.f29.filing_accepted': { ...filing, when: 'The SII registered it.' },
  'tax.f29.filing_failed': { ...filing, when: 'It was refused or could not be handed over.' },
  'tax.suggestion.created': { ...suggestion, updates: false, when: 'A tipo 46 is suggested.' },
  'tax.suggestion.confirmed': { ...suggestion, updates: true, when: 'It was confirmed.' },
  'tax.suggestion.dismissed': { ...suggestion, updates: true, when: 'It was dismissed.' },
  'tax.expense.created': { ...expense, updates: false, when: 'Somebody wrote an expense down by hand.' },
  'tax.expense.updated': { ...expense, updates: true, when: 'An expense that was written down by hand was corrected.' },
  'tax.expense.deleted': { ...expense, updates: false, when: 'An expense that was written down by hand was deleted.' },
  'tax.statement.imported': { object: 'statement', group: 'tax', updates: false, when: 'A cartola was imported.' },
  ping: { object: 'webhook_endpoint', group: 'plumbing', updates: false, when: 'Someone asked for a ping.' },
} as const satisfies Record<string, EventEntry>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]

/** Whether an event changes what GET /account shows: the empresas it counts, the key it was asked with. */
export function changesAccount(type: EventType): boolean {
  return ['empresa', 'onboarding', 'api_key'].includes(EVENTS[type].object)
}

/** Whether a pattern names a type, a family of them (`document.*`) or all (`*`). A misspelt one would match nothing, ever. */
export function isEventPattern(pattern: string): boolean {
  return pattern === '*' || EVENT_TYPES.some((type) => eventMatches(pattern, type))
}

/** `document.*` matches every type below it, `*` matches all, present and future. */
export function eventMatches(pattern: string, type: string): boolean {
  if (pattern === '*') return true
  if (pattern.endsWith('.*')) return type.startsWith(pattern.slice(0, -1))
  return pattern === type
}
