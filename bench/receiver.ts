import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** For how long requests to a path that begins with `/gated` are answered from now on, unless another order comes; otherwise they wait. */
export interface GateOrder {
  readonly open_ms: number
}

/** Told when the gate is closed again: what was answered meanwhile, and how long that was. */
export interface GateCount {
  readonly answers: number
  readonly ms: number
}

/**
 * A receiver of webhooks that costs little itself: reads the request, answers 200. A GET tells how many came so far.
 * Run as a process of its own; its gate is opened over IPC.
 */
let received = 0
let answered = 0
let open = false
let closing: NodeJS.Timeout | undefined
const held: ServerResponse[] = []

function answer(response: ServerResponse): void {
  answered++
  response.writeHead(200, { 'content-length': 2 }).end('ok')
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(received))
  received++
  request.on('data', () => undefined)
  request.on('end', () => {
    if (open || !request.url?.startsWith('/gated')) answer(response)
    else held.push(response)
  })
})

process.on('message', ({ open_ms }: GateOrder) => {
  const started = performance.now()
  clearTimeout(closing)
  open = true
  answered = 0
  for (const response of held.splice(0)) answer(response)
  closing = setTimeout(() => {
    open = false
    process.send?.({ answers: answered, ms: performance.now() - started } satisfies GateCount)
  }, open_ms)
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
