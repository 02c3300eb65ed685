import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { MAIL } from '../../catalog/limits.ts'
import { networkOf } from '../../kernel/network.ts'

const nameOf = (address: string | undefined, port: number | undefined) => `${networkOf(address ?? '')}|${port}`

export const TOO_MUCH_TALK = 'Too many commands and no mail'
const LAST_WORD_MS = 1_000

interface Held {
  readonly socket: Socket
  readonly network: string
  heard_at: number
}

/** Counts the connections that each address holds, and ends those that last too long or cost too much. */
export class Connections {
  readonly #open = new Map<string, Set<string>>()
  readonly #sockets = new Map<string, Held>()
  readonly #talks = new Map<string, { readonly session: SMTPServerSession; commands: number }>()

  hold(socket: Socket): void {
    const name = nameOf(socket.remoteAddress, socket.remotePort)
    const end = setTimeout(() => socket.destroy(), MAIL.connection_ms).unref()
    this.#sockets.set(name, { socket, network: networkOf(socket.remoteAddress ?? ''), heard_at: performance.now() })
    if (this.#sockets.size > MAIL.connections) this.#makeRoom()
    socket.once('close', () => {
      clearTimeout(end)
      this.#sockets.delete(name)
    })
  }

  /**
   * Where every place is taken, a newcomer gets that of whoever said nothing for the longest time, among those of the
   * address that holds most places: some that drip must not keep everybody else out.
   */
  #makeRoom(): void {
    const crowds = new Map<string, Held[]>()
    for (const held of this.#sockets.values()) crowds.set(held.network, [...(crowds.get(held.network) ?? []), held])
    const crowd = [...crowds.values()].reduce((most, one) => (one.length > most.length ? one : most), [])
    const quietest = crowd.reduce<Held | null>((one, held) => (one && one.heard_at <= held.heard_at ? one : held), null)
    quietest?.socket.destroy()
  }

  #heard({ remoteAddress, remotePort }: SMTPServerSession): void {
    const held = this.#sockets.get(nameOf(remoteAddress, remotePort))
    if (held) held.heard_at = performance.now()
  }

  /** Ends a connection in the middle of what it says, with a last word where nothing hides it. */
  cut({ remoteAddress, remotePort, secure }: SMTPServerSession, word: string): void {
    const socket = this.#sockets.get(nameOf(remoteAddress, remotePort))?.socket
    if (!socket || secure) return void socket?.destroy()
    // Nothing more is read of it; the word has a moment to arrive before the connection is gone.
    socket.unpipe().pause().end(word)
    setTimeout(() => socket.destroy(), LAST_WORD_MS).unref()
  }

  /** By the name of each session: one that goes before it was greeted must not make room for another. */
  enter(session: SMTPServerSession): boolean {
    const { remoteAddress, id } = session
    this.#talks.set(id, { session, commands: 0 })
    const network = networkOf(remoteAddress)
    const held = this.#open.get(network) ?? new Set()
    this.#open.set(network, held.add(id))
    return held.size <= MAIL.connections_per_address
  }

  /** Counts a command of a conversation, and ends one that talks and sends nothing. */
  command(id: string): void {
    const talk = this.#talks.get(id)
    if (talk) this.#heard(talk.session)
    if (talk && ++talk.commands === MAIL.commands_without_mail + 1) this.cut(talk.session, `421 ${TOO_MUCH_TALK}\r\n`)
  }

  /** Whether a conversation was ended for its talk: what it said in one breath is still on its way to us. */
  talksTooMuch({ id }: SMTPServerSession): boolean {
    return (this.#talks.get(id)?.commands ?? 0) > MAIL.commands_without_mail
  }

  /** A mail came: what was said for it is forgotten. */
  kept({ id }: SMTPServerSession): void {
    const talk = this.#talks.get(id)
    if (talk) talk.commands = 0
  }

  leave({ remoteAddress, id }: SMTPServerSession): void {
    const network = networkOf(remoteAddress)
    const held = this.#open.get(network)
    this.#talks.delete(id)
    held?.delete(id)
    if (held?.size === 0) this.#open.delete(network)
  }
}
