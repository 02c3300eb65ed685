import { MODE_NAMES, type Mode } from '../catalog/modes.ts'
import { dayOf, MODE_WORDS, pesosOf, WHAT_GOES_OVER } from '../domain/platform/agent-grant/copy.ts'
import type { GrantRow } from '../domain/platform/agent-grant/show.ts'
import type { Answer } from '../kernel/answer.ts'
import { messagePage } from './account.ts'
import { AGENTS_PATH } from './agent-grant.ts'
import { UNVERIFIED } from './consent-copy.ts'
import {
  type ConsentFields,
  empresaFields,
  FINE_STYLE,
  limitFields,
  modeFields,
  scopeFields,
} from './consent-fields.ts'
import { CONSENT_STYLE } from './consent-style.ts'
import { type Html, html } from './html.ts'
import { pageAnswer, sheetOf } from './layout.ts'
import { STYLE } from './style.ts'

// Read by the person who answers for the company: Chilean Spanish, no script, everything that is given in plain sight.

/** The agent that asks for access. Its name is its own word, which nobody verified. */
export interface RequestingAgent {
  readonly client_id: string
  readonly client_name: string
  readonly redirect_uri: string
  readonly path: string
}

type EarlierGrant = Pick<GrantRow, 'mode' | 'max_clp_per_document' | 'max_clp_per_day' | 'two_steps' | 'expires_at'>

interface FormProblem {
  readonly text: string
  readonly status: number
}

export interface ConsentView extends ConsentFields {
  /** What the agent may do today, which the decision replaces. */
  readonly earlier: readonly EarlierGrant[]
  readonly agent: RequestingAgent
  readonly problem?: FormProblem
}

/** The CSP source of an address. CSP cannot spell an IPv6 host, so its scheme stands for it. */
function sourceOf({ protocol, hostname, origin }: URL): string {
  return hostname.startsWith('[') ? protocol : origin
}

const SHEET = sheetOf(`${STYLE}${CONSENT_STYLE}${FINE_STYLE}`)

/** The answer to the form leads back to the client, and browsers hold redirects of a form to its policy too. */
function agentPage({ redirect_uri }: RequestingAgent, title: string, body: Html, status = 200): Answer {
  const { headers, ...answer } = pageAnswer({ title, lang: 'es-CL', narrow: true, sheet: SHEET, body }, status)
  const policy = headers['Content-Security-Policy'] ?? ''
  const allowed = policy.replace("form-action 'self'", `form-action 'self' ${sourceOf(new URL(redirect_uri))}`)
  return { ...answer, headers: { ...headers, 'Content-Security-Policy': allowed, 'Cache-Control': 'no-store' } }
}

const alert = (problem: FormProblem | undefined) =>
  problem && html`<div class="note" role="alert"><p>${problem.text}</p></div>`

function who({ client_name, redirect_uri }: RequestingAgent, email?: string): Html {
  return html`<div class="agent"><p class="name"><bdi>${client_name}</bdi></p>
<p class="soft small">${UNVERIFIED} Al terminar vuelves a <strong>${new URL(redirect_uri).host}</strong>.${email && html` Tu cuenta: <strong>${email}</strong>.`}</p></div>`
}

const REFUSE = html`<button class="quiet" name="decision" value="refuse" formnovalidate>Rechazar</button>`

export function loginPage(agent: RequestingAgent, problem?: FormProblem & { readonly email: string }): Answer {
  const body = html`<h1>Un agente pide acceso a tu cuenta</h1>
${alert(problem)}
${who(agent)}
<p>Para decidir qué puede hacer, primero entra con tu cuenta de Timbre.</p>
<form method="post" action="${agent.path}">
<label>Correo <input type="email" name="email" autocomplete="username" maxlength="254" required value="${problem?.email}"></label>
<label>Contraseña <input type="password" name="password" autocomplete="current-password" maxlength="200" required></label>
<div class="decide"><button name="decision" value="login">Entrar</button>${REFUSE}</div>
</form>
<p class="soft small"><a href="/recuperar">¿Olvidaste tu contraseña?</a> El agente nunca la ve.</p>`
  return agentPage(agent, 'Un agente pide acceso', body, problem?.status)
}

const earlierLine = (grant: EarlierGrant) => {
  const limits = `${pesosOf(grant.max_clp_per_document)} por documento y ${pesosOf(grant.max_clp_per_day)} por día`
  return html`<li>${limits}, ${grant.two_steps ? 'preguntando antes' : 'sin preguntar antes'}; vence el ${dayOf(grant.expires_at)}</li>`
}

/** Says what the decision takes the place of, in the mode that is chosen. */
function earlierNote({ earlier }: ConsentView, mode: Mode): Html | false {
  const of = earlier.filter((grant) => grant.mode === mode)
  if (of.length === 0) return false
  return html`<div class="note of-${mode}"><p>Este agente ya tiene acceso en ${MODE_WORDS[mode]}:</p>
<ul>${of.map(earlierLine)}</ul>
<p>Si autorizas, esto lo reemplaza. ${WHAT_GOES_OVER}</p></div>`
}

const LETTER_FOLLOWS = 'Te enviaremos un correo con lo que autorizaste.'
// No letter goes to an address that is not confirmed, so none is promised.
const NO_LETTER = 'Confirma tu correo para que te avisemos cada vez que un agente recibe acceso.'

/** Everything the agent would get: in bundles, with the finer choice folded beneath them. */
export function consentPage(view: ConsentView): Answer {
  const { agent, choices, problem } = view
  const body = html`<h1>¿Le das acceso?</h1>
${alert(problem)}
${who(agent, choices.email)}
<form method="post" action="${agent.path}" class="consent">
${modeFields(view)}
${MODE_NAMES.map((mode) => earlierNote(view, mode))}
${MODE_NAMES.map((mode) => empresaFields(view, mode))}
${scopeFields(view)}
${limitFields(view)}
<div class="decide"><button name="decision" value="allow">Autorizar</button>${REFUSE}</div>
</form>
<p class="soft small">Se lo quitas cuando quieras en <a href="${AGENTS_PATH}" target="_blank" rel="noopener">tus agentes</a>. ${choices.email_verified ? LETTER_FOLLOWS : NO_LETTER}</p>`
  return agentPage(agent, 'Un agente pide acceso', body, problem?.status)
}

/** A request that cannot go on: expired, answered, or not the one this browser was given. */
export function consentErrorPage(status: number): Answer {
  if (status >= 500) {
    const text = 'Algo falló de nuestro lado. Vuelve al agente e inténtalo otra vez en un momento.'
    return messagePage('No pudimos seguir', text, { status })
  }
  if (status === 429) {
    const text =
      'Llegaron muchas solicitudes seguidas desde tu conexión. Espera un minuto y vuelve a cargar esta página.'
    return messagePage('Espera un momento', text, { status })
  }
  const text =
    'Puede que haya vencido, que ya la hayas respondido o que el agente la haya hecho mal. Vuelve al agente y empieza de nuevo.'
  return messagePage('Esta solicitud no sirve', text, { status })
}
