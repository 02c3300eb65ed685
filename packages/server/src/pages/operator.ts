import type { Answer } from '../kernel/answer.ts'
import { html } from './html.ts'
import { asPrivate, pageAnswer } from './layout.ts'
import { SIGN_IN_PROBLEMS, type SignInProblem } from './operator-copy.ts'

const STATUS: Readonly<Record<SignInProblem, number>> = { wrong: 401, name: 422, ended: 401, often: 429 }

/** Where people of the operator come in. What was typed as the secret is never shown again. */
export function operatorSignInPage(problem?: SignInProblem, name = ''): Answer {
  const marks = problem === 'wrong' && html` aria-invalid="true" aria-describedby="problema"`
  const body = html`<h1>Operación</h1>
${problem && html`<div class="note" role="alert" id="problema"><p>${SIGN_IN_PROBLEMS[problem]}</p></div>`}
<p class="lead">Esta página es para el equipo que opera el servicio.</p>
<form method="post" action="/operador">
<label>Tu nombre <input name="name" autocomplete="name" maxlength="100" required value="${name}"></label>
<label>Secreto del operador <input type="password" name="secret" autocomplete="current-password" maxlength="500" required${marks}></label>
<button>Entrar</button>
</form>
<p class="soft small">Lo que hagas queda registrado con tu nombre. La sesión dura dos horas.</p>`
  const page = { title: 'Operación', lang: 'es-CL', narrow: true, small: true, body } as const
  return asPrivate(pageAnswer(page, problem ? STATUS[problem] : 200))
}
