import type { PlainRequest } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import type { SessionIdentity } from '../ports/sessions.ts'
import type { OauthParts } from './transact.ts'

/** A login that was refused, in words for the person. */
export interface LoginRefused {
  readonly refused: { readonly text: string; readonly status: number }
}

function refusalOf({ status, body }: Answer): LoginRefused['refused'] {
  const { message } = JSON.parse(body ?? '{}') as { message?: string }
  return { text: message ?? 'No pudimos iniciar tu sesión. Inténtalo otra vez.', status }
}

export interface OpenedSession {
  readonly token: string
  readonly session: SessionIdentity
}

/** Opens a session of the account by the login operation, with its throttles and its entry in the audit log. */
export async function openSession(
  { db, ports }: Pick<OauthParts, 'db' | 'ports'>,
  { form, callOperation }: Pick<PlainRequest, 'form' | 'callOperation'>,
): Promise<OpenedSession | LoginRefused> {
  const answer = await callOperation('account.login', { email: form.email ?? '', password: form.password ?? '' })
  if (answer.status !== 200) return { refused: refusalOf(answer) }
  const { token } = JSON.parse(answer.body ?? '{}').data as { token: string }
  const session = await ports.sessions.read(db.sql, token, 'account')
  return session
    ? { token, session }
    : { refused: { text: 'Tu sesión no es válida. Inténtalo otra vez.', status: 401 } }
}
