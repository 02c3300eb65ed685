import type { PlainRequest } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'

/** A login that was refused, in words for the person. */
export interface LoginRefused {
  readonly refused: { readonly text: string; readonly status: number }
}

function refusalOf({ status, body }: Answer): LoginRefused['refused'] {
  const { message } = JSON.parse(body ?? '{}') as { message?: string }
  return { text: message ?? 'No pudimos iniciar tu sesión. Inténtalo otra vez.', status }
}

/** Opens a session by the login operation, with its throttles and its entry in the audit log. */
export async function openSession({
  form,
  callOperation,
}: Pick<PlainRequest, 'form' | 'callOperation'>): Promise<{ readonly token: string } | LoginRefused> {
  const answer = await callOperation('account.login', { email: form.email ?? '', password: form.password ?? '' })
  if (answer.status !== 200) return { refused: refusalOf(answer) }
  return JSON.parse(answer.body ?? '{}').data as { token: string }
}
