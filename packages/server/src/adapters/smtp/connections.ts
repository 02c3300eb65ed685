import type { SMTPServerSession } from 'smtp-server'
import { MAIL } from '../../catalog/limits.ts'
import { networkOf } from '../../kernel/network.ts'

/** Counts the connections that each address holds. */
export class Connections {
  readonly #open = new Map<string, Set<string>>()

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
