import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A receiver of webhooks that costs little itself: reads the request, answers 200. A GET tells how many came so far.
 * Run as a process of its own.
 */
let received = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(received))
  received++
  request.on('data', () => undefined)
  request.on('end', () => response.writeHead(200, { 'content-length': 2 }).end('ok'))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
