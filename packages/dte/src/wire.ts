/**
 * What both ends of a wire must agree on: tables, RUTs and dates. It is all that another end may take from here; no
 * builder and no verifier, so that one of ours is never asked to agree with itself.
 */
export { santiagoDate } from './dates.ts'
export { SII_RUT } from './document/tipos.ts'
export { RECIBO_DECLARATION } from './exchange/recibos.ts'
export { isRut } from './rut.ts'
export { additionalTax } from './tables/additional-taxes.ts'
export { DOCUMENTS, ELECTRONIC_TIPOS, isReferenceType } from './tables/documents.ts'
