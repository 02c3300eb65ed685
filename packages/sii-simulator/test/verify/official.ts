import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { RECIBO_DECLARATION } from '@timbre/dte'
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm'
import { describe, it } from 'vitest'
import { grammarOf, type Root } from '../../src/verify/grammar/grammars.ts'
import type { Definition } from '../../src/verify/grammar/notation.ts'
import type { CheckValue } from '../../src/verify/grammar/simple-type.ts'

const folder = fileURLToPath(new URL('../../../../../shared/sii/', import.meta.url))

export const reference = (...parts: readonly string[]) => readFileSync(path.join(folder, ...parts))

/** A suite that needs the SII's files, and says so when they are not there instead of passing in silence. */
export function describeWithReference(title: string, suite: () => void): void {
  if (existsSync(folder)) return void describe(title, suite)
  console.warn(`skipped "${title}": the SII's reference files are not at ${folder}`)
  describe.skip(title, () => {
    it('is skipped because the reference files are missing', () => {})
  })
}

const validators = new Map<string, XsdValidator>()

// Once in the life of a process, which runs many files of tests: libxml2 takes nine providers and refuses the next silently.
const REGISTERED = Symbol.for('timbre: the simulator gave libxml2 the official schemas')
const process_wide = globalThis as { [REGISTERED]?: true }

/** What the official schema says of a file, by libxml2; null when it is valid. */
export function official(schema: string, xml: string): string | null {
  let validator = validators.get(schema)
  if (validator === undefined) {
    if (!process_wide[REGISTERED]) {
      const names = readdirSync(path.join(folder, 'schemas')).filter((name) => name.endsWith('.xsd'))
      const files = names.map((name) => [`xsd/${name}`, reference('schemas', name)] as const)
      xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(files)))
      process_wide[REGISTERED] = true
    }
    const document = XmlDocument.fromBuffer(reference('schemas', schema), { url: `xsd/${schema}` })
    validator = XsdValidator.fromDoc(document)
    document.dispose()
    validators.set(schema, validator)
  }
  let document: XmlDocument | undefined
  try {
    document = XmlDocument.fromBuffer(Buffer.from(xml, 'latin1'))
    validator.validate(document)
    return null
  } catch (failure) {
    return failure instanceof XmlValidateError ? failure.message : `not well formed: ${failure}`
  } finally {
    document?.dispose()
  }
}

export interface Sample {
  name: string
  root: Root
  schema: string
  xml: string
}

const SCHEMAS: Readonly<Record<Exclude<Root, 'DTE'>, string>> = {
  EnvioDTE: 'EnvioDTE_v10.xsd',
  EnvioBOLETA: 'EnvioBOLETA_v11.xsd',
  AEC: 'AEC_v10.xsd',
  LibroCompraVenta: 'LibroCV_v10.xsd',
  LibroGuia: 'LibroGuia_v10.xsd',
  ConsumoFolios: 'ConsumoFolio_v10.xsd',
}

/**
 * Files to hold against both grammars: the samples, an envelope taken apart so that each holds one document, and for
 * each root and each alternative a file with every element that our grammar knows.
 */
export function subjects(): Sample[] {
  const text = (...parts: readonly string[]) => reference('samples', ...parts).toString('latin1')
  const envio = text('synthetic', 'EnvioDTE.xml')
  const dtes = envio.match(/<DTE[\s>][\s\S]*?<\/DTE>/g) ?? []
  const signature = envio.match(/<Signature[\s\S]*?<\/Signature>/)?.[0] ?? ''
  const libro = text('libros', 'libro_cvs_ventas.xml').replace('</LibroCompraVenta>', `${signature}</LibroCompraVenta>`)
  const sample = (name: string, root: keyof typeof SCHEMAS, xml: string): Sample => ({
    name,
    root,
    schema: SCHEMAS[root],
    xml,
  })
  return [
    ...dtes.map((dte, index) =>
      sample(
        `synthetic EnvioDTE, document ${index}`,
        'EnvioDTE',
        envio.replace(/<DTE[\s>][\s\S]*<\/DTE>/, () => dte),
      ),
    ),
    sample('synthetic EnvioBOLETA', 'EnvioBOLETA', text('synthetic', 'EnvioBOLETA.xml')),
    sample('synthetic AEC', 'AEC', text('synthetic', 'AEC.xml')),
    sample('example of 2003', 'EnvioDTE', text('dte', 'F60T33-ejemplo-oficial-SII.xml')),
    sample('book of sales', 'LibroCompraVenta', libro),
    ...(Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).flatMap((root) =>
      (root === 'EnvioDTE' ? [0, 1, 2] : [0]).map((alternative) =>
        sample(`every element of ${root}, alternative ${alternative}`, root, everyElement(root, alternative)),
      ),
    ),
  ]
}

/** One value for each simple type there is, found by trying. */
// biome-ignore format: a list of values needs no line for each
const CANDIDATES = [
  '1', '33', '39', '43', '110', '2', '3', '14', '1.00', 'A', '76543210-3', 'QUJD', '2026-10-05', '2026-10-05T12:00:00', '2026-10', 'D', '%', 'R', 'N',
  'C', 'EF', 'VISTA', 'PESO CL', 'VENTA', 'MENSUAL', 'ESPECIAL', 'TOTAL', 'AAAAAA', '0.5', RECIBO_DECLARATION, '1.0', 'SHA1withRSA', 'otra-uri',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1',
]

function everyElement(root: Root, alternative: number): string {
  let ids = 0
  const valueFor = (check: CheckValue, name: string): string => {
    const found = CANDIDATES.find((candidate) => check(candidate) === null)
    if (found === undefined) throw new Error(`no value for ${name}`)
    return found
  }
  const write = (name: string, definition: Definition, around: string): string => {
    const declared = definition.namespace === around ? '' : ` xmlns="${definition.namespace}"`
    const attributes = [...definition.attributes].map(
      ([key, rule]) => ` ${key}="${rule.unique ? `I${++ids}` : valueFor(rule.check, key)}"`,
    )
    const content =
      definition.type !== null
        ? valueFor(definition.type, name)
        : definition.slots.map((slot) => {
            const options = [...slot.options]
            const [chosen, of] = options[Math.min(alternative, options.length - 1)] as [string, Definition]
            return write(chosen, of, definition.namespace)
          })
    return `<${name}${declared}${attributes.join('')}>${typeof content === 'string' ? content : content.join('')}</${name}>`
  }
  return `<?xml version="1.0" encoding="ISO-8859-1"?>${write(root, grammarOf(root), '')}`
}
