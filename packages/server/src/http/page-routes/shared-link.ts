import type { SharedLink } from '../../domain/issuing/public-link/open.ts'
import type { Answer } from '../../kernel/answer.ts'
import type { Sql } from '../../kernel/db.ts'
import type { Log } from '../../kernel/log.ts'
import { type RateLimiter, windowOf } from '../../kernel/rate-limit.ts'
import type { Artifact } from '../../kernel/schema.ts'
import { messagePage } from '../../pages/account.ts'
import { asPrivate } from '../../pages/public-document.ts'
import { asProblem } from '../envelope.ts'
import type { PlainRequest, PlainRoute } from '../server.ts'

export interface SharedLinkParts {
  readonly sql: Sql
  readonly limiter: RateLimiter
  readonly log: Log
}

const NOT_HERE = messagePage(
  'Este enlace no existe',
  'Puede que esté incompleto o que ya no funcione. Pide uno nuevo a quien te lo envió.',
  { status: 404 },
)

function later(title: string, text: string, status: number, seconds: number): Answer {
  const page = messagePage(title, text, { status })
  return { ...page, headers: { ...page.headers, 'Retry-After': String(seconds) } }
}

/** What cannot be shown is told to a person, in a page; only the log hears the rest. */
function refusalPage(problem: ReturnType<typeof asProblem>): Answer {
  const { code, status, retry_after_seconds: wait = 5 } = problem
  if (code === 'document_not_found' || code === 'f29_proposal_not_found') return NOT_HERE
  if (code === 'artifact_not_available') {
    return later(
      'Todavía no está listo',
      'El documento se está emitiendo. Vuelve a intentarlo en unos segundos.',
      status,
      wait,
    )
  }
  return later('No pudimos mostrarlo', 'Algo falló de nuestro lado. Vuelve a intentarlo en un momento.', status, wait)
}

export function fileAnswer({ media_type, bytes, filename }: Artifact, how: 'inline' | 'attachment'): Answer {
  const headers = {
    'Content-Type': media_type,
    'Content-Disposition': `${how}; filename="${filename}"`,
    'X-Content-Type-Options': 'nosniff',
  }
  return { status: 200, headers, body: null, bytes }
}

/** Pages behind a slug, which is the only credential: opened, counted by the link, and told to nobody else. */
export function sharedBy<Link extends SharedLink>(
  { sql, limiter, log }: SharedLinkParts,
  open: (sql: Sql, slug: string) => Promise<Link | null>,
) {
  return (show: (link: Link, request: PlainRequest) => Promise<Answer>): PlainRoute['answer'] =>
    async (request) => {
      try {
        // Looked up before it is counted: strangers who try slugs at random must not fill the counter's memory.
        const link = await open(sql, request.params.slug ?? '')
        if (!link) return asPrivate(NOT_HERE)
        const { allowed, reset_seconds } = await limiter.take([windowOf('public_link', link.hash)])
        if (allowed) return asPrivate(await show(link, request))
        const text = 'Este enlace se abrió demasiadas veces en un minuto. Espera un momento y vuelve a intentarlo.'
        return asPrivate(later('Un momento, por favor', text, 429, reset_seconds))
      } catch (error) {
        return asPrivate(refusalPage(asProblem(error, log, request.request_id)))
      }
    }
}
