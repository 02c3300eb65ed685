import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer } from '../../kernel/answer.ts'
import { lazily } from '../../kernel/lazily.ts'
import type { PlainRequest } from '../routes.ts'

const compress = promisify(gzip)

/** Makes something at its first request and keeps it: nothing it shows changes while the process lives. */
export const once = <T>(make: () => T | Promise<T>): (() => Promise<T>) => lazily(async () => make())

/** Whether a browser takes gzip: it names it, and not with a weight of nothing. */
const takesGzip = (header: PlainRequest['header']) =>
  (header('accept-encoding') ?? '').split(',').some((one) => {
    const [name, weight = 'q=1'] = one.split(';').map((word) => word.trim())
    return name === 'gzip' && Number(weight.slice('q='.length)) > 0
  })

/**
 * A text that stays the same as long as the process lives: a browser that has it is told so, and the others get it compressed
 * where they take that. Only for what everybody may read.
 */
export function kept(make: () => Answer | Promise<Answer>): (request: PlainRequest) => Promise<Answer> {
  const made = once(async () => {
    const answer = await make()
    const text = answer.body ?? ''
    const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    const vary = [answer.headers?.Vary, 'Accept-Encoding'].filter(Boolean).join(', ')
    const headers = { 'Cache-Control': 'public, no-cache', ...answer.headers, ETag: tag, Vary: vary }
    return { ...answer, headers, tag, text }
  })
  const compressed = once(async () => compress((await made()).text))
  return async ({ header }) => {
    const { tag, text: _, ...answer } = await made()
    if (header('if-none-match')?.includes(tag)) return { ...answer, status: 304, body: null }
    if (!takesGzip(header)) return answer
    return {
      ...answer,
      headers: { ...answer.headers, 'Content-Encoding': 'gzip' },
      body: null,
      bytes: await compressed(),
    }
  }
}

/** The same for pages of many names. What is not there is not kept: names of nothing have no end. */
export function keptByName(
  make: (name: string) => Answer | Promise<Answer>,
): (name: string, request: PlainRequest) => Promise<Answer> {
  const known = new Map<string, (request: PlainRequest) => Promise<Answer>>()
  return async (name, request) => {
    const before = known.get(name)
    if (before) return before(request)
    const answer = await make(name)
    if (answer.status !== 200) return answer
    const page = kept(() => answer)
    known.set(name, page)
    return page(request)
  }
}
