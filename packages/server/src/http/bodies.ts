import type { IncomingMessage } from 'node:http'
import { BODIES } from '../catalog/limits.ts'
import { BytesInHand, type InHand } from '../kernel/bytes-in-hand.ts'
import { everySecond } from '../kernel/every-second.ts'
import { networkOf } from '../kernel/network.ts'
import { Problem } from '../kernel/problem.ts'
import type { AccountScope } from '../kernel/scope.ts'

/** Whose a body is, before it is read: an account where the credential came with the headers, else an address. */
export interface Sender {
  readonly account: AccountScope | undefined
  readonly ip: string
}

interface Reading {
  readonly req: IncomingMessage
  readonly bytes: number
  readonly cut: (problem: Problem) => void
  /** What the connection had brought when it was last looked at, and looks since it began and since it last brought something. */
  brought: number
  looks: number
  idle_looks: number
}

/** What a body will take: what it says, and where it says nothing the most that its route takes. */
function bytesOf({ headers }: IncomingMessage, limit: number): number {
  const declared = headers['content-length']
  if (declared === undefined) return headers['transfer-encoding'] === undefined ? 0 : limit
  // A longer one is refused by its length, and not read.
  return Number(declared) > limit ? 0 : Number(declared)
}

function holdIn(held: BytesInHand, { account, ip }: Sender, bytes: number): InHand {
  // A boleta and a login have room of their own, whatever others send that is longer.
  const size = bytes <= BODIES.small_bytes ? 'small' : 'long'
  if (account) return held.hold(`${account.mode} ${size}`, account.account_id, BODIES.accounts)
  return held.hold(`strangers ${size}`, networkOf(ip), BODIES.strangers)
}

function refuse(bound: 'owner' | 'pool', { account }: Sender): Problem {
  const message =
    bound === 'owner' ? 'You are sending too much at once.' : 'Too much is being sent to us at this moment.'
  return new Problem(bound === 'owner' && account ? 'rate_limited' : 'service_unavailable', {
    message,
    retry_after_seconds: BODIES.retry_after_seconds,
  })
}

/**
 * The bodies that this process holds, from before the first byte is read until the request was answered, whatever route
 * reads them. One that does not come, or comes too slowly, is cut off.
 */
export class Bodies {
  readonly held = new BytesInHand()
  readonly #reading = new Set<Reading>()
  readonly #stop = everySecond(() => this.look())

  /** Refuses a body there is no room for. `cut` ends the reading of one that stalls. What it gives lets go of the body. */
  take(req: IncomingMessage, sender: Sender, limit: number, cut: Reading['cut']): () => void {
    const bytes = bytesOf(req, limit)
    if (bytes === 0) return () => undefined
    const hold = holdIn(this.held, sender, bytes)
    const bound = hold.grow(bytes)
    if (bound) throw refuse(bound, sender)
    const reading: Reading = { req, bytes, cut, brought: req.socket.bytesRead, looks: 0, idle_looks: 0 }
    this.#reading.add(reading)
    return () => {
      this.#reading.delete(reading)
      hold.release()
    }
  }

  /**
   * Once a second. Time is counted in looks: while this process was busy with something else nobody's bytes were read,
   * and nobody is blamed for it.
   */
  look(): void {
    for (const reading of this.#reading) {
      const { req, bytes, cut } = reading
      if (req.complete) {
        this.#reading.delete(reading)
        continue
      }
      const brought = req.socket.bytesRead
      reading.idle_looks = brought === reading.brought ? reading.idle_looks + 1 : 0
      reading.brought = brought
      reading.looks += 1
      const enough = BODIES.stalled_seconds + bytes / BODIES.bytes_per_second
      if (reading.idle_looks < BODIES.stalled_seconds && reading.looks < enough) continue
      this.#reading.delete(reading)
      cut(new Problem('request_timeout'))
    }
  }

  close(): void {
    this.#stop()
  }
}
