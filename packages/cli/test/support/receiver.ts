import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly id: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Ids in the order in which they came. */
  ids(): readonly string[]
  /** What it answers from now on. */
  answer(status: (received: Received) => number): void
  close(): void
}

/** Takes webhooks on loopback, with 204 until it is told otherwise. */
export async function openReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  let answer: (received: Received) => number = () => 204
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { headers: request.headers, body, id: String(request.headers['svc-event-id']) }
    received.push(one)
    response.writeHead(answer(one)).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    ids: () => received.map(({ id }) => id),
    answer: (status) => {
      answer = status
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
