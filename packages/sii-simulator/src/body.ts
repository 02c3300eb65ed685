import type { IncomingMessage } from 'node:http'

/** The whole body, or null where it is longer than `limit`; the rest is then read and dropped. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming) {
    size += (part as Buffer).length
    if (size <= limit) parts.push(part as Buffer)
    else parts.length = 0
  }
  return size <= limit ? Buffer.concat(parts) : null
}
