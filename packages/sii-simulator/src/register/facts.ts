import { childOf, childrenOf, parseXmlText, textAt, type XmlElement } from '@timbre/dte'

/** What the SII's registers tell of a document, read from the document itself. */
export interface DteFacts {
  readonly tipo: number
  readonly folio: number
  /** Civil date, `FchEmis`. */
  readonly issued_on: string
  readonly emisor: string
  readonly emisor_name: string
  readonly receptor: string
  readonly receptor_name: string
  /** `FmaPago`: 1 cash, 2 credit, 3 free. Absent means credit (Formato DTE v2.4.2). */
  readonly payment: number
  /** `TpoTranVenta` and `TpoTranCompra`; 1, del giro, where the document does not tell. */
  readonly sale_kind: number
  readonly purchase_kind: number
  readonly net: number
  readonly exempt: number
  readonly iva: number
  readonly total: number
  readonly iva_not_withheld: number
  readonly not_billable: number
  readonly taxes: readonly TaxFacts[]
  readonly references: readonly ReferenceFacts[]
}

export interface TaxFacts {
  readonly code: number
  readonly rate: string
  readonly amount: number
}

export interface ReferenceFacts {
  readonly tipo: string
  readonly folio: string
  /** 1 annuls, 2 corrects text, 3 corrects amounts. */
  readonly code: number | null
}

/** Codes of `ImptoReten` that withhold IVA and do not add to the total (Formato DTE v2.4.2, table of taxes). */
const WITHHOLDING: readonly number[] = [15, 30, 31, 32, 33, 34, 36, 37, 38, 39, 41, 46, 47, 48, 49]

export function withheldIva(facts: DteFacts): number {
  return facts.taxes.filter(({ code }) => WITHHOLDING.includes(code)).reduce((sum, { amount }) => sum + amount, 0)
}

export function otherTaxes(facts: DteFacts): readonly TaxFacts[] {
  return facts.taxes.filter(({ code }) => !WITHHOLDING.includes(code))
}

/** Reads the text of one `DTE`. It was taken in already, so a text that cannot be read is a fault of the simulator. */
export function readFacts(dte: string): DteFacts {
  const parsed = parseXmlText(dte)
  if (!parsed.ok) throw new TypeError(`a document held here cannot be read: ${parsed.refusal.rule}`)
  const root = parsed.value.root
  return factsOf(root.name === 'DTE' ? (root.children[0] ?? root) : root)
}

export function factsOf(documento: XmlElement): DteFacts {
  const header = childOf(documento, 'Encabezado')
  const id = childOf(header, 'IdDoc')
  const emisor = childOf(header, 'Emisor')
  const receptor = childOf(header, 'Receptor')
  const totals = childOf(header, 'Totales')
  return {
    tipo: pesos(id, 'TipoDTE'),
    folio: pesos(id, 'Folio'),
    issued_on: textAt(id, 'FchEmis') ?? '',
    emisor: textAt(emisor, 'RUTEmisor') ?? '',
    emisor_name: textAt(emisor, 'RznSoc') ?? textAt(emisor, 'RznSocEmisor') ?? '',
    receptor: textAt(receptor, 'RUTRecep') ?? '',
    receptor_name: textAt(receptor, 'RznSocRecep') ?? '',
    payment: pesos(id, 'FmaPago') || 2,
    sale_kind: pesos(id, 'TpoTranVenta') || 1,
    purchase_kind: pesos(id, 'TpoTranCompra') || 1,
    net: pesos(totals, 'MntNeto'),
    exempt: pesos(totals, 'MntExe'),
    iva: pesos(totals, 'IVA'),
    total: pesos(totals, 'MntTotal'),
    iva_not_withheld: pesos(totals, 'IVANoRet'),
    not_billable: pesos(totals, 'MontoNF'),
    taxes: childrenOf(totals, 'ImptoReten').map((tax) => ({
      code: pesos(tax, 'TipoImp'),
      rate: textAt(tax, 'TasaImp') ?? '',
      amount: pesos(tax, 'MontoImp'),
    })),
    references: childrenOf(documento, 'Referencia').map((reference) => ({
      tipo: textAt(reference, 'TpoDocRef') ?? '',
      folio: textAt(reference, 'FolioRef') ?? '',
      code: pesos(reference, 'CodRef') || null,
    })),
  }
}

function pesos(element: XmlElement | undefined, name: string): number {
  return Math.trunc(Number(textAt(element, name) ?? 0)) || 0
}
