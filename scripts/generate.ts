import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedFiles } from '../packages/server/src/generated.ts'
import { quotingGuides } from './guide-quotes.ts'

// Writes what derives from the tables: the OpenAPI contracts and the drawings of the machines; and what the guides quote of
// the examples. The tests fail while a committed file differs from what this writes.
const root = fileURLToPath(new URL('..', import.meta.url))

function readOld(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

for (const [name, text] of [...generatedFiles(), ...quotingGuides()]) {
  const file = join(root, name)
  const changed = readOld(file) !== text
  mkdirSync(dirname(file), { recursive: true })
  if (changed) writeFileSync(file, text)
  console.log(`${changed ? 'wrote    ' : 'unchanged'} ${name}`)
}
