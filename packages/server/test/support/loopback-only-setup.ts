import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import './loopback-only.mjs'

const REFUSALS = 'LOOPBACK_ONLY_REFUSALS'

// Every test worker refuses to leave this machine (`loopback-only.mjs`), and a test during which it, or a process it
// started, tried to, fails: whether or not the code under test swallowed the error.
if (!process.env[REFUSALS]) {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-refusals-'))
  process.env[REFUSALS] = join(folder, 'refusals')
  writeFileSync(join(folder, 'refusals'), '')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** What was refused since the last time this was asked. */
export function takeRefusals(): string[] {
  const file = process.env[REFUSALS] ?? ''
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  if (lines.length > 0) writeFileSync(file, '')
  return lines
}

export function failOnRefusals(): void {
  const refusals = takeRefusals()
  if (refusals.length > 0) throw new Error(refusals.join('\n'))
}

afterEach(failOnRefusals)
afterAll(failOnRefusals)
