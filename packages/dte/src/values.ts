/** The light face of the engine: values and code tables alone, without XML, keys or pages. */
export {
  addDays,
  addMonths,
  addPeriods,
  DAY_MS,
  isCivilDate,
  lastDayOf,
  monthLength,
  periodOf,
  santiagoDate,
  santiagoPeriod,
  santiagoTimestamp,
} from './dates.ts'
export { isLateNota } from './document/late-note.ts'
export { ivaOn } from './document/money.ts'
export { folioNumber } from './document/reference-folio.ts'
export {
  ANONYMOUS_RUT,
  BOLETA_ITEMS,
  DOCUMENT_ITEMS,
  hasCedibleCopy,
  isTipoDte,
  SII_RUT,
  TIPO,
  TIPO_NUMBERS,
  TIPOS,
  type TipoDte,
  tipo,
} from './document/tipos.ts'
export { type ExplanationCode, MEANINGS, type Meaning } from './explain/copy.ts'
export { decimal, longDate, pesos, thousands } from './pdf/format.ts'
export { isLawfulFormat } from './pdf/options.ts'
export { canonicalRut, checkDigit, formatRut, isRut, parseRut, printedRut, type Rut } from './rut.ts'
export { ACTECOS } from './tables/actecos.ts'
export { type AdditionalTax, additionalTax, tiposOfTax } from './tables/additional-taxes.ts'
export {
  ANSWER_DAYS,
  ANSWERABLE_TIPOS,
  DOCUMENTS,
  type DocumentKind,
  ELECTRONIC_TIPOS,
  EXCHANGED_TIPOS,
  kindOf,
  type RegisterSide,
  SELLER_TIPOS,
  signOf,
  standsIn,
  tiposOf,
  tiposWhere,
} from './tables/documents.ts'
export { SFG_LIMITS } from './tables/sfg.ts'
export { checkText, type TextFault } from './text.ts'
export { isUnissuedTipo } from './unissued/tipos.ts'
export { readWindows, writeWindows } from './xml/decode.ts'
export { XML_DECLARATION } from './xml/write.ts'
