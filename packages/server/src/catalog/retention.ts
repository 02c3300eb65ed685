import { ANSWER_DAYS } from '@timbre/dte/values'
import type { IdKind } from './ids.ts'
import { DAY_SECONDS as DAY, HOUR_SECONDS as HOUR } from './time.ts'

// The IVA of December is due in January, and the SII may review it for six years from then (Código Tributario, art. 17 and 200): the
// seventh is for whatever was carried on.
const DOCUMENT_YEARS = 7

/** How long a thing lives, in seconds unless the name says otherwise. */
export const RETENTION = {
  idempotency_seconds: 24 * HOUR,
  secret_overlap_seconds: 24 * HOUR,
  /** How long a roll whose answer was lost may be asked for again. */
  roll_replay_seconds: 5 * 60,
  session_seconds: 1 * HOUR,
  /** Of a person of the operator, on its pages. */
  operator_session_seconds: 2 * HOUR,
  event_months: 12,
  finished_job_days: 30,
  email_link_seconds: 2 * DAY,
  password_link_seconds: 1 * HOUR,
  /** The way back from a change of address. */
  restore_link_seconds: 3 * DAY,
  /** How long before a change of address a session from a network that was not usual counts as the same intruder's. */
  strange_session_seconds: 3 * DAY,
  /** From where somebody came into an account. */
  usual_network_days: 30,
  /** How the SII answered, and what was said in calls that failed. */
  sii_weather_days: 31,
  /** What somebody set up or changed that goes on without them: as long as the audit log tells of it. */
  lasting_change_days: 366,
  subscription_grace_days: 7,
  /** The address of the page where an empresa is subscribed. */
  checkout_page_days: 30,
  /** How long the RUT of an archived live empresa that nothing proved stays with its account before another may take it. */
  archived_rut_days: 30,
  /** How long a live empresa may hold a RUT that nothing proves, and how long before its end its account is told. */
  unproven_empresa_days: 14,
  unproven_warning_days: 3,
  /** The page where a taxpayer takes its RUT over. */
  rut_claim_days: 7,
  received_document_answer_days: ANSWER_DAYS,
  document_xml_years: 6,
  /** Whole years before the present one. */
  document_years: DOCUMENT_YEARS,
  received_document_xml_years: DOCUMENT_YEARS,
  /**
   * What people did and agreed to: as long as the documents that rest on it, so counted from the last of them. It is not cut
   * by age, for the mandato of the first day answers for the document of the tenth year.
   */
  evidence_years: 6,
  /** What was set aside: its bytes. That it came, from whom and why it was set aside stays. */
  quarantined_bytes_days: 30,
  /** From which address a mail came. */
  mail_address_days: 1,
  // An agent's tokens: short, so that what leaks dies soon; refreshing goes on until the grant ends.
  access_token_seconds: 15 * 60,
  refresh_token_days: 30,
  authorization_code_seconds: 60,
  /** From the first page to the last click. */
  consent_seconds: 15 * 60,
  /** A client nobody let in, or whose last grant ended, is forgotten after so long. */
  oauth_client_days: 90,
} as const

/** A table that is cut by time. */
export interface Cut {
  readonly table: string
  /** By the time in an id, whose kind is given, or by the time it was written. */
  readonly by: IdKind | 'created_at'
  readonly every: 'day' | 'month' | 'year'
  /** So many are kept before the present one. */
  readonly keep: number
  /** So many exist before they are needed, so a sweep that stands still for a while loses nothing. */
  readonly ahead: number
  /** In place of that, so many days before it is needed. */
  readonly ahead_days?: number
  /** How its pages are kept. */
  readonly storage?: string
  /** What no two rows of a partition share, by the end of the index's name: an index of the whole would have to name the id. */
  readonly unique?: Readonly<Record<string, string>>
  /** Tables whose rows name a row of it (by a column) and go with it. */
  readonly named_by?: readonly (readonly [table: string, column: string])[]
}

/** Tables that only grow are cut by time: retention drops a partition and never deletes a row of it. */
export const PARTITIONS: readonly Cut[] = [
  { table: 'event', by: 'event', every: 'month', keep: 13, ahead: 3 },
  // Every plan that looks for a key locks all of them, so few are made before their day.
  // Little in them changes, and they are dropped before anything is gained by vacuuming or counting them.
  { table: 'idempotency', by: 'created_at', every: 'day', keep: 2, ahead: 2, storage: 'autovacuum_enabled = off' },
  { table: 'webhook_delivery', by: 'webhook_delivery', every: 'month', keep: 13, ahead: 3 },
  { table: 'webhook_attempt', by: 'webhook_delivery', every: 'month', keep: 13, ahead: 3 },
  // A year, and the month it ends in.
  { table: 'audit_entry', by: 'audit_entry', every: 'month', keep: 13, ahead: 3 },
  { table: 'agent_act', by: 'agent_act', every: 'month', keep: 13, ahead: 3 },
  // Six years: as long as the SII may ask about what was billed. By the year, for its lists look into all of them.
  { table: 'usage_record', by: 'usage_record', every: 'year', keep: 6, ahead: 1 },
  // As long as the events that tell of the same letters.
  { table: 'document_letter', by: 'letter', every: 'month', keep: 13, ahead: 3 },
  // Six years and the month they end in.
  { table: 'document_journal', by: 'document', every: 'month', keep: 73, ahead: 3 },
  { table: 'document_xml', by: 'document', every: 'month', keep: 73, ahead: 3 },
  {
    table: 'received_document_xml',
    by: 'received_document',
    every: 'year',
    keep: DOCUMENT_YEARS,
    ahead: 0,
    ahead_days: 31,
  },
  // Each year that exists is looked into by every list, so the next is made in December.
  {
    table: 'document',
    by: 'document',
    every: 'year',
    keep: DOCUMENT_YEARS,
    ahead: 0,
    ahead_days: 31,
    storage: 'autovacuum_vacuum_scale_factor = 0.05, fillfactor = 80',
    unique: { folio: '(empresa_id, tipo_dte, folio) where folio is not null' },
    named_by: [
      ['cesion', 'document_id'],
      ['document_envelope', 'document_id'],
      ['public_link', 'document_id'],
      ['sandbox_script', 'document_id'],
      ['sandbox_try', 'document_id'],
      ['document_in_flight', 'document_id'],
      ['document_external', 'document_id'],
      ['document_annulment', 'nota_id'],
      ['guia_invoice', 'guia_id'],
      ['sii_portal_order', 'document_id'],
    ],
  },
]
