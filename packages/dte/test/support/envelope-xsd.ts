import { readdirSync } from 'node:fs'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'
import { readReference, referencePath } from './shared.ts'

let registered = false

function register(): void {
  if (registered) return
  registered = true
  const files = readdirSync(referencePath('schemas')).filter((name) => name.endsWith('.xsd'))
  const buffers = files.map((name) => [`sii/${name}`, readReference('schemas', name)])
  xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(buffers)))
}

/** What the official schema says of a whole file; null when it is valid. */
export function schemaFault(xml: string, schema_name: string): string | null {
  register()
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
