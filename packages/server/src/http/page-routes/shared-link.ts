import type { SharedLink } from '../../domain/issuing/public-link/open.ts'
import type { Answer } from '../../kernel/answer.ts'
import type { Sql } from '../../kernel/db.ts'
import type { Log } from '../../kernel/log.ts'
import { type RateLimiter, windowOf } from '../../kernel/rate-limit.ts'
import { messagePage } from '../../pages/account.ts'
import { asPrivate } from '../../pages/layout.ts'
import { toProblem } from '../answers.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'

export interface SharedLinkParts {
  readonly sql: Sql
  readonly limiter: RateLimiter
  readonly log: Log
}

const NOT_FOUND = messagePage(
  'Este enlace no existe',
  'Puede que esté incompleto o que ya no funcione. Pide uno nuevo a quien te lo envió.',
  { status: 404 },
)

function retryLater(title: string, text: string, status: number, seconds: number): Answer {
  const page = messagePage(title, text, { status })
  return { ...page, headers: { ...page.headers, 'Retry-After': String(seconds) } }
}

const GONE = new Set<string>(['document_not_found', 'f29_proposal_not_found', 'empresa_not_found'])

/** A refusal as a page for a person; the details go to the log alone. */
function refusalPage(problem: ReturnType<typeof toProblem>): Answer {
  const { code, status, retry_after_seconds: wait = 5 } = problem
  if (GONE.has(code)) return NOT_FOUND
  if (code === 'artifact_not_ready' || code === 'artifact_not_available') {
    return retryLater(
      'Todavía no está listo',
      'El documento se está emitiendo. Vuelve a intentarlo en unos segundos.',
      status,
      wait,
    )
  }
  return retryLater(
    'No pudimos mostrarlo',
    'Algo falló de nuestro lado. Vuelve a intentarlo en un momento.',
    status,
    wait,
  )
}

/** Pages behind a slug, which is the only credential: rate limited by the link, and neither cached nor indexed. */
export function sharedLinkRoute<Link extends Pick<SharedLink, 'hash'>>(
  { sql, limiter, log }: SharedLinkParts,
  open: (sql: Sql, slug: string) => Promise<Link | null>,
) {
  return (show: (link: Link, request: PlainRequest) => Promise<Answer>): PlainRoute['answer'] =>
    async (request) => {
      try {
        // Looked up before it is counted: strangers who try slugs at random must not fill the limiter's memory.
        const link = await open(sql, request.params.slug ?? '')
        if (!link) return asPrivate(NOT_FOUND)
        const { allowed, reset_seconds } = await limiter.take([windowOf('public_link', link.hash)])
        if (allowed) return asPrivate(await show(link, request))
        const text = 'Este enlace se abrió demasiadas veces en un minuto. Espera un momento y vuelve a intentarlo.'
        return asPrivate(retryLater('Un momento, por favor', text, 429, reset_seconds))
      } catch (error) {
        return asPrivate(refusalPage(toProblem(error, log, request.request_id)))
      }
    }
}
