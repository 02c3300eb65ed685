import { connect } from 'node:net'
import { SUPERUSER } from './cluster-folder.ts'
import type { Door } from './door.ts'

const TERMINATE = Buffer.from('X\0\0\0\x04', 'latin1')
const AUTHENTICATION = 'R'.charCodeAt(0)

/** Opens one session far enough to see whether the server lets clients in. */
export function knock(address: Door['address'], timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const answer = (ready: boolean) => {
      socket.end(TERMINATE)
      socket.destroySoon()
      resolve(ready)
    }
    socket.setTimeout(timeoutMs, () => answer(false))
    socket.on('error', () => answer(false))
    socket.on('close', () => answer(false))
    socket.once('data', (reply) => answer(reply[0] === AUTHENTICATION))
    socket.write(startupMessage())
  })
}

function startupMessage(): Buffer {
  const fields = Buffer.from(`user\0${SUPERUSER}\0database\0postgres\0\0`, 'latin1')
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + fields.length, 0)
  head.writeInt32BE(3 << 16, 4) // protocol 3.0
  return Buffer.concat([head, fields])
}
