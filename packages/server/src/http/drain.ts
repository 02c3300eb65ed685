import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So long a stop waits for what is under way: whoever runs us gives ten seconds (Docker) or more before it kills. */
export const DRAIN_MS = 7_000

export interface Drain {
  /** A call begins. Nothing is made for it: what became of its answer is asked when the process stops. */
  begun(answer: ServerResponse): void
  /** Closes whatever has no call under way now, the others as soon as they are answered, and all that is left after `within_ms`. */
  begin(within_ms?: number): void
}

const isAnswered = (answer: ServerResponse) => answer.writableFinished || answer.destroyed

/**
 * Knows which connections of a server wait for an answer, so that a stop waits for those alone. A server that closes by itself waits for
 * every connection that it does not call idle, for as long as it lasts: one that never sent a byte, as browsers open in advance, one
 * that sent half a head, and one that was promised to be kept when its call was answered.
 */
export function openDrain(server: Server, is_tls: boolean): Drain {
  /** The last call begun on each connection. */
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
  function closeAfter(answer: ServerResponse): void {
    const { socket } = answer.req
    answer.once('close', () => {
      // What was written still leaves; what was sent behind it on the same connection is answered first.
      if (connections.get(socket) === answer) socket.destroySoon()
    })
  }

  return {
    begun(answer) {
      connections.set(answer.req.socket, answer)
      if (draining) closeAfter(answer)
    },
    begin(within_ms = DRAIN_MS) {
      draining = true
      for (const [socket, answer] of connections) {
        if (answer === null || isAnswered(answer)) socket.destroy()
        else {
          if (!answer.headersSent) answer.setHeader('Connection', 'close')
          closeAfter(answer)
        }
      }
      const deadline = setTimeout(() => {
        for (const socket of [...connections.keys(), ...beneath]) socket.destroy()
      }, within_ms)
      server.once('close', () => clearTimeout(deadline))
    },
  }
}
