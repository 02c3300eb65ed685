import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'
import type { EmpresaRow } from './row.ts'
import { showEmpresa } from './show.ts'

const emitting = {
  mode: 'live',
  status: 'active',
  emitting_since: new Date('2026-01-05T12:00:00Z'),
  certified_tipos: [33, 34, 39, 41, 46, 52, 56, 61],
  steps: null,
  emission_channel: 'mercado',
  doc_types: [33, 39, 61],
  boleta_emission_enabled_at: null,
  resolucion_boletas_fecha: null,
  certificate_until: new Date('2027-01-01T00:00:00Z'),
  certificate_refused: {},
  documents_refused: {},
  has_sfg_credential: false,
  sfg_refused_at: null,
  created_at: new Date('2026-01-01T00:00:00Z'),
} as unknown as EmpresaRow

const NOW = new Date('2026-06-01T00:00:00Z')
const of = (row: Partial<EmpresaRow> = {}, now = NOW) => capabilitiesOf({ ...emitting, ...row }, now)

describe('capabilities', () => {
  it('lists no boleta of a live empresa before its habilitación, and does not hold the facturas back for it', () => {
    const waiting = of()
    expect(waiting).toEqual({ can_emit: true, tipos: [33, 61], blocked_by: null, next: null })
    const enabled = of({ boleta_emission_enabled_at: new Date('2026-01-01T00:00:00Z') })
    expect(enabled.tipos).toEqual([33, 39, 61])
  })

  it('names the habilitación when boletas are all there is', () => {
    expect(of({ doc_types: [39, 41] })).toMatchObject({
      can_emit: false,
      tipos: [],
      blocked_by: 'habilitacion',
    })
  })

  it('says suspended before anything else about the onboarding', () => {
    const suspended = of({ status: 'suspended', emitting_since: null })
    expect(suspended).toMatchObject({ can_emit: false, tipos: [], blocked_by: 'suspended' })
  })

  it('needs a valid certificate, and for what the free portal signs a credential that the SII has not refused', () => {
    const boletas = { boleta_emission_enabled_at: NOW }
    expect(of({ certificate_until: null })).toMatchObject({ tipos: [], blocked_by: 'certificate' })
    expect(of({}, new Date('2027-01-01T00:00:00Z')).can_emit).toBe(true)
    expect(of({}, new Date('2027-01-01T00:00:01Z'))).toMatchObject({ tipos: [], blocked_by: 'certificate' })
    const sfg = { emission_channel: 'sfg', certificate_until: null, ...boletas } as const
    expect(of(sfg)).toMatchObject({ tipos: [], blocked_by: 'credential' })
    expect(of({ ...sfg, has_sfg_credential: true })).toMatchObject({ tipos: [], blocked_by: 'certificate' })
    const opened = { ...sfg, certificate_until: emitting.certificate_until }
    expect(of(opened).tipos).toEqual([39])
    expect(of({ ...opened, has_sfg_credential: true }).tipos).toEqual([33, 39, 61])
    expect(of({ ...opened, has_sfg_credential: true, sfg_refused_at: NOW }).tipos).toEqual([39])
    expect(of({ mode: 'test', certificate_until: null }).can_emit).toBe(true)
  })

  it('lacks what goes by a road on which the SII refuses the holder of the certificate, and says so when nothing is left', () => {
    const at = NOW.toISOString()
    const refusal = { reason: 'no_permission', sentence: null, at, retry_at: at, refusals: 1 } as const
    const both = { boleta_emission_enabled_at: NOW, doc_types: [33, 39] }
    expect(of({ ...both, certificate_refused: { boleta: refusal } })).toMatchObject({ tipos: [33], blocked_by: null })
    expect(of({ ...both, certificate_refused: { dte: refusal, boleta: refusal } })).toMatchObject({
      can_emit: false,
      blocked_by: 'certificate_refused',
    })
    const withdrawn = { ...refusal, reason: 'empresa_not_authorised' } as const
    const next = (dte: typeof refusal | typeof withdrawn) =>
      of({ doc_types: [33], certificate_refused: { dte } }).next?.api ?? null
    expect([next(refusal), next(withdrawn)]).toEqual([expect.stringContaining('/certificate'), null])
    const sfg = { ...both, emission_channel: 'sfg', has_sfg_credential: true } as const
    expect(of({ ...sfg, certificate_refused: { dte: refusal } }).tipos).toEqual([33, 39])
    expect(of({ mode: 'test', certificate_refused: { dte: refusal } }).can_emit).toBe(true)
  })

  it('derives produccion only for a live empresa that emits', () => {
    const addresses = { base_url: 'https://api.example.com/v1' }
    const shown = (more: Partial<EmpresaRow>) => showEmpresa({ ...emitting, ...more }, { now: () => NOW, addresses })
    expect(shown({}).ambiente).toBe('produccion')
    expect(shown({ emitting_since: null }).ambiente).toBe('certificacion')
    expect(shown({ mode: 'test' }).ambiente).toBe('certificacion')
  })
})
