import { describe, expect, it } from 'vitest'
import { unconnectedSii } from '../../test/support/unconnected-sii.ts'
import { marked, watermarkOf } from './watermark.ts'

describe('the watermark', () => {
  const real = unconnectedSii()
  const simulated = { ...real, tax_effect: false }

  it('is on every page but of what the production of the SII accepted', () => {
    expect(watermarkOf({ sii: { test: simulated, live: real } }, 'live')).toBeNull()
    expect(watermarkOf({ sii: { test: simulated, live: real } }, 'test')).toBe('SIN VALOR TRIBUTARIO')
    expect(watermarkOf({ sii: { test: simulated, live: simulated } }, 'live')).toBe('SIN VALOR TRIBUTARIO')
  })

  it('shows in the subject of a letter', () => {
    expect([marked('Factura', 'SIN VALOR TRIBUTARIO'), marked('Factura', null)]).toEqual([
      '[Prueba] Factura',
      'Factura',
    ])
  })
})
