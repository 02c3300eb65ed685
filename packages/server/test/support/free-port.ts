// A free port.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that a system gives away by itself: no other test gets one of these while a server is away. */
const [FIRST, COUNT] = [20_000, 12_000]

/** A port of this machine that nobody listens on, nor takes before long. */
export async function freePort(): Promise<number> {
  const port = FIRST + randomInt(COUNT)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort()
    throw error
  }
  server.close()
  await once(server, 'close')
  return port
}
