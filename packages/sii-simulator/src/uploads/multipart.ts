import { gunzipSync } from 'node:zlib'
import { Busboy } from '@fastify/busboy'
import type { DoorRequest } from '../door.ts'

export type Multipart = { fields: Record<string, string>; file: { name: string; bytes: Uint8Array } | null }

const LIMITS = { fields: 20, fieldSize: 2_000, files: 1, parts: 25 }

/** The fields and the one file of a form; null where the body is no such form, is cut short, or has more parts than one has. */
export function readMultipart(request: DoorRequest, maxBytes: number): Promise<Multipart | null> {
  // The upload manual of 2003 writes a colon before the boundary, and clients that follow it are served.
  const type = (request.headers['content-type'] ?? '').replace('form-data:', 'form-data;')
  const body = Buffer.from(request.body)
  if (hasManyParts(body, type)) return Promise.resolve(null)
  return new Promise((resolve) => {
    const read: Multipart = { fields: {}, file: null }
    let form: InstanceType<typeof Busboy>
    try {
      form = new Busboy({
        headers: { ...request.headers, 'content-type': type },
        limits: { ...LIMITS, fileSize: maxBytes + 1 },
      })
    } catch {
      return resolve(null)
    }
    form.on('field', (name, value) => {
      read.fields[name] = value
    })
    form.on('file', (name, stream, fileName, _encoding, mime) => {
      const parts: Buffer[] = []
      // The form tells the same error; a stream that nobody listens to would end the process.
      stream.on('error', () => undefined)
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (name === 'archivo')
          read.file = { name: plainName(fileName), bytes: unpacked(Buffer.concat(parts), mime, maxBytes) }
      })
    })
    form.on('error', () => resolve(null))
    form.on('finish', () => resolve(read))
    form.end(body)
  })
}

/** The parser reads those beyond its limit too, and takes long over each. */
function hasManyParts(body: Buffer, type: string): boolean {
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1]
  if (boundary === undefined) return false
  let found = 0
  for (let at = body.indexOf(`--${boundary}`); at >= 0 && found <= LIMITS.parts + 1; found++) {
    at = body.indexOf(`--${boundary}`, at + boundary.length)
  }
  // The last one closes the form.
  return found > LIMITS.parts + 1
}

/** It is written into answers: no control characters, and no longer than a file system takes. */
function plainName(name: string | undefined): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
  return (name ?? '').replace(/[\x00-\x1f\x7f]/g, '').slice(0, 255)
}

/** LibreDTE sends the file part compressed and is taken in (unverified). */
function unpacked(bytes: Buffer, mime: string, maxBytes: number): Uint8Array {
  if (!/gzip/.test(mime)) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes + 1 })
  } catch {
    return bytes
  }
}
