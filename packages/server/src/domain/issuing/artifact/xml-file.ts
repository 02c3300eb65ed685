import { XML_DECLARATION } from '@timbre/dte/values'

const DECLARATION = Buffer.from(XML_DECLARATION, 'latin1')

/**
 * A signed document as a file of its own. What rests in the database is the signed element, as it goes into the
 * envelope; by itself it needs the line that says how it is written, or every ñ of it is an error to a reader.
 */
export function xmlFile(xml: Buffer): Buffer {
  return xml.subarray(0, 5).toString('latin1') === '<?xml' ? xml : Buffer.concat([DECLARATION, xml])
}
