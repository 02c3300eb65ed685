import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So long a stop waits for what is under way: whoever runs us gives ten seconds (Docker) or more before it kills. */
export const DRAIN_MS = 7_000

/**
 * Knows which connections of a server wait for an answer, so that a stop waits for those alone. A server that closes by itself waits for
 * every connection that it does not call idle, for as long as it lasts: one that never sent a byte, as browsers open in advance, one
 * that sent half a head, and one that was promised to be kept when its call was answered. `drain` begins the end: whatever has no
 * call under way is closed now, the others as soon as they are answered, and all that is left after `within_ms`.
 */
export function openDrain(server: Server, is_tls: boolean): (within_ms?: number) => void {
  /** The last call begun on each connection, while it is not answered. */
  const connections = new Map<Socket, ServerResponse | null>()
  /** What TLS runs over. It carries no call itself, and stays in its handshake for as long as the other side likes. */
  const beneath = new Set<Socket>()
  let draining = false

  if (is_tls)
    server.on('connection', (socket: Socket) => {
      beneath.add(socket)
      socket.once('close', () => beneath.delete(socket))
    })
  server.on(is_tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  function answered(this: ServerResponse): void {
    const { socket } = this.req
    if (connections.get(socket) !== this) return
    connections.set(socket, null)
    // What was written still leaves.
    if (draining) socket.destroySoon()
  }
  server.prependListener('request', (request, answer) => {
    if (connections.has(request.socket)) connections.set(request.socket, answer)
    answer.once('close', answered)
  })

  return (within_ms = DRAIN_MS) => {
    draining = true
    for (const [socket, answer] of connections) {
      if (answer === null) socket.destroy()
      else if (!answer.headersSent) answer.setHeader('Connection', 'close')
    }
    const deadline = setTimeout(() => {
      for (const socket of [...connections.keys(), ...beneath]) socket.destroy()
    }, within_ms)
    server.once('close', () => clearTimeout(deadline))
  }
}
