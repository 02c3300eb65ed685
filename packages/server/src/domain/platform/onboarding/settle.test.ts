import { describe, expect, it } from 'vitest'
import { LANES, type Lane, type StepKey, stepsOf } from './lanes.ts'
import { type Facts, type StepState, type StepStatus, settle } from './settle.ts'

const facts = (lane: Lane, more: Partial<Facts> = {}): Facts => ({
  lane,
  boletas: false,
  done: {},
  to_certify: lane === 'mercado' ? [33, 56, 61] : [],
  claim_refused: false,
  preparing: [],
  by_hand: false,
  ...more,
})

/** Walks as the driver does: applies what settle says until it says nothing. */
function walk(known: Facts, before: Partial<Record<StepKey, Partial<StepState>>> = {}) {
  const states = new Map<StepKey, StepState>()
  for (const key of LANES[known.lane])
    states.set(key, { key, status: 'pending', approved: false, tipos: [], ...before[key] })
  for (let moves = settle(known, states); moves.length > 0; moves = settle(known, states))
    for (const { key, to } of moves) states.set(key, { ...(states.get(key) as StepState), status: to })
  return Object.fromEntries([...states].map(([key, { status }]) => [key, status])) as Record<StepKey, StepStatus>
}

/** Every step before one, done. */
function doneUntil(lane: Lane, until: StepKey, tipos = [33, 56, 61]): Partial<Record<StepKey, Partial<StepState>>> {
  const keys = LANES[lane] as readonly StepKey[]
  return Object.fromEntries(keys.slice(0, keys.indexOf(until)).map((key) => [key, { status: 'completed', tipos }]))
}

describe('the lanes', () => {
  it('have the steps of the contract, in its order', () => {
    expect(stepsOf('mercado', true)).toHaveLength(12) // eleven that are shown, and going live
    expect(stepsOf('mercado', false)).not.toContain('habilitacion')
    expect(stepsOf('sfg', false)).toEqual([
      'mandato',
      'credential',
      'clave_centralizado',
      'usuario_autorizado',
      'emisor_verificado',
      'puesta_en_vivo',
      'emitting',
    ])
    expect(stepsOf('sfg', true).slice(7)).toEqual(['habilitacion', 'folios'])
  })
})

describe('settle', () => {
  it('opens the first step for the customer, and nothing behind it', () => {
    const steps = walk(facts('mercado'))
    expect(steps.mandato).toBe('action_required')
    expect(steps.certificate).toBe('pending')
  })

  it('closes what is done already wherever it stands, so that nothing has to be done twice', () => {
    const steps = walk(facts('mercado', { done: { certificate: true } }))
    expect([steps.mandato, steps.certificate]).toEqual(['action_required', 'completed'])
    const signed = walk(facts('mercado', { done: { mandato: true, certificate: true } }))
    expect(signed.sii_postulacion).toBe('action_required')
  })

  it('lets a step of ours begin only when the person it asks has approved it', () => {
    const before = doneUntil('mercado', 'cumplimiento')
    expect(walk(facts('mercado'), before).cumplimiento).toBe('action_required')
    const approved = { ...before, cumplimiento: { approved: true } }
    expect(walk(facts('mercado'), approved).cumplimiento).toBe('in_progress')
  })

  it('skips the certification of tipos that the taxpayer may issue, and takes it up again when one is added', () => {
    const done = { mandato: true, certificate: true }
    const skipped = walk(facts('mercado', { done, to_certify: [] }))
    expect([skipped.sii_postulacion, skipped.cumplimiento, skipped.resolucion]).toEqual([
      'skipped',
      'skipped',
      'skipped',
    ])
    expect(skipped.folios).toBe('in_progress')

    const live = {
      ...doneUntil('mercado', 'emitting', [33]),
      emitting: { status: 'completed' as const, approved: true },
    }
    const added = walk(facts('mercado', { done: { ...done, emitting: true }, to_certify: [52] }), live)
    expect(added.sii_postulacion).toBe('action_required')
    expect(added.set_de_pruebas).toBe('pending')
    expect(added.emitting).toBe('completed')
  })

  it('reopens a step whose fact is gone, and holds back only what was not done', () => {
    const before = { ...doneUntil('mercado', 'set_de_pruebas'), set_de_pruebas: { status: 'in_progress' as const } }
    const steps = walk(facts('mercado', { done: { mandato: true, certificate: false } }), before)
    expect([steps.certificate, steps.sii_postulacion, steps.set_de_pruebas]).toEqual([
      'action_required',
      'completed',
      'pending',
    ])
  })

  it('gives the application back to the customer when the SII refused the resolución they declared', () => {
    const before = { ...doneUntil('mercado', 'sii_postulacion'), sii_postulacion: { approved: true } }
    expect(walk(facts('mercado', { claim_refused: true }), before).sii_postulacion).toBe('action_required')
    expect(walk(facts('mercado'), before).sii_postulacion).toBe('in_progress')
  })

  it('leaves a step that failed until somebody looks at it', () => {
    const before = { ...doneUntil('mercado', 'simulacion'), simulacion: { status: 'failed' as const } }
    expect(walk(facts('mercado'), before)).toMatchObject({ simulacion: 'failed', intercambio: 'pending' })
  })

  it('goes live on the free portal before the boletas are looked at', () => {
    const before = { ...doneUntil('sfg', 'emitting'), emitting: { approved: true } }
    const steps = walk(facts('sfg', { boletas: true }), before)
    expect([steps.emitting, steps.habilitacion, steps.folios]).toEqual(['completed', 'action_required', 'pending'])
  })

  it('changes nothing the second time', () => {
    const known = facts('sfg', { boletas: true, done: { mandato: true, credential: true } })
    const once = walk(known)
    const states = new Map(
      Object.entries(once).map(([key, status]) => [key, { key, status, approved: false, tipos: [] }]),
    )
    expect(settle(known, states as unknown as Map<StepKey, StepState>)).toEqual([])
  })

  it('asks nobody to approve what is still being prepared', () => {
    const before = doneUntil('mercado', 'muestras_impresas')
    const done = { mandato: true, certificate: true }
    const preparing = facts('mercado', { done, preparing: ['muestras_impresas'] })
    expect(walk(preparing, before).muestras_impresas).toBe('in_progress')
    const open = { ...before, muestras_impresas: { status: 'in_progress' as const } }
    expect(walk(facts('mercado', { done }), open).muestras_impresas).toBe('action_required')
    const shown = { ...before, muestras_impresas: { status: 'action_required' as const } }
    expect(walk(preparing, shown).muestras_impresas).toBe('in_progress')
  })

  it('lets what a test helper did stand, though nothing is behind it', () => {
    const rehearsed = facts('mercado', { by_hand: true })
    const before = doneUntil('mercado', 'cumplimiento', [])
    const steps = walk(rehearsed, {
      ...before,
      simulacion: { status: 'skipped' },
      cumplimiento: { status: 'in_progress' },
    })
    expect([steps.set_de_pruebas, steps.simulacion]).toEqual(['completed', 'skipped'])
    expect([steps.cumplimiento, steps.resolucion]).toEqual(['in_progress', 'pending'])
  })
})
