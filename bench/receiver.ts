import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of webhooks that costs little itself: reads the request, answers 200. Run as a process of its own. */
const server = createServer((request, response) => {
  request.on('data', () => undefined)
  request.on('end', () => response.writeHead(200, { 'content-length': 2 }).end('ok'))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
