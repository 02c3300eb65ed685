import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { MAIL } from '../../catalog/limits.ts'
import { networkOf } from '../../kernel/network.ts'

const nameOf = (address: string | undefined, port: number | undefined) => `${networkOf(address ?? '')}|${port}`

const LAST_WORD_MS = 1_000

/** Counts the connections that each address holds, and ends those that last too long or cost too much. */
export class Connections {
  readonly #open = new Map<string, Set<string>>()
  readonly #sockets = new Map<string, Socket>()

  hold(socket: Socket): void {
    const name = nameOf(socket.remoteAddress, socket.remotePort)
    const end = setTimeout(() => socket.destroy(), MAIL.connection_ms).unref()
    this.#sockets.set(name, socket)
    socket.once('close', () => {
      clearTimeout(end)
      this.#sockets.delete(name)
    })
  }

  /** Ends a connection in the middle of what it says, with a last word where nothing hides it. */
  cut({ remoteAddress, remotePort, secure }: SMTPServerSession, word: string): void {
    const socket = this.#sockets.get(nameOf(remoteAddress, remotePort))
    if (!socket || secure) return void socket?.destroy()
    // Nothing more is read of it; the word has a moment to arrive before the connection is gone.
    socket.unpipe().pause().end(word)
    setTimeout(() => socket.destroy(), LAST_WORD_MS).unref()
  }

  /** By the name of each session: one that goes before it was greeted must not make room for another. */
  enter({ remoteAddress, id }: SMTPServerSession): boolean {
    const network = networkOf(remoteAddress)
    const held = this.#open.get(network) ?? new Set()
    this.#open.set(network, held.add(id))
    return held.size <= MAIL.connections_per_address
  }

  leave({ remoteAddress, id }: SMTPServerSession): void {
    const network = networkOf(remoteAddress)
    const held = this.#open.get(network)
    held?.delete(id)
    if (held?.size === 0) this.#open.delete(network)
  }
}
