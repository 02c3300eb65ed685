import { RETENTION } from '../catalog/retention.ts'
import { findAccountEmail } from '../domain/platform/account/lookup.ts'
import type { PlainRequest } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import { AGENTS_PATH } from '../pages/agent-grant.ts'
import type { OauthParts } from './transact.ts'

const COOKIE = 'timbre_agentes'
/** Three parts of base64url, as a session token is written, and nothing else. */
const TOKEN = /(?:^|; )timbre_agentes=([\w-]{1,200}\.[\w-]{1,500}\.[\w-]{1,200})(?:;|$)/

/** A session of these pages opens nothing else, whoever gets hold of it. */
export const SERVES = 'agent_pages'

/** Who is signed in at the pages of their agents. */
export interface Person {
  readonly token: string
  readonly serves: typeof SERVES
  readonly account_id: string
  readonly email: string
}

/** Sent back to these pages alone, and by no form of another site; to no script. */
function cookieOf({ addresses }: OauthParts, token: string, seconds: number): string {
  const secure = addresses.public_url.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${token}; Path=${AGENTS_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

export const sessionCookie = (parts: OauthParts, token: string) => cookieOf(parts, token, RETENTION.session_seconds)
export const noCookie = (parts: OauthParts) => cookieOf(parts, '', 0)

/** The person whose session a browser brings; null for a stranger and for a session that ended. */
export async function signedIn({ db, ports }: OauthParts, { header }: PlainRequest): Promise<Person | null> {
  const token = TOKEN.exec(header('cookie') ?? '')?.[1]
  const session = token === undefined ? null : await ports.sessions.read(db.sql, token, SERVES)
  if (!session || token === undefined) return null
  const account = await findAccountEmail(db.sql, session.account_id)
  return account && { token, serves: SERVES, account_id: session.account_id, email: account.email }
}

export const goTo = (address: string, headers: Record<string, string> = {}): Answer => ({
  status: 303,
  headers: { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', ...headers },
  body: null,
})
