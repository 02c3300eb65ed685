import { TIPO_NUMBERS, tipo } from '@timbre/dte/values'
import { MODE_NAMES, MODES, type Mode } from '../catalog/modes.ts'
import type { Scope } from '../catalog/scopes.ts'
import type { Choices } from '../domain/platform/agent-grant/consent-form.ts'
import { type ConsentDraft, DAYS, fieldOf } from '../domain/platform/agent-grant/consent-form.ts'
import { SCOPE_WORDS } from '../domain/platform/agent-grant/copy.ts'
import type { Answer } from '../kernel/answer.ts'
import { messagePage } from './account.ts'
import { DAY_WORDS, MODE_CARDS, UNVERIFIED } from './consent-copy.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './layout.ts'

// Read by the person who answers for the company: Chilean Spanish, no script, everything that is given in plain sight.

/** The agent that asks for access. Its name is its own word, which nobody verified. */
export interface RequestingAgent {
  readonly client_id: string
  readonly client_name: string
  readonly redirect_uri: string
  readonly path: string
}

interface FormProblem {
  readonly text: string
  readonly status: number
}

export interface ConsentView {
  readonly agent: RequestingAgent
  readonly scopes: readonly Scope[]
  readonly choices: Choices
  readonly draft: ConsentDraft
  readonly problem?: FormProblem
}

/** The CSP source of an address. CSP cannot spell an IPv6 host, so its scheme stands for it. */
function sourceOf({ protocol, hostname, origin }: URL): string {
  return hostname.startsWith('[') ? protocol : origin
}

/** The answer to the form leads back to the client, and browsers hold redirects of a form to its policy too. */
function agentPage({ redirect_uri }: RequestingAgent, title: string, body: Html, status = 200): Answer {
  const { headers, ...answer } = pageAnswer({ title, lang: 'es-CL', narrow: true, body }, status)
  const policy = headers['Content-Security-Policy'] ?? ''
  const allowed = policy.replace("form-action 'self'", `form-action 'self' ${sourceOf(new URL(redirect_uri))}`)
  return { ...answer, headers: { ...headers, 'Content-Security-Policy': allowed, 'Cache-Control': 'no-store' } }
}

const alert = (problem: FormProblem | undefined) =>
  problem && html`<div class="note" role="alert"><p>${problem.text}</p></div>`

