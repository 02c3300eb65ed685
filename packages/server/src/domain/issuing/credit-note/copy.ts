import { type TipoDte, tipo } from '@timbre/dte/values'

/** The texts of a nota de crédito when the caller gives no reason. They are printed, and in the XML. */
interface Named {
  readonly tipo_dte: TipoDte
  readonly folio: number
}

const nameOf = ({ tipo_dte, folio }: Named) => `${tipo(tipo_dte).name} N° ${folio}`

export const annulsReason = (original: Named) => `Anula ${nameOf(original)}`
export const amountsReason = (original: Named) => `Corrige montos de ${nameOf(original)}`

/** The only line of a note that moves no money; its detail says what to read instead. */
export const TEXT_LINE = 'Corrige texto'

/** A line that stands for many: a nota holds up to 60 and a boleta 1,000. */
export const foldedLine = (lines: number, original: Named) => `${lines} líneas de ${nameOf(original)}`
