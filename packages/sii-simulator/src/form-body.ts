import { TextDecoder } from 'node:util'
import type { DoorRequest } from './door.ts'

/** The longest form of the portal has some 250. */
const MOST_FIELDS = 2_000

/** A form as the old pages post it: percent-encoded bytes of the charset that the request names, or windows-1252. */
export function formOf(request: DoorRequest): URLSearchParams {
  const charset = /charset=([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  const decoder = new TextDecoder(charset && /^utf-?8$/i.test(charset) ? 'utf-8' : 'windows-1252')
  const fields = new URLSearchParams()
  for (const pair of Buffer.from(request.body).toString('latin1').split('&', MOST_FIELDS)) {
    if (pair === '') continue
    const cut = pair.indexOf('=')
    const [name, value] = cut < 0 ? [pair, ''] : [pair.slice(0, cut), pair.slice(cut + 1)]
    fields.append(decoded(name, decoder), decoded(value, decoder))
  }
  return fields
}

function decoded(part: string, decoder: InstanceType<typeof TextDecoder>): string {
  const bytes = part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoder.decode(Buffer.from(bytes, 'latin1'))
}
