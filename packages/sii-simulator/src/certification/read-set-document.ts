import { amountsOf, readDocument } from '../verify/read-document.ts'
import { children, number, text, type XmlNode } from '../verify/xml/node.ts'
import { parseXml } from '../verify/xml/parse.ts'
import type { Amounts } from './expected.ts'

/** A document that came back for a set, with what the review compares. */
export interface SetDocument {
  readonly tipo: number
  readonly folio: number
  readonly fecha: string
  readonly emisor: string
  readonly receptor: string
  readonly lines: readonly SetLine[]
  readonly discounts: readonly GlobalDiscount[]
  readonly amounts: Amounts
  readonly references: readonly SetReference[]
  /** `IndTraslado`, `TipoDespacho`. */
  readonly transfer: number | null
  readonly despacho: number | null
}

export interface SetLine {
  readonly name: string
  readonly quantity: number | null
  readonly unit: string | null
  readonly price: number | null
  readonly discount_percent: number | null
  readonly discount_amount: number | null
  readonly exempt: boolean
  readonly tax: string | null
  readonly amount: number
}

export interface GlobalDiscount {
  readonly movement: string
  readonly kind: string
  readonly value: number
  readonly over: 'taxed' | 'exempt'
}

export interface SetReference {
  readonly tipo: string
  readonly folio: string
  /** As it is written: of a boleta it is `SET`. */
  readonly code: string | null
  readonly reason: string | null
}

/** The documents of an envelope that the SII has processed, in their order. */
export function readEnvelope(file: Uint8Array): SetDocument[] {
  const set = parseXml(file).root.elements[0] as XmlNode
  return children(set, 'DTE').map(readOne)
}

function readOne(dte: XmlNode): SetDocument {
  const { tipo, folio, fecha, emisor, receptor, header, body, lines, total } = readDocument(dte)
  return {
    tipo,
    folio,
    fecha,
    emisor,
    receptor,
    lines: lines.map((line) => readLine(line, tipo)),
    discounts: children(body, 'DscRcgGlobal').map((line) => ({
      movement: text(line, 'TpoMov') ?? '',
      kind: text(line, 'TpoValor') ?? '',
      value: number(line, 'ValorDR') ?? 0,
      over: text(line, 'IndExeDR') === null ? 'taxed' : 'exempt',
    })),
    amounts: { ...amountsOf(header, tipo), total },
    references: children(body, 'Referencia').map((line) => ({
      tipo: text(line, 'TpoDocRef') ?? '',
      folio: text(line, 'FolioRef') ?? '',
      code: text(line, 'CodRef'),
      reason: text(line, 'RazonRef'),
    })),
    transfer: number(header, 'IdDoc', 'IndTraslado'),
    despacho: number(header, 'IdDoc', 'TipoDespacho'),
  }
}

/** Every line of a 34 or a 41 is exempt, whether or not it says so. */
function readLine(line: XmlNode, tipo: number): SetLine {
  return {
    name: text(line, 'NmbItem') ?? '',
    quantity: number(line, 'QtyItem'),
    unit: text(line, 'UnmdItem'),
    price: number(line, 'PrcItem'),
    discount_percent: number(line, 'DescuentoPct'),
    discount_amount: number(line, 'DescuentoMonto'),
    exempt: tipo === 34 || tipo === 41 || text(line, 'IndExe') === '1',
    tax: text(line, 'CodImpAdic'),
    amount: number(line, 'MontoItem') ?? 0,
  }
}
