import { MODES } from '../../../catalog/modes.ts'
import { certificateGap } from '../empresa/custody.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { type StepKey, stepOf } from './lanes.ts'
import type { Facts, StepState } from './settle.ts'
import type { StepRow } from './store.ts'
import { isBoleta, laneOf, tiposOfCertification } from './walk.ts'

/** What is known outside the row of the empresa. */
export interface Known {
  readonly mandato_signed: boolean
  /** Tipos that need folios of our own and never had any. */
  readonly tipos_without_folios: readonly number[]
  readonly preparing: readonly StepKey[]
}

/**
 * What moves the steps of an empresa. A rehearsal of the sandbox is moved by hand: there nothing that is missing undoes a
 * step, for nothing real stands behind it.
 */
export function factsOf(row: EmpresaRow, known: Known, now: Date): Facts {
  const by_hand = MODES[row.mode].rehearses_onboarding
  const either = (done: boolean) => (done ? true : by_hand ? null : false)
  const certificate = MODES[row.mode].needs_custody ? certificateGap(row, now) === null : row.certificate_until !== null
  const credential = row.has_sfg_credential && row.sfg_refused_at === null && certificate
  const done: Partial<Record<StepKey, boolean | null>> = {
    mandato: either(known.mandato_signed),
    certificate: either(certificate),
    credential: either(credential),
    habilitacion: row.boleta_emission_enabled_at === null ? null : true,
    // The sandbox gives folios as they are needed: that there are some says nothing of a rehearsal.
    folios: by_hand ? null : known.tipos_without_folios.length === 0,
    emitting: row.emitting_since === null ? null : true,
  }
  return {
    lane: laneOf(row),
    boletas: row.doc_types.some(isBoleta),
    done,
    to_certify: tiposOfCertification(row),
    claim_refused: row.resolucion_status === 'refused',
    preparing: by_hand ? [] : known.preparing,
    by_hand,
  }
}

/** The tipos of an empresa whose folios are ours to bring, on its lane. */
export function tiposWithFolios(
  row: Pick<EmpresaRow, 'doc_types' | 'certification_track' | 'emission_channel'>,
): number[] {
  return laneOf(row) === 'sfg' ? row.doc_types.filter(isBoleta) : row.doc_types
}

/** The tipos that an approval of a step is about: those it certifies, or enables. */
export function tiposToApprove(row: EmpresaRow, key: StepKey): number[] {
  const { certifies, boletas_only } = stepOf(key)
  if (certifies) return tiposOfCertification(row)
  return boletas_only ? row.doc_types.filter(isBoleta) : []
}

/** Whether an approval was given for less than what is declared now. */
export function isOutgrown(row: EmpresaRow, { key, approval, approved_at }: StepRow): boolean {
  const tipos = approval?.tipos
  return approved_at !== null && tipos !== undefined && tiposToApprove(row, key).some((tipo) => !tipos.includes(tipo))
}

export function stateOf({ key, status, approved_at, tipos }: StepRow): StepState {
  return { key, status, approved: approved_at !== null, tipos }
}
