import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TIPO_NUMBERS } from '../document/tipos.ts'
import {
  ANSWERABLE_TIPOS,
  DOCUMENTS,
  ELECTRONIC_TIPOS,
  EXCHANGED_TIPOS,
  isReferenceType,
  SELLER_TIPOS,
  saleSignOf,
  signOf,
  standsIn,
  tiposOf,
  tiposWhere,
} from './documents.ts'

const DATA = new URL('../../../../../shared/sii/data/tipos_documento.json', import.meta.url)

interface Listed {
  readonly codigo: number
  readonly electronico: boolean
  readonly signo: number
  readonly cedible_rtc: boolean
  readonly solo_referencia: boolean
}

describe('the table of documents', () => {
  it('says of every tipo that two taxpayers exchange who sells, who answers and who cedes', () => {
    expect(EXCHANGED_TIPOS).toEqual([33, 34, 43, 46, 56, 61])
    expect(SELLER_TIPOS).toEqual([33, 34, 43, 56, 61])
    expect(ANSWERABLE_TIPOS).toEqual([33, 34, 43])
    expect(tiposWhere(({ ceded_by }) => ceded_by === 'emisor')).toEqual([33, 34, 43])
    expect(tiposWhere(({ registered }) => registered === 'monthly')).toEqual([39, 41, 48])
    expect(tiposOf('factura_de_compra')).toEqual([45, 46])
  })

  it('has a row for each tipo that is issued', () => {
    for (const tipo of TIPO_NUMBERS) expect(DOCUMENTS[tipo]).toMatchObject({ electronic: true })
  })

  it('lets a nota de crédito of any kind take away, and nothing else', () => {
    expect(
      Object.keys(DOCUMENTS)
        .map(Number)
        .filter((tipo) => signOf(tipo) === -1),
    ).toEqual([60, 61, 106, 112])
  })

  it('says in which register each tipo stands', () => {
    const all = Object.keys(DOCUMENTS).map(Number)
    const both = [30, 32, 33, 34, 40, 43, 45, 46, 55, 56, 60, 61]
    const sold = [35, 38, 39, 41, 48, 101, 104, 106, 110, 111, 112]
    expect(all.filter((tipo) => standsIn('sale', tipo))).toEqual([...both, ...sold].sort((a, b) => a - b))
    expect(all.filter((tipo) => standsIn('purchase', tipo))).toEqual([...both, 914])
    expect([standsIn('sale', 999), standsIn('purchase', 52)]).toEqual([false, false])
  })

  it('says of each tipo that is issued what it does to the sales of its emisor', () => {
    const signs = Object.fromEntries(TIPO_NUMBERS.map((tipo) => [tipo, saleSignOf(tipo)]))
    expect(signs).toEqual({ 33: 1, 34: 1, 39: 1, 41: 1, 46: 0, 52: 0, 56: 1, 61: -1 })
  })

  it('lets no reference name what only the register knows', () => {
    expect(['33', '033', '801', '914', 'SET', 'constructor'].map(isReferenceType)).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
    ])
  })

  it.skipIf(!existsSync(DATA))('agrees with the published list of the SII', () => {
    const { items } = JSON.parse(readFileSync(DATA, 'utf8')) as { items: readonly Listed[] }
    const known = items.filter(({ codigo, solo_referencia }) => !solo_referencia && DOCUMENTS[codigo])
    const codes = (rule: (item: Listed) => boolean) => known.filter(rule).map(({ codigo }) => codigo)
    expect(codes(({ electronico }) => electronico)).toEqual(ELECTRONIC_TIPOS)
    expect(codes(({ cedible_rtc }) => cedible_rtc)).toEqual(tiposWhere(({ ceded_by }) => ceded_by !== null))
    expect(codes(({ signo }) => signo === -1)).toEqual(
      known.map(({ codigo }) => codigo).filter((tipo) => signOf(tipo) === -1),
    )
  })
})
