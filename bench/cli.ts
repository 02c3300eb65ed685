import { fork, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../scripts/build.mjs'
import { asked } from './asked.ts'

// What a start of `timbre` costs, as it is installed and in a checkout, and what one call costs by it, beside a Node that does
// nothing. In turns, and by processor time: other work on the machine only adds to what a clock on the wall shows.
const ROUNDS = 15

if (process.argv.includes('--serve')) serve()
else await measure()

/** Answers any call at once, from a process of its own: the one that measures waits for those it starts. */
function serve(): void {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"object":"list","data":[],"has_more":false}')
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

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
function cost(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Cost {
  const [before, started] = [childrenMs(), performance.now()]
  const { status } = spawnSync(process.execPath, args, { cwd, env, stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')}`)
  return { wall: performance.now() - started, cpu: childrenMs() - before }
}

/** A folder with the package in it, as whoever installs it has it. */
function install(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-bench-cli-'))
  run('npm', ['pack', '--silent', '--workspace', '@timbre/cli', '--pack-destination', folder], root)
  const tarball = join(folder, 'timbre-cli-1.0.0.tgz')
  run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', tarball], folder)
  return folder
}

async function measure(): Promise<void> {
  build()
  const root = fileURLToPath(new URL('../', import.meta.url))
  const folder = install(root)
  const service = fork(fileURLToPath(import.meta.url), ['--serve'])
  const port = await new Promise<number>((resolve) => service.once('message', (said) => resolve(Number(said))))
  const env = {
    ...process.env,
    HOME: folder,
    TIMBRE_URL: `http://127.0.0.1:${port}`,
    TIMBRE_KEY: 'sk_test_0123456789abcdef',
  }
  const installed = join(folder, 'node_modules/@timbre/cli/bin/timbre.mjs')
  const subjects: Readonly<Record<string, readonly string[]>> = {
    'node -e 0': ['-e', '0'],
    'timbre --version': [installed, '--version'],
    'timbre --help': [installed, '--help'],
    'one call by fetch': ['-e', `fetch('${env.TIMBRE_URL}/v1/error_codes').then((answer) => answer.json())`],
    'timbre api GET /error_codes': [installed, 'api', 'GET', '/error_codes'],
    'timbre --version, in a checkout': [join(root, 'packages/cli/bin/timbre.mjs'), '--version'],
  }
  const costs = new Map<string, Cost[]>(Object.keys(subjects).map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(subjects)) costs.get(name)?.push(cost(args, folder, env))
  }
  service.kill()
  rmSync(folder, { recursive: true, force: true })
  tell(costs)
}

function tell(costs: ReadonlyMap<string, readonly Cost[]>): void {
  const wallOf = (name: string) => Math.min(...(costs.get(name) ?? []).map(({ wall }) => wall))
  const cpuOf = (name: string) => (costs.get(name) ?? []).reduce((sum, { cpu }) => sum + cpu, 0) / ROUNDS
  const nothing = cpuOf('node -e 0')
  for (const name of costs.keys()) {
    const cpu = cpuOf(name)
    const beside =
      name === 'node -e 0' ? '' : `: ${(cpu / nothing).toFixed(2)} times, ${(cpu - nothing).toFixed(0)} ms more`
    console.log(`${name.padEnd(34)} processor ${cpu.toFixed(0)} ms${beside}; ${wallOf(name).toFixed(0)} ms at best`)
  }
  // What a person waits for: the quickest of many, which other work on the machine held up least.
  const slowest = Math.max(wallOf('timbre --version'), wallOf('timbre --help'))
  asked('a start, at best', slowest, { below: 150 }, { unit: ' ms', digits: 0 })
}
