import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Turn, TurnCount } from './load-turns.ts'
import { openService } from './service.ts'

// A read by an agent, POST /mcp with tools/call, against the HTTP call it wraps: same row, same key, same process. The two
// take turns of a fraction of a second, so that whatever else the machine does slows both alike.
const TURN_MS = 250
const PAIRS = 60
/** The compiler's first thousands of calls are not the figure. */
const WARM_UP_PAIRS = 12
const CONNECTIONS = 16

const service = await openService({ runs_jobs: true })
const { port, secret, empresa_id } = service
const order = JSON.stringify({ port, connections: CONNECTIONS })
const load = fork(fileURLToPath(new URL('load-turns.ts', import.meta.url)), [order], { execArgv: ['--import', 'tsx'] })
await once(load, 'message')

interface Cost {
  readonly per_second: number
  /** Of this process alone. */
  readonly cpu_ms: number
}

async function measure(request: string): Promise<Cost> {
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  load.send({ request, ms: TURN_MS } satisfies Turn)
  const [{ answers, refused }] = (await once(load, 'message')) as [TurnCount]
  if (refused !== null) throw new Error(`refused: ${refused}`)
  const { user, system } = process.cpuUsage(cpu)
  return { per_second: (answers * 1000) / (performance.now() - started), cpu_ms: (user + system) / 1000 / answers }
}

const lines = (first: string, more: readonly string[]) =>
  `${[`${first} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${secret}`, ...more].join('\r\n')}\r\n\r\n`

function toolCall(name: string, args: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  const types = ['Accept: application/json, text/event-stream', 'Content-Type: application/json']
  return lines('POST /mcp', [...types, `Content-Length: ${body.length}`]) + body
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function compare(path: string, name: string, args: object): Promise<void> {
  const requests = { http: lines(`GET ${path}`, []), mcp: toolCall(name, args) }
  const pairs: { readonly http: Cost; readonly mcp: Cost }[] = []
  for (let pair = 0; pair < WARM_UP_PAIRS + PAIRS; pair++) {
    const costs = { http: await measure(requests.http), mcp: await measure(requests.mcp) }
    if (pair >= WARM_UP_PAIRS) pairs.push(costs)
  }
  const line = (what: string, costs: readonly Cost[]) =>
    console.log(
      `${what.padEnd(44)} ${median(costs.map(({ per_second }) => per_second))
        .toFixed(0)
        .padStart(6)} /s ${median(costs.map(({ cpu_ms }) => cpu_ms)).toFixed(3)} ms of CPU`,
    )
  line(
    `GET ${path.replace(/emp_\w+/, '{id}')}`,
    pairs.map(({ http }) => http),
  )
  line(
    `tool ${name}`,
    pairs.map(({ mcp }) => mcp),
  )
  const ratios = pairs.map(({ http, mcp }) => mcp.cpu_ms / http.cpu_ms)
  console.log(`ratio of their CPU (at most 1.50)            ${median(ratios).toFixed(2)}`)
}

await compare(`/v1/empresas/${empresa_id}`, 'empresas_get', { empresa_id })
load.disconnect()
await service.close()
