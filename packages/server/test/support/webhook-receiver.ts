// A receiver of webhooks on loopback, as a customer would run one.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was delivered
  readonly event: any
}

type Behave = (response: ServerResponse, received: Received, socket: Socket) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** How it answers from now on; 200 at first. */
  behave(how: Behave | number): void
  /** The requests so far, once there are at least so many. */
  atLeast(count: number, patience_ms?: number): Promise<Received[]>
  close(): Promise<void>
}

const eventOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** A receiver of webhooks as a customer would run one, on this machine. */
export async function openReceiver(first: Behave | number = 200): Promise<Receiver> {
  const received: Received[] = []
  const toBehave = (how: Behave | number): Behave =>
    typeof how === 'function' ? how : (response) => response.writeHead(how).end()
  let how = toBehave(first)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { path: request.url ?? '', headers: request.headers, body, event: eventOf(body) }
      received.push(one)
      how(response, one, request.socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => {
      how = toBehave(next)
    },
    async atLeast(count, patience_ms = 180_000) {
      for (const until = performance.now() + patience_ms; received.length < count; await sleep(25)) {
        if (performance.now() > until) throw new Error(`${received.length} of ${count} deliveries arrived`)
      }
      return received
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
