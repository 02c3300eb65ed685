import { RETENTION } from '../../catalog/retention.ts'
import {
  endOperatorSession,
  findOperatorSession,
  type OperatorSession,
  openOperatorSession,
} from '../../domain/platform/operator-session/session.ts'
import type { Answer } from '../../kernel/answer.ts'
import { REAL_TIME } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import { type RateLimiter, windowOf } from '../../kernel/rate-limit.ts'
import { Closed, OneLine } from '../../kernel/schema.ts'
import { sameSecret } from '../../kernel/secret.ts'
import type { Transactor } from '../../kernel/transactor.ts'
import { validate } from '../../kernel/validate.ts'
import { messagePage } from '../../pages/account.ts'
import { CERTIFICATIONS_PATH } from '../../pages/certifications.ts'
import { asPrivate } from '../../pages/layout.ts'
import { operatorSignInPage } from '../../pages/operator.ts'
import type { Addresses } from '../../ports/ports.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'

export interface OperatorRoutesParts {
  readonly sql: Sql
  readonly addresses: Addresses
  readonly transactor: Transactor
  readonly limiter: RateLimiter
  readonly operator_secret: string | null
}

export const SIGN_IN_PATH = '/operador'
const COOKIE = 'timbre_operador'
/** What is 256 bits in base64url, and nothing else. */
const TOKEN = /(?:^|; )timbre_operador=([\w-]{43})(?:;|$)/

/** Sent back to pages of the operator alone, by forms and links of ours alone, and to no script. */
function cookieOf({ addresses }: OperatorRoutesParts, token: string, seconds: number): string {
  const secure = addresses.public_url.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${token}; Path=${SIGN_IN_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

export const goTo = (address: string, headers: Record<string, string> = {}): Answer => ({
  status: 303,
  headers: { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', ...headers },
  body: null,
})

/** The token that a browser brings and whose it is; null for a stranger. */
export async function signedIn(
  { sql, operator_secret }: OperatorRoutesParts,
  { header }: Pick<PlainRequest, 'header'>,
): Promise<(OperatorSession & { readonly token: string }) | null> {
  const token = TOKEN.exec(header('cookie') ?? '')?.[1]
  const session = token === undefined ? null : await findOperatorSession(sql, operator_secret, token)
  return session && token !== undefined ? { ...session, token } : null
}

const Name = Closed({ name: OneLine(100) })

/** A name as the evidence takes it; null for what is none. */
function nameOf({ form }: PlainRequest): string | null {
  const name = (form.name ?? '').trim().replace(/\s+/g, ' ')
  if (name.length < 3) return null
  try {
    validate(Name, { name }, 'body')
    return name
  } catch {
    return null
  }
}

const NOBODYS = { account_id: null, mode: null, empresa_id: null, clock: REAL_TIME } as const
const entry = { account_id: null, mode: null, empresa: null } as const

/** Every try is counted and told to the audit log, which keeps nothing of what was typed. */
async function signIn(parts: OperatorRoutesParts, request: PlainRequest): Promise<Answer> {
  const { ip, request_id, form } = request
  const { operator_secret, transactor } = parts
  const { allowed, reset_seconds } = await parts.limiter.take([windowOf('operator.sign_in', ip)])
  if (!allowed) {
    const page = operatorSignInPage('often')
    return { ...page, headers: { ...page.headers, 'Retry-After': String(reset_seconds) } }
  }
  const name = nameOf(request)
  if (operator_secret === null || !sameSecret(form.secret ?? '', operator_secret)) {
    const actor = { kind: 'anonymous', id: null, ip, request_id } as const
    const refused = { outcome: 'refused', code: 'operator_authentication_required' } as const
    await transactor.transact(NOBODYS, async (_sql, unit) =>
      unit.audit({ ...entry, action: 'operator.sign_in', subject: null, ...refused, actor }),
    )
    return operatorSignInPage('wrong', name ?? '')
  }
  if (name === null) return operatorSignInPage('name')
  const { token } = await transactor.transact(NOBODYS, async (sql, unit) => {
    const session = await openOperatorSession(sql, operator_secret, name)
    const actor = { kind: 'operator', id: session.id, ip, request_id } as const
    unit.audit({ ...entry, action: 'operator.sign_in', subject: session.id, actor })
    return session
  })
  return goTo(CERTIFICATIONS_PATH, { 'Set-Cookie': cookieOf(parts, token, RETENTION.operator_session_seconds) })
}

async function signOut(parts: OperatorRoutesParts, request: PlainRequest): Promise<Answer> {
  const session = await signedIn(parts, request)
  const { ip, request_id } = request
  if (session)
    await parts.transactor.transact(NOBODYS, async (sql, unit) => {
      await endOperatorSession(sql, session)
      const actor = { kind: 'operator', id: session.id, ip, request_id } as const
      unit.audit({ ...entry, action: 'operator.sign_out', subject: session.id, actor })
    })
  return goTo(SIGN_IN_PATH, { 'Set-Cookie': cookieOf(parts, '', 0) })
}

const NO_SECRET = asPrivate(
  messagePage('Aquí no hay operación', 'Este servicio no tiene configurado el secreto del operador.', { status: 404 }),
)

/** Where people of the operator come in and go. Without a secret that is configured nobody does. */
export function operatorSessionRoutes(parts: OperatorRoutesParts): PlainRoute[] {
  return [
    {
      path: SIGN_IN_PATH,
      answer: async (request) => {
        if (parts.operator_secret === null) return NO_SECRET
        return (await signedIn(parts, request)) ? goTo(CERTIFICATIONS_PATH) : operatorSignInPage()
      },
    },
    { path: SIGN_IN_PATH, method: 'POST', answer: (request) => signIn(parts, request) },
    { path: `${SIGN_IN_PATH}/salir`, method: 'POST', answer: (request) => signOut(parts, request) },
  ]
}
