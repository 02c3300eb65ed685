import { invalidField, Problem } from '../kernel/problem.ts'

/** Forms here have two or three fields; the parser takes a part of a second for one of thousands. */
const MAX_PARTS = 8
const MAX_HEAD_BYTES = 2_048

/** Whether a body is a form of few parts with short headings, by where its boundary stands. */
function isShortForm(body: Buffer, content_type: string): boolean {
  const [, boundary] = /boundary="?([^";\s]{1,70})/i.exec(content_type) ?? []
  if (boundary === undefined) return false
  const line = `--${boundary}`
  let parts = 0
  for (let at = body.indexOf(line); at !== -1; at = body.indexOf(line, at + line.length)) {
    if (body.toString('latin1', at + line.length, at + line.length + 2) === '--') return parts > 0
    const head = body.indexOf('\r\n\r\n', at)
    parts += 1
    if (parts > MAX_PARTS || head === -1 || head - at > MAX_HEAD_BYTES) return false
  }
  return false
}

const notAForm = () =>
  new Problem('invalid_json', { message: 'The body is not multipart/form-data as its Content-Type says.' })

/**
 * The fields of a multipart/form-data body as the JSON that says the same, a file as its base64: from here on there is
 * one kind of body, and a repetition is known by what it says, not by the boundary that its client made up.
 */
export async function jsonOfForm(body: Buffer, content_type: string): Promise<Buffer> {
  if (!isShortForm(body, content_type)) throw notAForm()
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': content_type } })
    .formData()
    .catch(() => {
      throw notAForm()
    })
  const fields = new Map<string, string>()
  for (const [name, value] of form) {
    if (fields.has(name)) throw invalidField(name, 'it was sent twice.')
    fields.set(name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64'))
  }
  return Buffer.from(JSON.stringify(Object.fromEntries(fields)))
}
