import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { MAIL } from '../../catalog/limits.ts'
import { networkOf, siteOf } from '../../kernel/network.ts'
import { Arrivals } from './arrivals.ts'

const nameOf = (address: string | undefined, port: number | undefined) => `${networkOf(address ?? '')}|${port}`

export const TOO_MUCH_TALK = 'Too many commands and no mail'
const FULL = 'Too many connections, try again later'
const LAST_WORD_MS = 1_000

interface Held {
  readonly socket: Socket
  readonly network: string
  readonly site: string
  heard_at: number
  spoke: boolean
  /** Since when it sends a mail, and what the connection had brought by then. */
  mail: { readonly since: number; readonly brought: number } | null
}

/** Whether a mail comes as fast as from an honest sender. */
function makesProgress({ mail, heard_at, socket }: Held, now: number): boolean {
  if (mail === null || now - heard_at > MAIL.pause_ms) return false
  const due = ((now - mail.since - MAIL.pause_ms) / 1_000) * MAIL.bytes_per_second
  return socket.bytesRead - mail.brought >= due
}

/** Counts the connections that each address holds, and ends those that last too long or cost too much. */
export class Connections {
  readonly #open = new Map<string, Set<string>>()
  readonly #sockets = new Map<string, Held>()
  readonly #talks = new Map<string, { readonly session: SMTPServerSession; commands: number }>()
  /** Newcomers without a place, until they are gone. */
  readonly #refused = new Map<string, Socket>()
  readonly #arrivals = new Arrivals()

  hold(socket: Socket): void {
    const { remoteAddress = '', remotePort } = socket
    const name = nameOf(remoteAddress, remotePort)
    const end = setTimeout(() => socket.destroy(), MAIL.connection_ms).unref()
    const held = { socket, network: networkOf(remoteAddress), site: siteOf(remoteAddress), spoke: false, mail: null }
    const fits = this.#fits(held)
    if (fits) this.#sockets.set(name, { ...held, heard_at: performance.now() })
    else this.#refused.set(name, socket)
    socket.once('close', () => {
      clearTimeout(end)
      if (this.#sockets.get(name)?.socket === socket) this.#sockets.delete(name)
      if (this.#refused.get(name) === socket) this.#refused.delete(name)
    })
  }

  #fits({ network, site }: Pick<Held, 'network' | 'site'>): boolean {
    if (!this.#arrivals.count(network, site)) return false
    const neighbours = [...this.#sockets.values()].filter((held) => held.site === site)
    if (neighbours.length >= MAIL.connections_per_site) return false
    return this.#sockets.size < MAIL.connections || this.#makeRoom()
  }

  /**
   * Where every place is taken, a newcomer gets that of another: first of those who never said a word, then of those who
   * send no mail or send it too slowly, and never of one whose mail is coming. Among these it is the quietest of the
   * address that holds most places: some that drip must not keep everybody else out.
   */
  #makeRoom(): boolean {
    const now = performance.now()
    const all = [...this.#sockets.values()]
    const silent = all.filter(({ spoke }) => !spoke)
    const movable = silent.length > 0 ? silent : all.filter((held) => !makesProgress(held, now))
    const places = new Map<string, number>()
    for (const { network } of all) places.set(network, (places.get(network) ?? 0) + 1)
    const crowd = ({ network }: Held) => places.get(network) ?? 0
    const [moved] = movable.sort((a, b) => crowd(b) - crowd(a) || a.heard_at - b.heard_at)
    moved?.socket.destroy()
    return moved !== undefined
  }

  #heldOf({ remoteAddress, remotePort }: SMTPServerSession): Held | undefined {
    return this.#sockets.get(nameOf(remoteAddress, remotePort))
  }

  /** A mail begins to come; what it gives is told of each piece of it, and of its end. */
  receiving(session: SMTPServerSession): { piece(): void; end(): void } {
    const held = this.#heldOf(session)
    if (held) held.mail = { since: performance.now(), brought: held.socket.bytesRead }
    return {
      piece: () => {
        if (held) held.heard_at = performance.now()
      },
      end: () => {
        if (held) held.mail = null
      },
    }
  }

  /** Ends a connection in the middle of what it says, with a last word where nothing hides it. */
  cut(session: SMTPServerSession, word: string): void {
    const socket = this.#heldOf(session)?.socket
    if (!socket || session.secure) return void socket?.destroy()
    // Nothing more is read of it; the word has a moment to arrive before the connection is gone.
    socket.unpipe().pause().end(word)
    setTimeout(() => socket.destroy(), LAST_WORD_MS).unref()
  }

  /**
   * Why a newcomer is not heard; null when it is. By the name of each session: one that goes before it was greeted must
   * not make room for another.
   */
  enter(session: SMTPServerSession): string | null {
    const { remoteAddress, remotePort, id } = session
    this.#talks.set(id, { session, commands: 0 })
    const network = networkOf(remoteAddress)
    const held = this.#open.get(network) ?? new Set()
    this.#open.set(network, held.add(id))
    if (held.size > MAIL.connections_per_address) return 'Too many connections from your address'
    return this.#refused.has(nameOf(remoteAddress, remotePort)) ? FULL : null
  }

  /** Counts a command of a conversation, and ends one that talks and sends nothing. */
  command(id: string): void {
    const talk = this.#talks.get(id)
    const held = talk && this.#heldOf(talk.session)
    if (held) Object.assign(held, { heard_at: performance.now(), spoke: true })
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
