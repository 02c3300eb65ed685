import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'
import type { EmpresaRow } from './row.ts'
import { showEmpresa } from './show.ts'

const emitting = {
  mode: 'live',
  status: 'active',
  onboarding_status: 'emitting',
  emission_channel: 'mercado',
  doc_types: [33, 39, 61],
  boleta_emission_enabled_at: null,
  resolucion_boletas_fecha: null,
  created_at: new Date('2026-01-01T00:00:00Z'),
} as unknown as EmpresaRow

describe('capabilities', () => {
  it('lists no boleta of a live empresa before its habilitación, and does not hold the facturas back for it', () => {
    const waiting = capabilitiesOf(emitting)
    expect(waiting).toEqual({ can_emit: true, tipos: [33, 61], blocked_by: null, next: null })
    const enabled = capabilitiesOf({ ...emitting, boleta_emission_enabled_at: new Date('2026-01-01T00:00:00Z') })
    expect(enabled.tipos).toEqual([33, 39, 61])
  })

  it('names the habilitación when boletas are all there is', () => {
    expect(capabilitiesOf({ ...emitting, doc_types: [39, 41] })).toMatchObject({
      can_emit: false,
      tipos: [],
      blocked_by: 'habilitacion',
    })
  })

  it('says suspended before anything else about the onboarding', () => {
    const suspended = capabilitiesOf({ ...emitting, status: 'suspended', onboarding_status: 'mandato_pending' })
    expect(suspended).toMatchObject({ can_emit: false, tipos: [], blocked_by: 'suspended' })
  })

  it('derives produccion only for a live empresa that emits', () => {
    expect(showEmpresa(emitting).ambiente).toBe('produccion')
    expect(showEmpresa({ ...emitting, onboarding_status: 'mandato_pending' }).ambiente).toBe('certificacion')
    expect(showEmpresa({ ...emitting, mode: 'test' }).ambiente).toBe('certificacion')
  })
})
