import { asked } from './asked.ts'
import { openService } from './service.ts'
import { median, openTurns, type TurnCost } from './turns.ts'

// A read by an agent, POST /mcp with tools/call, against the HTTP call it wraps: same row, same key, same process. The two
// take turns of a fraction of a second, so that whatever else the machine does slows both alike.
const TURN_MS = 250
const PAIRS = 60
/** The compiler's first thousands of calls are not the figure. */
const WARM_UP_PAIRS = 12
const CONNECTIONS = 16

const service = await openService({ runs_jobs: true })
const { port, secret, empresa_id } = service
const load = await openTurns(port, CONNECTIONS)

const lines = (first: string, more: readonly string[]) =>
  `${[`${first} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${secret}`, ...more].join('\r\n')}\r\n\r\n`

function toolCall(name: string, args: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  const types = ['Accept: application/json, text/event-stream', 'Content-Type: application/json']
  return lines('POST /mcp', [...types, `Content-Length: ${body.length}`]) + body
}

async function compare(path: string, name: string, args: object): Promise<void> {
  const requests = { http: lines(`GET ${path}`, []), mcp: toolCall(name, args) }
  const pairs: { readonly http: TurnCost; readonly mcp: TurnCost }[] = []
  for (let pair = 0; pair < WARM_UP_PAIRS + PAIRS; pair++) {
    const costs = {
      http: await load.turn(requests.http, TURN_MS),
      mcp: await load.turn(requests.mcp, TURN_MS),
    }
    if (pair >= WARM_UP_PAIRS) pairs.push(costs)
  }
  const line = (what: string, costs: readonly TurnCost[]) =>
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
  asked('CPU of a read by a tool to its HTTP call', median(ratios), { at_most: 1.5 })
}

await compare(`/v1/empresas/${empresa_id}`, 'empresas_get', { empresa_id })
load.close()
await service.close()
