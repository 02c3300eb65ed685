import { SiiFailure } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import { SiiUnreachable } from '../../ports/sii.ts'
import { asUnreachable } from './unreachable.ts'

const PLACE = { service: 'portal', operation: 'getDetalleCompraExport', ambiente: 'produccion' } as const

function unreachable(facts: ConstructorParameters<typeof SiiFailure>[1]): SiiUnreachable {
  try {
    return asUnreachable(new SiiFailure(PLACE, facts))
  } catch (error) {
    if (error instanceof SiiUnreachable) return error
    throw error
  }
}

describe('an SII that did not do what it was asked', () => {
  it('is told of in its own words where it had any, whether or not waiting for it is of use', () => {
    const glosa = 'No tiene permiso sobre la empresa'
    const failed = unreachable({ kind: 'unreachable', retry: 'later', estado: '2', glosa })
    expect([failed.told, failed.waits_for]).toEqual([
      `The SII did not do what it was asked. Its words: ${glosa}`,
      'sii produccion portal getDetalleCompraExport',
    ])
    const refused = unreachable({ kind: 'refused', retry: 'minutes', estado: '9', glosa })
    expect([refused.told, refused.waits_for]).toEqual([failed.told, null])
  })

  it('is told of as one that did not answer where it said nothing', () => {
    for (const glosa of [null, '']) {
      expect(unreachable({ kind: 'unreachable', retry: 'later', glosa }).told).toBe('The SII did not answer.')
    }
  })
})
