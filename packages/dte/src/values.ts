/** The light face of the engine: values and code tables alone, without XML, keys or pages. */
export { addDays, addMonths, isCivilDate, santiagoDate, santiagoTimestamp } from './dates.ts'
export { decimal, longDate, pesos } from './pdf/format.ts'
export { isLawfulFormat } from './pdf/options.ts'
export { canonicalRut, checkDigit, formatRut, isRut, parseRut, printedRut, type Rut } from './rut.ts'
export { ACTECOS } from './tables/actecos.ts'
export { checkText, type TextFault } from './text.ts'
export { ANONYMOUS_RUT, isTipoDte, SII_RUT, TIPO_NUMBERS, TIPOS, type TipoDte, tipo } from './tipos.ts'
export { XML_DECLARATION } from './xml/write.ts'
