import { randomBytes } from 'node:crypto'

/** The agent that the upload services ask for: others get a page, or a 401 with a good token (SII, Upload 1.5). */
export const UPLOAD_AGENT = 'Mozilla/4.0 (compatible; PROG 1.0; Windows NT 5.0)'

/** A whole file goes with the request: it takes the SII longer to answer than a question. */
export const UPLOAD_LIMITS = { headers_ms: 150_000, total_ms: 180_000 } as const

export interface MultipartFile {
  readonly field: string
  readonly name: string
  readonly bytes: Uint8Array
  /** XML unless told. */
  readonly type?: string
}

/**
 * A form with a file: fields first, then the file, as the SII's manual has them. It is one buffer, so the request
 * carries a Content-Length and goes in one piece.
 */
export function writeMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: MultipartFile,
): { readonly content_type: string; readonly body: Buffer } {
  const boundary = `----timbre${randomBytes(16).toString('hex')}`
  const head = fields.map(([name, value]) => part(boundary, `name="${name}"`, '') + value)
  const name = file.name.replace(/[^\w.-]/g, '_')
  head.push(part(boundary, `name="${file.field}"; filename="${name}"`, `Content-Type: ${file.type ?? 'text/xml'}\r\n`))
  const start = Buffer.from(head.join('\r\n'), 'latin1')
  const end = Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1')
  return {
    content_type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([start, file.bytes, end]),
  }
}

const part = (boundary: string, disposition: string, headers: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n`
