import { ELECTRONIC_TIPOS, folioNumber } from '@timbre/dte/values'
import { invalidField } from '../../../kernel/problem.ts'
import type { CreateDocument } from './create-schema.ts'

export type SentReference = NonNullable<CreateDocument['references']>[number]

/** The tipo of an electronic document that a code names: `33` and `033` are the same as the number 33. */
function electronicTipo(document_type: string): number | null {
  const number = /^\d+$/.test(document_type) ? Number(document_type) : 0
  return ELECTRONIC_TIPOS.includes(number) ? number : null
}

function kindOf({ tipo_dte, document_type }: SentReference, index: number) {
  if (document_type === undefined) return { tipo_dte }
  const code = document_type.trim()
  // `33.` and `+33` would be read as a 33 by whoever receives the document, and by no rule of ours.
  if (!/^\d+$/.test(code) && !/\p{L}/u.test(code)) {
    throw invalidField(`references[${index}].document_type`, 'it must be the number of a document, or have letters.')
  }
  const electronic = electronicTipo(code)
  if (electronic === null || tipo_dte !== undefined) return { tipo_dte, document_type: code }
  return { tipo_dte: electronic }
}

function folioOf(folio: string | number | undefined, tipo_dte: number | undefined, index: number) {
  // The folio of a document that is no DTE may be any text.
  if (folio === undefined || tipo_dte === undefined || !ELECTRONIC_TIPOS.includes(tipo_dte)) return folio
  const number = folioNumber(folio)
  if (number === null) {
    throw invalidField(`references[${index}].folio`, 'the folio of an electronic document is a number, in digits.')
  }
  return number
}

/**
 * The one way in which a reference is written from here on, so that every rule that looks up the document (what a nota
 * annuls, which guía a factura invoices, what is left to credit) finds the same one however its caller wrote it: an
 * electronic document by `tipo_dte` and a folio that is a number, and one of the empresa itself without `emisor_rut`.
 */
export function normalizeReference(sent: SentReference, own_rut: string, index: number): SentReference {
  const { tipo_dte: _, document_type: __, folio: ___, emisor_rut, ...rest } = sent
  const kind = kindOf(sent, index)
  const written = { ...rest, ...kind, folio: folioOf(sent.folio, kind.tipo_dte, index) }
  const foreign = emisor_rut === own_rut ? undefined : emisor_rut
  const known = Object.entries({ ...written, emisor_rut: foreign }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as SentReference
}
