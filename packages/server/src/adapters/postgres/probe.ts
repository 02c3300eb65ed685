import { connect } from 'node:net'
import { chooseListener, type Listener } from './listener.ts'
import { SERVICE, SUPERUSER } from './settings.ts'

const TERMINATE = Buffer.from('X\0\0\0\x04', 'latin1')
const AUTHENTICATION = 'R'.charCodeAt(0)

/** Whether the server lets clients in: opens one session as far as its first answer. */
export function acceptsConnections(address: Listener['address'], timeoutMs: number): Promise<boolean> {
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

/**
 * The URL of the server that another process of ours runs over a folder, or null where that cannot be known: on Windows
 * it is a port only that process knows.
 */
export async function runningServerUrl(dataDir: string): Promise<string | null> {
  if (process.platform === 'win32') return null
  const { urlOf, address } = await chooseListener(dataDir)
  return (await acceptsConnections(address, 5_000)) ? urlOf(SERVICE) : null
}
