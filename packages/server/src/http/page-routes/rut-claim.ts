import { CEILINGS } from '../../catalog/limits.ts'
import { judgeChain } from '../../domain/platform/certificate/issuer.ts'
import type { JudgedPfx } from '../../domain/platform/certificate/upload.ts'
import { openClaim, type RutClaim } from '../../domain/platform/rut-claim/open.ts'
import { askTheSii } from '../../domain/platform/rut-claim/recognise.ts'
import { TakeOverRefused, takeOver } from '../../domain/platform/rut-claim/take-over.ts'
import type { Reactions } from '../../domain/reactions.ts'
import type { Answer } from '../../kernel/answer.ts'
import { REAL_TIME, systemNow } from '../../kernel/clock.ts'
import { Problem } from '../../kernel/problem.ts'
import { windowOf } from '../../kernel/rate-limit.ts'
import type { Transactor } from '../../kernel/transactor.ts'
import { messagePage } from '../../pages/account.ts'
import {
  type ClaimRefusal,
  type ClaimView,
  claimPage,
  nothingProvablePage,
  takenOverPage,
  usedClaimPage,
} from '../../pages/rut-claim.ts'
import type { Addresses, Ports } from '../../ports/ports.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'
import { type SharedLinkParts, sharedLinkRoute } from './shared-link.ts'

export interface RutClaimRoutesParts extends SharedLinkParts {
  readonly ports: Ports
  readonly addresses: Addresses
  readonly transactor: Transactor
  readonly reactions: Reactions
}

const now = () => new Date(systemNow())

/** Opens and judges the file that was sent, outside any transaction. Nothing of it is kept unless the RUT is taken over. */
async function judge(
  { ports }: RutClaimRoutesParts,
  claim: RutClaim,
  form: PlainRequest['form'],
): Promise<JudgedPfx | ClaimRefusal> {
  const { file = '', password = '', agreed } = form
  if (file === '' || agreed !== 'yes') return 'missing'
  const opened = await ports.certificates.open(claim.account_id, Buffer.from(file, 'base64'), password, now())
  if ('reason' in opened) {
    const { reason } = opened
    return reason === 'wrong_password' || reason === 'expired' || reason === 'not_yet_valid' ? reason : 'unreadable'
  }
  const { chain } = await judgeChain(ports.sii[claim.mode], opened, now())
  return chain === 'accredited' ? { ...opened, chain } : 'not_accredited'
}

async function take(
  parts: RutClaimRoutesParts,
  claim: RutClaim,
  pfx: JudgedPfx,
  { ip, request_id, header }: PlainRequest,
  found: { readonly recognised: boolean },
): Promise<void> {
  const { ports, addresses, reactions, transactor } = parts
  const { account_id, mode } = claim
  await transactor.transact({ account_id, mode, empresa_id: null, clock: REAL_TIME }, (sql, unit) =>
    takeOver(
      {
        sql,
        now,
        ports,
        addresses,
        reactions,
        enqueue: unit.enqueue.bind(unit, sql),
        invalidate: unit.invalidate.bind(unit),
        emitFor: (whose, event) => unit.emit(event, whose),
        auditFor: (scope, action, subject) =>
          unit.audit({
            account_id: scope.account_id,
            mode: scope.mode,
            empresa: { id: scope.empresa_id, rut: scope.rut },
            action,
            subject,
            actor: { kind: 'link', id: null, ip, request_id },
          }),
      },
      claim,
      pfx,
      { via: 'hosted_page', ip, user_agent: header('user-agent') ?? null },
      found,
    ),
  )
}

const REFUSED: Readonly<Record<string, ClaimRefusal>> = { account_limit_reached: 'full', empresa_exists: 'proven' }

async function submit(parts: RutClaimRoutesParts, view: ClaimView, request: PlainRequest): Promise<Answer> {
  const { claim } = view
  // By the account: whoever has one asks for as many pages as they like.
  const { allowed, reset_seconds } = await parts.limiter.take([windowOf('rut_claim', claim.account_id)])
  if (!allowed) return tooMany(reset_seconds)
  const judged = await judge(parts, claim, request.form)
  if (typeof judged === 'string') return claimPage(view, judged)
  const refusal = await takeIfProven(parts, claim, judged, request)
  return refusal === null || refusal === 'used' ? takenOverPage(view) : claimPage(view, refusal)
}

/** What the certificate shows by itself comes first; only where that is not enough is the SII asked about its holder. */
async function takeIfProven(
  parts: RutClaimRoutesParts,
  claim: RutClaim,
  pfx: JudgedPfx,
  request: PlainRequest,
): Promise<ClaimRefusal | 'used' | null> {
  const refusal = await refusalOf(take(parts, claim, pfx, request, { recognised: false }))
  if (refusal !== 'not_taxpayer' && refusal !== 'proven') return refusal
  const recognised = await askTheSii(parts.ports.sii[claim.mode], claim, pfx)
  if (recognised === 'unreachable') return 'sii_unreachable'
  return recognised ? refusalOf(take(parts, claim, pfx, request, { recognised })) : refusal
}

/** Null where it was done. */
async function refusalOf(taking: Promise<void>): Promise<ClaimRefusal | 'used' | null> {
  try {
    await taking
    return null
  } catch (error) {
    if (error instanceof TakeOverRefused) return error.reason
    const refusal = error instanceof Problem ? REFUSED[error.code] : undefined
    if (refusal) return refusal
    throw error
  }
}

function tooMany(seconds: number): Answer {
  const text = 'Se intentó demasiadas veces. Espera un rato y vuelve a intentarlo.'
  const page = messagePage('Un momento, por favor', text, { status: 429 })
  return { ...page, headers: { ...page.headers, 'Retry-After': String(seconds) } }
}

/**
 * The page where a taxpayer takes its RUT over from the account that holds it. The slug in the path names the account that asked and
 * works once; the certificate is what proves. Opening it changes nothing.
 */
export function rutClaimRoutes(parts: RutClaimRoutesParts): PlainRoute[] {
  const { operator_email } = parts.addresses
  const route = sharedLinkRoute(parts, openClaim)
  const shown = (show: (view: ClaimView, request: PlainRequest) => Promise<Answer> | Answer) =>
    route(async (claim, request) => {
      const view = { claim, path: `/rut/${request.params.slug}`, operator_email }
      if (claim.used_at) return usedClaimPage(view)
      const { certificates } = await parts.ports.sii[claim.mode].certificateAuthorities()
      return certificates.length === 0 ? nothingProvablePage(view) : show(view, request)
    })
  return [
    { path: '/rut/{slug}', answer: shown((view) => claimPage(view)) },
    {
      path: '/rut/{slug}',
      method: 'POST',
      takes_file: true,
      body_bytes: CEILINGS.certificate_body_bytes,
      answer: shown((view, request) => submit(parts, view, request)),
    },
  ]
}
