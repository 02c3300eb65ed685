import { isTipoDte, TIPOS } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { lackedBy } from './channels.ts'
import type { EmpresaRow } from './row.ts'
import type { Capabilities } from './schema.ts'

const BY_CUSTOMER = { who: 'customer', api: null, url: null } as const

function isBoleta(tipo: number): boolean {
  return isTipoDte(tipo) && TIPOS[tipo].family === 'boleta'
}

/** Declared tipos whose own conditions are met. Boletas of a live empresa wait for their habilitación, facturas do not. */
function issuable(row: EmpresaRow): number[] {
  const waits = MODES[row.mode].boletas_wait_for_habilitacion && row.boleta_emission_enabled_at === null
  const lacked = lackedBy(row.emission_channel, row.doc_types)
  return row.doc_types.filter((tipo) => !lacked.includes(tipo) && !(waits && isBoleta(tipo)))
}

/** The tipos that the empresa can issue now and, when there are none, what blocks it and who acts next. */
export function capabilitiesOf(row: EmpresaRow): Capabilities {
  const none = { can_emit: false, tipos: [] }
  if (row.status === 'archived') return { ...none, blocked_by: 'archived', next: null }
  if (row.status === 'suspended') return { ...none, blocked_by: 'suspended', next: BY_CUSTOMER }
  if (row.onboarding_status !== 'emitting') return { ...none, blocked_by: 'mandato', next: BY_CUSTOMER }
  const tipos = issuable(row)
  if (tipos.length === 0) return { ...none, blocked_by: 'habilitacion', next: BY_CUSTOMER }
  return { can_emit: true, tipos, blocked_by: null, next: null }
}
