import { TextDecoder } from 'node:util'

/** Forms as the old pages post them: bytes of the page's own charset, percent-encoded. */
export type Form = Readonly<Record<string, string>>

/** The charset is the one that the request names; where it names none, windows-1252, as browsers send those pages. */
export function readForm(body: Uint8Array, content_type = ''): Form {
  const charset = /charset=([\w-]+)/i.exec(content_type)?.[1] ?? 'windows-1252'
  const decoder = decoderOf(charset)
  const form: Record<string, string> = Object.create(null)
  for (const pair of Buffer.from(body).toString('latin1').split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals), decoder)
    form[name] ??= equals === -1 ? '' : decodePart(pair.slice(equals + 1), decoder)
  }
  return form
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

function decodePart(text: string, decoder: TextDecoder): string {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoder.decode(Buffer.from(bytes, 'latin1'))
}
