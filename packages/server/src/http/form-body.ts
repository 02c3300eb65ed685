import { invalidField, Problem } from '../kernel/problem.ts'

/**
 * The fields of a multipart/form-data body as the JSON that says the same, a file as its base64: from here on there is
 * one kind of body, and a repetition is known by what it says, not by the boundary that its client made up.
 */
export async function jsonOfForm(body: Uint8Array, content_type: string): Promise<Buffer> {
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': content_type } })
    .formData()
    .catch(() => {
      throw new Problem('invalid_json', { message: 'The body is not multipart/form-data as its Content-Type says.' })
    })
  const fields = new Map<string, string>()
  for (const [name, value] of form) {
    if (fields.has(name)) throw invalidField(name, 'it was sent twice.')
    fields.set(name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64'))
  }
  return Buffer.from(JSON.stringify(Object.fromEntries(fields)))
}
