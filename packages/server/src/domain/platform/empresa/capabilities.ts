import { MODES } from '../../../catalog/modes.ts'
import { actorOf } from '../onboarding/settle.ts'
import { currentStep } from '../onboarding/status.ts'
import { isBoleta, tiposToCertify, walkOf } from '../onboarding/walk.ts'
import { getsFolioFromSii, lackedBy } from './channels.ts'
import { custodyGap } from './custody.ts'
import { refusalsIn } from './refusals.ts'
import type { EmpresaRow } from './row.ts'
import type { Capabilities } from './schema.ts'

const BY_CUSTOMER = { who: 'customer', api: null, url: null } as const

/** Tipos of an empresa that the SII lets it issue with software of its own; on the free portal it needs no leave. */
function uncertified(row: EmpresaRow): number[] {
  return tiposToCertify(row).filter((tipo) => !getsFolioFromSii(row.emission_channel, tipo))
}

/** Declared tipos whose own conditions are met. Boletas of a live empresa wait for their habilitación, facturas do not. */
function issuable(row: EmpresaRow): number[] {
  const waits = MODES[row.mode].boletas_wait_for_habilitacion && row.boleta_emission_enabled_at === null
  const closed = [...lackedBy(row.emission_channel, row.doc_types), ...uncertified(row)]
  return row.doc_types.filter((tipo) => !closed.includes(tipo) && !(waits && isBoleta(tipo)))
}

/** What stands in the way of a tipo that the empresa declares, by the key of the step; null when nothing does. */
export function blockedBy(row: EmpresaRow, tipo_dte: number, now: Date): string | null {
  if (!issuable(row).includes(tipo_dte)) return isBoleta(tipo_dte) ? 'habilitacion' : 'resolucion'
  return custodyGap(row, tipo_dte, now)
}

/** An expired certificate, or a password that was refused, is a step that has to be done again. */
const AGAIN: Readonly<Record<string, string>> = {
  certificate_expired: 'certificate',
  credential_refused: 'credential',
}
const stepOf = (block: string | null) => (block === null ? null : (AGAIN[block] ?? block))

/** The call that mends a gap in custody. */
function nextOf({ id, certificate_refused }: EmpresaRow, step: string | null): Capabilities['next'] {
  // What the SII has against the empresa itself is mended there, and by no certificate.
  const of_empresa = refusalsIn(certificate_refused).some(({ reason }) => reason === 'empresa_not_authorised')
  if (step === 'certificate_refused' && of_empresa) return BY_CUSTOMER
  if (step === 'certificate' || step === 'certificate_refused')
    return { ...BY_CUSTOMER, api: `POST /empresas/${id}/certificate` }
  if (step === 'documents_refused') return { ...BY_CUSTOMER, api: `PATCH /empresas/${id}` }
  if (step === 'credential') return { ...BY_CUSTOMER, api: `POST /empresas/${id}/sfg_credential` }
  return BY_CUSTOMER
}

/** The step that an empresa on its way waits for, and the call that says who has to do what. */
function awaited(row: EmpresaRow): Pick<Capabilities, 'blocked_by' | 'next'> {
  const walk = walkOf(row)
  const step = (walk && currentStep(walk)) ?? 'mandato'
  const waits_for_person = walk?.steps[step] === 'action_required'
  const who = waits_for_person ? 'customer' : actorOf(step, { claim_refused: row.resolucion_status === 'refused' })
  const api = nextOf(row, step)?.api ?? `GET /empresas/${row.id}/onboarding`
  return { blocked_by: step, next: { who, api, url: null } }
}

/** Which of several is told. */
const STEPS = ['credential', 'certificate', 'certificate_refused', 'documents_refused']

/** The tipos that the empresa can issue now and, when there are none, what blocks it and who acts next. */
export function capabilitiesOf(row: EmpresaRow, now: Date): Capabilities {
  const none = { can_emit: false, tipos: [] }
  if (row.status === 'archived') return { ...none, blocked_by: 'archived', next: null }
  if (row.status === 'suspended') return { ...none, blocked_by: 'suspended', next: BY_CUSTOMER }
  if (row.emitting_since === null) return { ...none, ...awaited(row) }
  const tipos = issuable(row)
  const blocks = tipos.map((tipo) => stepOf(custodyGap(row, tipo, now)))
  const open = tipos.filter((_, index) => blocks[index] === null)
  if (open.length > 0) return { can_emit: true, tipos: open, blocked_by: null, next: null }
  // The facturas of the free portal wait for the credential alone, and are what such an empresa is there for.
  const step =
    STEPS.find((one) => blocks.includes(one)) ?? (uncertified(row).length > 0 ? 'resolucion' : 'habilitacion')
  return { ...none, blocked_by: step, next: nextOf(row, step) }
}
