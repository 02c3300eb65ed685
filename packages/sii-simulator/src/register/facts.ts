import type { SiiDocument } from '../state/types.ts'

/** What the registers tell of a document. */
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
  readonly iva_withheld: number
  readonly taxes: readonly TaxFacts[]
  readonly references: readonly { readonly tipo: string; readonly folio: string }[]
}

/** A tax other than IVA. */
export interface TaxFacts {
  readonly code: number
  readonly rate: string
  readonly amount: number
}

/** Codes of `ImptoReten` that withhold IVA and do not add to the total (Formato DTE v2.4.2, table of taxes). */
const WITHHOLDING: readonly number[] = [15, 30, 31, 32, 33, 34, 36, 37, 38, 39, 41, 46, 47, 48, 49]

/** `text` is the document's own, which was found whole and well formed when it came. */
export function factsOf(document: SiiDocument, text: string): DteFacts {
  const taxes = taxesIn(text)
  const code = (name: string) => Number(new RegExp(`<${name}>(\\d)</${name}>`).exec(text)?.[1] ?? 1)
  return {
    tipo: document.tipo,
    folio: document.folio,
    issued_on: document.fecha,
    emisor: document.emisor,
    emisor_name: document.emisor_name,
    receptor: document.receptor,
    receptor_name: document.receptor_name,
    payment: document.forma_pago ?? 2,
    sale_kind: code('TpoTranVenta'),
    purchase_kind: code('TpoTranCompra'),
    net: document.neto,
    exempt: document.exento,
    iva: document.iva,
    total: document.monto,
    iva_withheld: taxes.filter((tax) => WITHHOLDING.includes(tax.code)).reduce((sum, { amount }) => sum + amount, 0),
    taxes: taxes.filter((tax) => !WITHHOLDING.includes(tax.code)),
    references: document.references.map(({ tipo, folio }) => ({ tipo, folio })),
  }
}

function taxesIn(text: string): readonly TaxFacts[] {
  return Array.from(text.matchAll(/<ImptoReten>([\s\S]*?)<\/ImptoReten>/g), ([, tax = '']) => {
    const value = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(tax)?.[1]?.trim() ?? ''
    return { code: Number(value('TipoImp')), rate: value('TasaImp'), amount: Number(value('MontoImp')) }
  })
}
