import type { Disowned, Recovery, RestoredEmail } from '../../domain/platform/account/schema.ts'
import type { Answer } from '../../kernel/answer.ts'
import {
  changeEmailPage,
  confirmEmailPage,
  disownedPage,
  forgotPasswordPage,
  messagePage,
  newPasswordPage,
  REQUEST_NEW_LINK,
  recoveredPage,
  restoredEmailPage,
  restoreEmailPage,
} from '../../pages/account.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'

const BROKEN = messagePage(
  'El enlace está incompleto',
  'Abre el enlace tal como viene en el correo, o cópialo entero en tu navegador.',
  { status: 400 },
)

interface Outcome {
  readonly status: number
  readonly message: string
  readonly code: string | null
  readonly headers: Answer['headers']
  readonly data: unknown
}

/** The operation's answer, with the words it has for a person. */
function outcomeOf({ status, body, headers }: Answer): Outcome {
  const read = JSON.parse(body ?? '{}') as { message: string; errors: readonly string[]; data: unknown }
  return { status, message: read.message, data: read.data, headers, code: read.errors[0] ?? null }
}

/** A page carries the status and the Retry-After of its operation. */
function withOutcome(page: Answer, { status, headers }: Outcome): Answer {
  return { ...page, status, headers: { ...headers, ...page.headers } }
}

function withToken(show: (token: string) => Answer): PlainRoute['answer'] {
  return ({ query }) => (typeof query.token === 'string' && query.token !== '' ? show(query.token) : BROKEN)
}

async function confirmEmail({ form, callOperation }: PlainRequest): Promise<Answer> {
  const outcome = outcomeOf(await callOperation('account.verify_email', { token: form.token ?? '' }))
  if (outcome.code === null)
    return messagePage(
      'Correo confirmado',
      'Listo, gracias. Si estabas trabajando en Timbre, entra otra vez con tu contraseña.',
    )
  return withOutcome(messagePage('No pudimos confirmar tu correo', outcome.message), outcome)
}

async function disown({ form, callOperation }: PlainRequest): Promise<Answer> {
  const outcome = outcomeOf(await callOperation('account.disown', { token: form.token ?? '' }))
  if (outcome.code === null) return disownedPage(outcome.message, outcome.data as Disowned)
  return withOutcome(messagePage('No pudimos cerrar esa cuenta', outcome.message), outcome)
}

async function setPassword({ form, callOperation }: PlainRequest): Promise<Answer> {
  const { token = '', password = '', repeated } = form
  if (password !== repeated) {
    return newPasswordPage(token, { text: 'Las dos contraseñas no son iguales. Escríbelas otra vez.', status: 400 })
  }
  const outcome = outcomeOf(await callOperation('account.reset_password', { token, password }))
  if (outcome.code === null) return recoveredPage(outcome.message, outcome.data as Recovery)
  const { message: text, status, code } = outcome
  if (code !== 'invalid_link') return withOutcome(newPasswordPage(token, { text, status }), outcome)
  return messagePage('El enlace ya no sirve', text, { status, action: REQUEST_NEW_LINK })
}

async function restoreEmail({ form, callOperation }: PlainRequest): Promise<Answer> {
  const outcome = outcomeOf(await callOperation('account.restore_email', { token: form.token ?? '' }))
  if (outcome.code === null) return restoredEmailPage(outcome.data as RestoredEmail)
  return withOutcome(messagePage('No pudimos recuperar tu correo', outcome.message), outcome)
}

async function sendLink({ form, callOperation }: PlainRequest): Promise<Answer> {
  const outcome = outcomeOf(await callOperation('account.forgot_password', { email: form.email ?? '' }))
  if (outcome.code === null) return messagePage('Revisa tu correo', outcome.message)
  return withOutcome(forgotPasswordPage({ text: outcome.message, status: outcome.status }), outcome)
}

/** The pages that our letters link to: a browser is enough to finish what a letter began. */
export function accountRoutes(): PlainRoute[] {
  return [
    { path: '/verificar', answer: withToken(confirmEmailPage) },
    { path: '/verificar', method: 'POST', answer: confirmEmail },
    { path: '/desconocer', method: 'POST', answer: disown },
    { path: '/nuevo-correo', answer: withToken(changeEmailPage) },
    { path: '/restablecer', answer: withToken((token) => newPasswordPage(token)) },
    { path: '/restablecer', method: 'POST', answer: setPassword },
    { path: '/restaurar', answer: withToken(restoreEmailPage) },
    { path: '/restaurar', method: 'POST', answer: restoreEmail },
    { path: '/recuperar', answer: () => forgotPasswordPage() },
    { path: '/recuperar', method: 'POST', answer: sendLink },
  ]
}
