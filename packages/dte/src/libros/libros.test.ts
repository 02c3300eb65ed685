import { describe, expect, it } from 'vitest'
import { parsed } from '../../test/support/emitted.ts'
import { KINDS } from '../../test/support/kinds.ts'
import { at, childrenOf, textAt, type XmlElement } from '../xml/tree.ts'

const root = (kind: string): XmlElement => parsed(KINDS[kind]?.xml ?? '').root

describe('the books', () => {
  it('add up by kind of document, and the credit of common use is rounded once', () => {
    const summary = at(root('LibroCompraVenta of compras'), 'EnvioLibro', 'ResumenPeriodo')
    const of = (name: string) => childrenOf(summary, 'TotalesPeriodo').map((total) => textAt(total, name))
    expect([of('TpoDoc'), of('TotDoc')]).toEqual([
      ['33', '61'],
      ['3', '1'],
    ])
    expect([of('TotMntNeto'), of('TotMntIVA')]).toEqual([
      ['3000', '1000'],
      ['380', '190'],
    ])
    expect([of('TotIVAUsoComun')[0], of('TotCredIVAUsoComun')[0]]).toEqual(['191', '115'])
  })

  it('leave annulled documents without amounts and boletas out of the detail', () => {
    const lines = childrenOf(at(root('LibroCompraVenta of ventas'), 'EnvioLibro'), 'Detalle')
    expect(lines.map((line) => [textAt(line, 'NroDoc'), textAt(line, 'MntTotal')])).toEqual([
      ['1', '1190'],
      ['4', undefined],
    ])
  })

  it('count sales, transfers and annulled guías apart', () => {
    const summary = at(root('LibroGuia'), 'EnvioLibro', 'ResumenPeriodo')
    const of = (...path: string[]) => textAt(summary, ...path)
    expect([of('TotGuiaAnulada'), of('TotGuiaVenta'), of('TotMntGuiaVta')]).toEqual(['1', '1', '1190'])
    expect([of('TotTraslado', 'TpoTraslado'), of('TotTraslado', 'CantGuia')]).toEqual(['5', '1'])
  })

  it('report folios as runs', () => {
    const runs = childrenOf(at(root('ConsumoFolios'), 'DocumentoConsumoFolios', 'Resumen'), 'RangoUtilizados')
    expect(runs.map((run) => [textAt(run, 'Inicial'), textAt(run, 'Final')])).toEqual([
      ['1', '3'],
      ['7', '7'],
    ])
  })
})