function who({ client_name, redirect_uri }: RequestingAgent, email?: string): Html {
  return html`<div class="agent"><p class="name">${client_name}</p>
<p class="soft small">${UNVERIFIED} Cuando termines, tu navegador volverá a <strong>${new URL(redirect_uri).host}</strong>.</p>
${email && html`<p class="soft small">Decides con la cuenta <strong>${email}</strong>.</p>`}</div>`
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

const checked = (is: boolean) => is && html` checked`

function modeFields({ choices, draft }: ConsentView): Html {
  const card = (mode: Mode) => {
    const { title, says } = MODE_CARDS[mode]
    const blocked = MODES[mode].needs_verified_email && !choices.email_verified
    return html`<label class="card"><input type="radio" name="mode" value="${mode}" id="mode-${mode}"${checked(draft.mode === mode)}>
<span><strong>${title}</strong><span class="soft small">${says}${blocked && ' Primero confirma tu correo.'}</span></span></label>`
  }
  return html`<fieldset><legend>Dónde va a trabajar</legend><div class="pair">${MODE_NAMES.map(card)}</div></fieldset>`
}

function empresaFields({ choices, draft }: ConsentView, mode: Mode): Html {
  const own = choices.empresas.filter((empresa) => empresa.mode === mode)
  const { none, title } = MODE_CARDS[mode]
  return html`<fieldset class="of-${mode}"><legend>Con qué empresas <span class="soft">· ${title.toLowerCase()}</span></legend>
<div class="rows">
${own.length === 0 && html`<p class="soft small">${none}</p>`}
${own.map(
  ({ rut, legal_name }) =>
    html`<label class="row"><input type="checkbox" name="${fieldOf.empresa(mode, rut)}"${checked(draft.empresas[mode].includes(rut))}>
<span>${legal_name} <span class="soft small num">${rut}</span></span></label>`,
)}
<label class="row"><input type="checkbox" name="${fieldOf.all(mode)}"${checked(draft.all[mode])}>
<span>Todas <span class="soft small">también las que crees después</span></span></label>
</div></fieldset>`
}

function scopeFields({ scopes, draft }: ConsentView): Html {
  const row = (scope: Scope) => {
    const { title, says, danger } = SCOPE_WORDS[scope]
    return html`<label class="row"><input type="checkbox" class="switch" name="${fieldOf.scope(scope)}"${checked(draft.scopes.includes(scope))}>
<span><strong>${title}</strong><span class="soft small">${says}</span>${danger && html`<span class="danger small">${danger}</span>`}</span></label>`
  }
  return html`<fieldset><legend>Qué puede hacer</legend><div class="rows">${scopes.map(row)}</div></fieldset>`
}

function limitFields({ draft }: ConsentView): Html {
  const pesos = (name: 'max_clp_per_document' | 'max_clp_per_day', label: string) =>
    html`<label>${label}<input name="${name}" inputmode="numeric" maxlength="30" placeholder="Sin tope" value="${draft[name]}"></label>`
  const chip = (number: (typeof TIPO_NUMBERS)[number]) =>
    html`<label class="chip"><input type="checkbox" name="${fieldOf.tipo(number)}"${checked(draft.tipos.includes(number))}><span>${tipo(number).name.replace(' electrónica', '')}</span></label>`
  return html`<fieldset><legend>Hasta dónde</legend>
<div class="pair">${pesos('max_clp_per_document', 'Tope por documento, en pesos')}${pesos('max_clp_per_day', 'Tope por día, en pesos')}</div>
<div class="field"><span>Tipos de documento</span><div class="chips">${TIPO_NUMBERS.map(chip)}</div></div>
<label>Solo a estos receptores <span class="soft small">Un RUT por línea. Vacío: a cualquiera.</span>
<textarea name="receptores" rows="2" maxlength="8000" placeholder="76192083-9">${draft.receptores}</textarea></label>
<label>El acceso vence <select name="days">${DAYS.map((days) => html`<option value="${days}"${days === draft.days && html` selected`}>${DAY_WORDS[days]}</option>`)}</select></label>
<div class="rows"><label class="row"><input type="checkbox" class="switch" name="two_steps"${checked(draft.two_steps)}>
<span><strong>Preguntar antes de cada acto que no se deshace</strong><span class="soft small">Al emitir, declarar, ceder o aceptar,
el agente primero muestra qué va a pasar y solo sigue si se confirma.</span></span></label></div>
</fieldset>`
}

const LETTER_FOLLOWS = 'Te enviaremos un correo con lo que autorizaste.'
// No letter goes to an address that is not confirmed, so none is promised.
const NO_LETTER = 'Confirma tu correo para que te avisemos cada vez que un agente recibe acceso.'

/** Everything the agent would get, each part with its own switch. */
export function consentPage(view: ConsentView): Answer {
  const { agent, choices, problem } = view
  const body = html`<h1>¿Qué puede hacer este agente?</h1>
${alert(problem)}
${who(agent, choices.email)}
<form method="post" action="${agent.path}" class="consent">
${modeFields(view)}
${MODE_NAMES.map((mode) => empresaFields(view, mode))}
${scopeFields(view)}
${limitFields(view)}
<div class="decide"><button name="decision" value="allow">Autorizar</button>${REFUSE}</div>
</form>
<p class="soft small">Puedes quitarle el acceso cuando quieras y deja de funcionar al instante. ${choices.email_verified ? LETTER_FOLLOWS : NO_LETTER}</p>`
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
