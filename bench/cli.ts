import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../scripts/build.mjs'

// What a start of `timbre` costs, as it is installed and in a checkout, beside a Node that does nothing. In turns, and the
// least of each: other work on the machine only adds.
const ROUNDS = 15
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'timbre-bench-cli-'))

build()
run('npm', ['pack', '--silent', '--workspace', '@timbre/cli', '--pack-destination', folder], ROOT)
run(
  'npm',
  ['install', '--silent', '--offline', '--no-audit', '--no-fund', join(folder, 'timbre-cli-1.0.0.tgz')],
  folder,
)

function run(program: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`)
}

interface Cost {
  readonly wall: number
  readonly cpu: number
}

/** Processor milliseconds of the children that have ended, in ticks of Linux; elsewhere nobody tells. */
function childrenMs(): number {
  if (process.platform !== 'linux') return Number.NaN
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** Of a process that runs to its end. */
function cost(args: readonly string[]): Cost {
  const [before, started] = [childrenMs(), performance.now()]
  if (spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore' }).status !== 0)
    throw new Error(`node ${args.join(' ')}`)
  return { wall: performance.now() - started, cpu: childrenMs() - before }
}

const INSTALLED = join(folder, 'node_modules/@timbre/cli/bin/timbre.mjs')
const CHECKOUT = join(ROOT, 'packages/cli/bin/timbre.mjs')
const SUBJECTS = {
  'node -e 0': ['-e', '0'],
  'timbre --version': [INSTALLED, '--version'],
  'timbre --help': [INSTALLED, '--help'],
  'timbre --version, in a checkout': [CHECKOUT, '--version'],
} as const

const costs = new Map<string, Cost[]>(Object.keys(SUBJECTS).map((name) => [name, []]))
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, args] of Object.entries(SUBJECTS)) costs.get(name)?.push(cost(args))
}
const wallOf = (name: string) => Math.min(...(costs.get(name) ?? []).map(({ wall }) => wall))
const cpuOf = (name: string) => (costs.get(name) ?? []).reduce((sum, { cpu }) => sum + cpu, 0) / ROUNDS

for (const name of costs.keys()) {
  const times =
    name === 'node -e 0' ? '' : `, ${(cpuOf(name) / cpuOf('node -e 0')).toFixed(2)} times a Node that does nothing`
  console.log(
    `${name.padEnd(34)} ${wallOf(name).toFixed(0)} ms at best; processor ${cpuOf(name).toFixed(0)} ms${times}`,
  )
}
const slowest = Math.max(wallOf('timbre --version'), wallOf('timbre --help'))
console.log(`a start takes less than 150 ms     ${slowest < 150 ? 'yes' : 'NO'}: ${slowest.toFixed(0)} ms`)
rmSync(folder, { recursive: true, force: true })
