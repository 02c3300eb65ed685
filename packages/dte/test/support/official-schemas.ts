import { readdirSync } from 'node:fs'
import { XmlBufferInputProvider, xmlRegisterInputProvider } from 'libxml2-wasm'
import { readReference, referencePath } from './shared.ts'

const REGISTERED = Symbol.for('timbre: the official schemas are known to libxml2')

/**
 * Lets libxml2 find the official schemas as `sii/<name>`. Once in the life of a process, which runs many files of tests:
 * libxml2 takes nine providers, and refuses the next without a word.
 */
export function registerOfficialSchemas(): void {
  const process_wide = globalThis as { [REGISTERED]?: true }
  if (process_wide[REGISTERED]) return
  const files = readdirSync(referencePath('schemas')).filter((name) => name.endsWith('.xsd'))
  const buffers = files.map((name) => [`sii/${name}`, readReference('schemas', name)])
  if (!xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(buffers))))
    throw new Error('libxml2 takes no more providers')
  process_wide[REGISTERED] = true
}
