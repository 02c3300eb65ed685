import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { registerOfficialSchemas } from './official-schemas.ts'
import { readReference } from './shared.ts'

/** What the official schema says of a whole file; null when it is valid. */
export function schemaFault(xml: string, schema_name: string): string | null {
  registerOfficialSchemas()
  using schema = XmlDocument.fromBuffer(readReference('schemas', schema_name), { url: `sii/${schema_name}` })
  using validator = XsdValidator.fromDoc(schema)
  using document = XmlDocument.fromBuffer(Buffer.from(xml, 'latin1'))
  try {
    validator.validate(document)
    return null
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  }
}
