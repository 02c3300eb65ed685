import { isTipoDte, TIPOS } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { type Lane, type StepKey, stepsOf } from './lanes.ts'
import type { Walk } from './status.ts'

export function isBoleta(tipo: number): boolean {
  return isTipoDte(tipo) && TIPOS[tipo].family === 'boleta'
}

/** What an empresa certifies for governs its steps; by default that is the channel it emits by. */
export function laneOf(row: Pick<EmpresaRow, 'certification_track' | 'emission_channel'>): Lane {
  return row.certification_track ?? row.emission_channel
}

/** Declared tipos that the taxpayer is not known to be authorised for. Boletas have a step of their own. */
export function tiposToCertify(row: Pick<EmpresaRow, 'mode' | 'doc_types' | 'certified_tipos'>): number[] {
  if (!MODES[row.mode].tipos_need_certification) return []
  return row.doc_types.filter((tipo) => !isBoleta(tipo) && !row.certified_tipos.includes(tipo))
}

/** The tipos that the certification of an empresa is about: of a rehearsal, all that it declares. */
export function tiposOfCertification(row: Pick<EmpresaRow, 'mode' | 'doc_types' | 'certified_tipos'>): number[] {
  return MODES[row.mode].rehearses_onboarding ? row.doc_types.filter((tipo) => !isBoleta(tipo)) : tiposToCertify(row)
}

/** The steps of an empresa, in their order. */
export function stepsOfRow(row: Pick<EmpresaRow, 'certification_track' | 'emission_channel' | 'doc_types'>): StepKey[] {
  return stepsOf(laneOf(row), row.doc_types.some(isBoleta))
}

/** The way of an empresa; null for one that is born emitting and rehearses nothing. */
export function walkOf(row: EmpresaRow): Walk | null {
  if (row.steps === null && row.emitting_since !== null) return null
  return {
    lane: laneOf(row),
    boletas: row.doc_types.some(isBoleta),
    steps: row.steps ?? {},
    suspended: row.status !== 'active',
    emitting: row.emitting_since !== null,
  }
}
