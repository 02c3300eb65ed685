import type { AutomationSettings } from './schema.ts'

export interface AutomationSettingsRow {
  readonly email_documents_on_acceptance: boolean
  readonly exchange_documents_on_acceptance: boolean
  readonly request_folios_when_low: boolean
  readonly sync_rcv_daily: boolean
  readonly apply_characterization_suggestions: boolean
  readonly apply_movement_matches: boolean
  readonly updated_at: Date | null
}

/**
 * Reading the SII, not running out of folios and the exchange that the SII asks of an electronic emisor are on by
 * default; writing to the empresa's customers or deciding on
 * its purchases must be turned on.
 */
export const DEFAULTS: AutomationSettingsRow = {
  email_documents_on_acceptance: false,
  exchange_documents_on_acceptance: true,
  request_folios_when_low: true,
  sync_rcv_daily: true,
  apply_characterization_suggestions: false,
  apply_movement_matches: false,
  updated_at: null,
}

export function showAutomationSettings(empresa_id: string, row: AutomationSettingsRow): AutomationSettings {
  return {
    object: 'automation_settings',
    id: empresa_id,
    email_documents_on_acceptance: row.email_documents_on_acceptance,
    exchange_documents_on_acceptance: row.exchange_documents_on_acceptance,
    request_folios_when_low: row.request_folios_when_low,
    sync_rcv_daily: row.sync_rcv_daily,
    apply_characterization_suggestions: row.apply_characterization_suggestions,
    apply_movement_matches: row.apply_movement_matches,
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
