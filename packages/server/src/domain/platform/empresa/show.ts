import type { Addresses } from '../../../ports/ports.ts'
import { SII_PAGES } from '../onboarding/copy.ts'
import { currentStep, progressOf, statusOf, statusWithoutSteps } from '../onboarding/status.ts'
import { walkOf } from '../onboarding/walk.ts'
import { capabilitiesOf } from './capabilities.ts'
import { ambienteOf } from './lookup.ts'
import type { EmpresaRow } from './row.ts'
import type { Empresa, Resolucion } from './schema.ts'

/** Null until one is declared. */
function showResolucion(row: EmpresaRow): Resolucion | null {
  const { resolucion_numero, resolucion_fecha, resolucion_status } = row
  if (resolucion_numero === null || resolucion_fecha === null || resolucion_status === null) return null
  return {
    numero: resolucion_numero,
    fecha: resolucion_fecha,
    verified: resolucion_status === 'verified',
    verified_at: row.resolucion_verified_at?.toISOString() ?? null,
    verification_status: resolucion_status,
    verification_request: row.resolucion_request,
    refusal: row.resolucion_refusal,
  }
}

/** Where and when an empresa is shown. */
export interface Showing {
  readonly now: () => Date
  readonly addresses: Pick<Addresses, 'base_url'>
}

function onboardingOf(row: EmpresaRow, { addresses }: Showing): Empresa['onboarding'] {
  const walk = walkOf(row)
  const current = walk && currentStep(walk)
  return {
    status: walk ? statusOf(walk) : statusWithoutSteps(row),
    progress: walk ? progressOf(walk) : 1,
    blocked_on: current,
    next_action_url: (current && walk?.steps[current] === 'action_required' && SII_PAGES[current]) || null,
    url: `${addresses.base_url}/empresas/${row.id}/onboarding`,
  }
}

/** An empresa as it is at an instant: a certificate ends by the clock alone. */
export function showEmpresa(row: EmpresaRow, showing: Showing): Empresa {
  const { street, comuna, city, resolucion_boletas_fecha } = row
  return {
    object: 'empresa',
    id: row.id,
    mode: row.mode,
    rut: row.rut,
    legal_name: row.legal_name,
    giro: row.giro,
    acteco: row.acteco,
    address: { street, comuna, city },
    codigo_sucursal: row.codigo_sucursal,
    contact_email: row.contact_email,
    ambiente: ambienteOf(row),
    emission_channel: row.emission_channel,
    certification_track: row.certification_track,
    doc_types: row.doc_types,
    origen: row.origen,
    reception_email: row.reception_email,
    status: row.status,
    iva_shape: row.iva_shape,
    onboarding: onboardingOf(row, showing),
    capabilities: capabilitiesOf(row, showing.now()),
    resolucion: showResolucion(row),
    resolucion_boletas: resolucion_boletas_fecha === null ? null : { fecha: resolucion_boletas_fecha },
    boleta_emission_enabled_at: row.boleta_emission_enabled_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
