import { child, children, number, text, type XmlNode } from '../verify/xml/node.ts'
import { parseXml } from '../verify/xml/parse.ts'

/** A book as it came: its carátula, its lines and its sums, each as named numbers. */
export interface Book {
  readonly operation: string | null
  readonly tipo_libro: string | null
  readonly tipo_envio: string | null
  readonly notification: number | null
  readonly lines: readonly BookLine[]
  /** `TotalesPeriodo` by tipo; of a book of guías, the one `ResumenPeriodo` under 52. */
  readonly sums: ReadonlyMap<number, Sums>
}

export interface BookLine {
  readonly tipo: number
  readonly folio: number
  readonly rut: string | null
  /** Of a guía: 1 before, 2 after it reached the SII. */
  readonly annulled: string | null
  readonly transfer: number | null
  readonly invoiced: boolean
  readonly exempt: number
  readonly net: number
  readonly iva: number
  readonly common_use: number
  readonly not_recoverable: readonly { readonly code: string; readonly amount: number }[]
  readonly withheld: number
  readonly total: number
}

export interface Sums {
  readonly documents: number
  readonly exempt: number
  readonly net: number
  readonly iva: number
  readonly total: number
  readonly common_use: number
  /** `FctProp`, in hundredths. */
  readonly factor: number | null
  readonly common_use_credit: number | null
  readonly annulled: number
}

export function readBook(file: Uint8Array): Book {
  const { root } = parseXml(file)
  const body = root.elements[0] as XmlNode
  const caratula = child(body, 'Caratula')
  const guides = root.name === 'LibroGuia'
  return {
    operation: text(caratula, 'TipoOperacion'),
    tipo_libro: text(caratula, 'TipoLibro'),
    tipo_envio: text(caratula, 'TipoEnvio'),
    notification: number(caratula, 'FolioNotificacion'),
    lines: children(body, 'Detalle').map(guides ? guideLine : tradeLine),
    sums: guides ? guideSums(child(body, 'ResumenPeriodo')) : tradeSums(child(body, 'ResumenPeriodo')),
  }
}

function tradeLine(line: XmlNode): BookLine {
  const other = children(line, 'OtrosImp').filter((tax) => text(tax, 'CodImp') === '15')
  return {
    tipo: number(line, 'TpoDoc') ?? 0,
    folio: number(line, 'NroDoc') ?? 0,
    rut: text(line, 'RUTDoc'),
    annulled: text(line, 'Anulado'),
    transfer: null,
    invoiced: false,
    exempt: number(line, 'MntExe') ?? 0,
    net: number(line, 'MntNeto') ?? 0,
    iva: number(line, 'MntIVA') ?? 0,
    common_use: number(line, 'IVAUsoComun') ?? 0,
    not_recoverable: children(line, 'IVANoRec').map((one) => ({
      code: text(one, 'CodIVANoRec') ?? '',
      amount: number(one, 'MntIVANoRec') ?? 0,
    })),
    // A purchase tells it as another tax of code 15; a sale may also tell it by name.
    withheld: other.reduce((sum, tax) => sum + (number(tax, 'MntImp') ?? 0), 0) || (number(line, 'IVARetTotal') ?? 0),
    total: number(line, 'MntTotal') ?? 0,
  }
}

function guideLine(line: XmlNode): BookLine {
  return {
    tipo: 52,
    folio: number(line, 'Folio') ?? 0,
    rut: text(line, 'RUTDoc'),
    annulled: text(line, 'Anulado'),
    transfer: number(line, 'TpoOper'),
    invoiced: text(line, 'TpoDocRef') !== null && text(line, 'FolioDocRef') !== null,
    exempt: 0,
    net: number(line, 'MntNeto') ?? 0,
    iva: number(line, 'IVA') ?? 0,
    common_use: 0,
    not_recoverable: [],
    withheld: 0,
    total: number(line, 'MntTotal') ?? 0,
  }
}

function tradeSums(summary: XmlNode | undefined): Map<number, Sums> {
  const factor = (line: XmlNode) => {
    const value = number(line, 'FctProp')
    return value === null ? null : Math.round(value * 100)
  }
  return new Map(
    children(summary, 'TotalesPeriodo').map((line) => [
      number(line, 'TpoDoc') ?? 0,
      {
        documents: number(line, 'TotDoc') ?? 0,
        exempt: number(line, 'TotMntExe') ?? 0,
        net: number(line, 'TotMntNeto') ?? 0,
        iva: number(line, 'TotMntIVA') ?? 0,
        total: number(line, 'TotMntTotal') ?? 0,
        common_use: number(line, 'TotIVAUsoComun') ?? 0,
        factor: factor(line),
        common_use_credit: number(line, 'TotCredIVAUsoComun'),
        annulled: number(line, 'TotAnulado') ?? 0,
      },
    ]),
  )
}

function guideSums(summary: XmlNode | undefined): Map<number, Sums> {
  if (summary === undefined) return new Map()
  const sums: Sums = {
    documents: number(summary, 'TotGuiaVenta') ?? 0,
    exempt: 0,
    net: 0,
    iva: 0,
    total: number(summary, 'TotMntGuiaVta') ?? 0,
    common_use: 0,
    factor: null,
    common_use_credit: null,
    annulled: number(summary, 'TotGuiaAnulada') ?? 0,
  }
  return new Map([[52, sums]])
}
