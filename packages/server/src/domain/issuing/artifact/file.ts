import { XML_DECLARATION } from '@timbre/dte/values'

/** The name a file is saved under: emisor, tipo and folio. Letters, digits, dots and dashes only. */
export function filenameOf(rut: string, document: { tipo_dte: number; folio: number | null }, ending: string): string {
  return `${rut}-T${document.tipo_dte}-F${document.folio}${ending}`
}

const DECLARATION = Buffer.from(XML_DECLARATION, 'latin1')

/**
 * A signed document as a file of its own. The database holds the signed element, as it goes into the envelope; a file
 * needs the declaration that names its encoding, or a reader takes every ñ for an error.
 */
export function xmlFile(xml: Buffer): Buffer {
  return xml.subarray(0, 5).toString('latin1') === '<?xml' ? xml : Buffer.concat([DECLARATION, xml])
}
