import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm'
import { CliError } from '../exit.ts'
import type { Check } from './verify-dte.ts'

/** The schema of each kind of file, by its root. */
const SCHEMAS: Readonly<Record<string, string>> = {
  EnvioDTE: 'EnvioDTE_v10.xsd',
  EnvioBOLETA: 'EnvioBOLETA_v11.xsd',
  DTE: 'DTE_v10.xsd',
}

export const NO_SCHEMAS: Check = {
  what: 'esquema',
  state: 'unknown',
  says: 'No se revisó contra los XSD del SII: descárgalos de sii.cl y nombra su carpeta con --schemas.',
}

/** A document that was taken out of its envelope as text lost what its root declared. */
const NO_NAMESPACE: Check = {
  what: 'esquema',
  state: 'unknown',
  says: 'El documento se sacó de su sobre sin el espacio de nombres del SII: contra el esquema no se puede revisar.',
}

/** Validates a file against the XSD files of the SII in a folder. They are the SII's, so they do not come with this program. */
export function checkSchema(bytes: Uint8Array, folder: string): Check {
  const root = /<(?:\w+:)?(EnvioDTE|EnvioBOLETA|DTE)\b/.exec(
    Buffer.from(bytes.subarray(0, 4096)).toString('latin1'),
  )?.[1]
  const name = SCHEMAS[root ?? '']
  if (!name) return { what: 'esquema', state: 'unknown', says: 'El SII no publica un esquema para este archivo.' }
  const files = schemasIn(folder)
  const schema_bytes = files.get(name)
  if (!schema_bytes) throw new CliError('file', `${folder} no tiene ${name}.`, 'Descarga los esquemas de sii.cl.')
  const buffers = Object.fromEntries([...files].map(([file, content]) => [`sii/${file}`, content]))
  xmlRegisterInputProvider(new XmlBufferInputProvider(buffers))
  const schema = XmlDocument.fromBuffer(schema_bytes, { url: `sii/${name}` })
  const document = XmlDocument.fromBuffer(bytes)
  try {
    XsdValidator.fromDoc(schema).validate(document)
    return { what: 'esquema', state: 'ok', says: `Cumple ${name} del SII.` }
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    const [first] = error.details
    if (/No matching global declaration/.test(first?.message ?? '')) return NO_NAMESPACE
    const where = first ? `línea ${first.line}` : ''
    return {
      what: 'esquema',
      state: 'error',
      says: `No cumple ${name}: ${(first?.message ?? error.message).trim()}`,
      path: where,
      rule: 'schema',
    }
  }
}

function schemasIn(folder: string): ReadonlyMap<string, Uint8Array> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.xsd'))
    return new Map(names.map((name) => [name, readFileSync(join(folder, name))]))
  } catch {
    throw new CliError('file', `La carpeta ${folder} no se puede leer.`, 'Revisa la ruta.')
  }
}
