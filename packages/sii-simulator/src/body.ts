import type { IncomingMessage } from 'node:http'
import { NoAnswer } from './no-answer.ts'

/** How much more than its limit is read of a body, so that whoever sends it can hear that it is too long. */
const READ_IN_VAIN = 64 * 1024 * 1024

/** The whole body, or null where it is longer than `limit`; the rest is then read and dropped, up to a bound. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming) {
    size += (part as Buffer).length
    if (size <= limit) parts.push(part as Buffer)
    else parts.length = 0
    if (size > limit + READ_IN_VAIN) throw new NoAnswer()
  }
  return size <= limit ? Buffer.concat(parts) : null
}
