import { describe, expect, it } from 'vitest'
import { resolucionFor } from './emisor.ts'

const declared = {
  mode: 'live',
  resolucion_numero: 80,
  resolucion_fecha: '2014-08-22',
  resolucion_boletas_fecha: '2021-01-01',
} as const

describe('the resolución of an envelope', () => {
  it('is the same for boletas and facturas of an emisor that has one', () => {
    for (const tipo_dte of [33, 39, 41] as const) {
      expect(resolucionFor(declared, tipo_dte)).toEqual({ date: '2014-08-22', number: 80 })
    }
  })

  it('of an emisor of boletas alone is their habilitación, which has a date and no number', () => {
    const boletas_alone = { ...declared, resolucion_numero: null, resolucion_fecha: null }
    expect(resolucionFor(boletas_alone, 39)).toEqual({ date: '2021-01-01', number: 0 })
    expect(resolucionFor(boletas_alone, 33)).toBeNull()
  })
})
