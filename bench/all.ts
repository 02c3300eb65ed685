import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KEPT_IN, readAsked } from './asked.ts'
import { NODE_FLAGS } from './node-flags.ts'

// Every figure is a ratio taken within one run. `npm run bench -- account` runs one of them. What is asked of each is told again at
// the end, and a run that misses something, or breaks, ends with 1.
const ALL = [
  'account',
  'cost',
  'after',
  'documents',
  'settle',
  'bytes',
  'rows',
  'live',
  'growth',
  'steady',
  'start',
  'idle',
  'nomina',
  'dte',
  'pdf',
  'deliveries',
  'crowd',
  'rcv',
  'f29',
  'statement',
  'movements',
  'mcp',
  'mcp-list',
  'sdk',
  'verify',
  'cli',
]
const wanted = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'timbre-bench-asked-'))

const told: string[] = []
for (const name of wanted.length > 0 ? wanted : ALL) {
  console.log(`\n${name}`)
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const kept = join(folder, name)
  writeFileSync(kept, '')
  const { status } = spawnSync(process.execPath, [...NODE_FLAGS, '--conditions=source', '--import', 'tsx', file], {
    stdio: 'inherit',
    env: { ...process.env, [KEPT_IN]: kept },
  })
  if (status !== 0) told.push(`  ${name.padEnd(11)} broke off`)
  for (const { line, reached } of readAsked(kept)) {
    if (!reached) process.exitCode = 1
    told.push(`  ${name.padEnd(11)} ${reached ? 'reached' : 'MISSED '}  ${line}`)
  }
  if (status !== 0) process.exitCode = 1
}
rmSync(folder, { recursive: true, force: true })
if (told.length > 0) console.log(`\nwhat is asked\n${told.join('\n')}`)
