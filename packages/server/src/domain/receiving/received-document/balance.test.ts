import { describe, expect, it } from 'vitest'
import { aboutOf } from './balance.ts'

const EMISOR = { rut: '76192083-9' }
const FACTURA = { tipo_dte: 33, folio: '120' }
type Dte = NonNullable<Parameters<typeof aboutOf>[0]>
const about = (tipo_dte: number, ...references: object[]) =>
  aboutOf({ tipo_dte, references, emisor: EMISOR } as unknown as Dte)
const NOTHING = { about_tipo: null, about_folio: null }

describe('what a nota of a supplier is about', () => {
  it('is its first reference, for a nota de crédito and a nota de débito alone', () => {
    for (const nota of [61, 56]) {
      expect(about(nota, FACTURA, { tipo_dte: 34, folio: '9' })).toEqual({ about_tipo: 33, about_folio: 120 })
    }
    for (const other of [33, 34, 52]) expect(about(other, FACTURA)).toEqual(NOTHING)
  })

  it('is nothing without a reference, a tipo of the SII or a folio that is a number', () => {
    for (const references of [[], [{ folio: '120' }], [{ tipo_dte: 33, folio: 'OC-7' }], [{ tipo_dte: 33 }]]) {
      expect(about(61, ...references)).toEqual(NOTHING)
    }
    expect(aboutOf(null)).toEqual(NOTHING)
  })

  it('is nothing where the reference names a document of somebody else', () => {
    expect(about(61, { ...FACTURA, emisor_rut: EMISOR.rut })).toEqual({ about_tipo: 33, about_folio: 120 })
    expect(about(61, { ...FACTURA, emisor_rut: '77123456-9' })).toEqual(NOTHING)
  })
})
