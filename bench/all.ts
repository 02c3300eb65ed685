import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// Every figure is a ratio taken within one run. `npm run bench -- account` runs one of them.
const ALL = [
  'account',
  'cost',
  'after',
  'documents',
  'settle',
  'bytes',
  'rows',
  'live',
  'lists',
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

for (const name of wanted.length > 0 ? wanted : ALL) {
  console.log(`\n${name}`)
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--conditions=source', '--import', 'tsx', file], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
