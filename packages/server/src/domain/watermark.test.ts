import { describe, expect, it } from 'vitest'
import { unconnectedSii } from '../../test/support/unconnected-sii.ts'
import { watermarkOf } from './watermark.ts'

describe('the watermark', () => {
  const real = unconnectedSii()
  const simulated = { ...real, tax_effect: false }

  it('is on every page but of what the production of the SII accepted', () => {
    expect(watermarkOf({ sii: { test: simulated, live: real } }, 'live')).toBeNull()
    expect(watermarkOf({ sii: { test: simulated, live: real } }, 'test')).toBe('SIN VALOR TRIBUTARIO')
    expect(watermarkOf({ sii: { test: simulated, live: simulated } }, 'live')).toBe('SIN VALOR TRIBUTARIO')
  })
})
