import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openService } from './service.ts'

// A read by an agent, POST /mcp with tools/call, against the HTTP call it wraps: same row, same key, same process.
const SECONDS = 4
const ROUNDS = 3
const CONNECTIONS = 16
const run = promisify(execFile)
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const start = (script: string, args: string[]) => run(process.execPath, ['--import', 'tsx', file(script), ...args])

interface Cost {
  readonly per_second: number
  /** Of this process alone: what other work the machine does cannot flatter it. */
  readonly cpu_ms: number
}

const service = await openService({ runs_jobs: true })
const { port, secret, rut } = service
const root = `http://127.0.0.1:${port}`
const auth = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }

async function issue(): Promise<string> {
  const answer = await fetch(`${root}/v1/documents`, {
    method: 'POST',
    headers: { ...auth, 'svc-empresa': rut, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 1990 }] }),
  })
  return ((await answer.json()) as { id: string }).id
}

async function measured(work: () => Promise<{ stdout: string }>): Promise<Cost> {
  const before = process.cpuUsage()
  const { stdout } = await work()
  const { user, system } = process.cpuUsage(before)
  const { per_second, answers, refused } = JSON.parse(stdout) as Record<string, number>
  if (refused || !answers) throw new Error(`refused: ${stdout}`)
  return { per_second: per_second as number, cpu_ms: (user + system) / 1000 / answers }
}

const overHttp = (path: string) =>
  measured(() => start('load.ts', [String(port), String(SECONDS), String(CONNECTIONS), path, secret]))

function overMcp(name: string, args: object): Promise<Cost> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  const headers = { Authorization: auth.authorization, Accept: 'application/json, text/event-stream' }
  const order = { port, seconds: SECONDS, connections: CONNECTIONS, path: '/mcp', headers, body }
  return measured(() => start('load-post.ts', [JSON.stringify(order)]))
}

const best = (costs: Cost[]): Cost => ({
  per_second: Math.max(...costs.map(({ per_second }) => per_second)),
  cpu_ms: Math.min(...costs.map(({ cpu_ms }) => cpu_ms)),
})

const line = (what: string, { per_second, cpu_ms }: Cost) =>
  console.log(`${what.padEnd(44)} ${per_second.toFixed(0).padStart(6)} /s ${cpu_ms.toFixed(3)} ms of CPU`)

async function compare(path: string, name: string, args: object): Promise<void> {
  const costs: { http: Cost[]; mcp: Cost[] } = { http: [], mcp: [] }
  for (let round = 0; round < ROUNDS; round++) {
    costs.http.push(await overHttp(path))
    costs.mcp.push(await overMcp(name, args))
  }
  const http = best(costs.http)
  const mcp = best(costs.mcp)
  line(`GET ${path.replace(/(doc|emp)_\w+/, '{id}')}`, http)
  line(`tool ${name}`, mcp)
  console.log(`ratio of their rates (at most 2.00)          ${(http.per_second / mcp.per_second).toFixed(2)}`)
  console.log(`ratio of their CPU (at most 2.00)            ${(mcp.cpu_ms / http.cpu_ms).toFixed(2)}`)
}

await issue()
const { empresa_id } = service
await compare(`/v1/empresas/${empresa_id}`, 'empresas_get', { empresa_id })
await service.close()
