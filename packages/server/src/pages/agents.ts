import { MODE_NAMES, type Mode } from '../catalog/modes.ts'
import type { AgentGrant } from '../domain/platform/agent-grant/schema.ts'
import type { Answer } from '../kernel/answer.ts'
import {
  AGENTS_PATH,
  type EmpresaNames,
  empresasText,
  endFact,
  endingWith,
  factList,
  STATES,
  scopesText,
  spentText,
  usedText,
  WHAT_ENDS,
  whoIs,
} from './agent-grant.ts'
import { MODE_CARDS } from './consent-copy.ts'
import { type Html, html } from './html.ts'
import { asPrivate, pageAnswer } from './layout.ts'

// Where a person looks after the agents they let in: Chilean Spanish, no script, opening a page ends nothing.

/** Asks for the password of the account, and leads on to the agent that was asked for. */
export function agentsLoginPage(
  to: string | null,
  problem?: { readonly text: string; readonly status: number; readonly email?: string },
): Answer {
  const body = html`<h1>Tus agentes</h1>
${problem && html`<div class="note" role="alert"><p>${problem.text}</p></div>`}
<p class="lead">Entra con tu cuenta para ver qué agentes tienen acceso, qué hicieron y quitárselo.</p>
<form method="post" action="${AGENTS_PATH}">
${to !== null && html`<input type="hidden" name="agente" value="${to}">`}
<label>Correo <input type="email" name="email" autocomplete="username" maxlength="254" required value="${problem?.email}"></label>
<label>Contraseña <input type="password" name="password" autocomplete="current-password" maxlength="200" required></label>
<button>Entrar</button>
</form>
<p class="soft small"><a href="/recuperar">¿Olvidaste tu contraseña?</a> La sesión dura una hora y solo sirve aquí.</p>`
  const page = { title: 'Tus agentes', lang: 'es-CL', narrow: true, small: true, body } as const
  return asPrivate(pageAnswer(page, problem?.status ?? 200))
}

/** The agents of one mode, as far as this page shows them. */
export interface AgentsOfMode {
  readonly mode: Mode
  readonly data: readonly AgentGrant[]
  readonly next_cursor: string | null
}

export interface AgentsView {
  readonly email: string
  readonly lists: readonly AgentsOfMode[]
  readonly names: EmpresaNames
  /** Whether those that ended are among them. */
  readonly all: boolean
}

function card(grant: AgentGrant, names: EmpresaNames): Html {
  const path = `${AGENTS_PATH}/${grant.id}`
  const active = grant.status === 'active'
  return html`<article class="paper" aria-labelledby="${grant.id}">
<h3 class="from" id="${grant.id}"><a href="${path}"><bdi>${grant.client.name}</bdi></a></h3>
${STATES[grant.status]}
${factList([
  ['Empresas', empresasText(grant, names)],
  [active ? 'Puede' : 'Podía', scopesText(grant)],
  ...(active ? [['Usado hoy', spentText(grant)] as const] : []),
  ['Última vez', usedText(grant)],
  endFact(grant),
])}
<p class="decide"><a class="button quiet" href="${path}">Ver qué hizo</a>${active && html`<a class="button" href="${path}/quitar">Quitar acceso</a>`}</p>
</article>`
}

/** The address of a list, by what it is narrowed to. */
function addressOf(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? AGENTS_PATH : `${AGENTS_PATH}?${text}`
}

function section({ mode, data, next_cursor }: AgentsOfMode, { names, all }: AgentsView): Html {
  const more = next_cursor && addressOf({ ...(all && { todos: 'si' }), modo: mode, desde: next_cursor })
  return html`<h2>${MODE_CARDS[mode].title}</h2>
${data.length === 0 && html`<p class="soft">${all ? 'Aquí no ha habido ningún agente.' : 'Ningún agente tiene acceso aquí.'}</p>`}
${data.map((grant) => card(grant, names))}
${more && html`<p><a class="button quiet" href="${more}">Ver los siguientes</a></p>`}`
}

/** Whether there is nobody, as far as both modes tell: a list of one says nothing of the other. */
const isEmpty = ({ lists }: AgentsView) =>
  lists.length === MODE_NAMES.length && lists.every(({ data }) => data.length === 0)

/** What the list is, in a sentence, also where there is nobody on it. */
function lead(view: AgentsView): Html {
  const none = isEmpty(view)
  if (view.all) {
    const who = none ? 'Nunca le diste acceso a un agente.' : 'Están todos, también los que ya no tienen acceso.'
    return html`${who} <a href="${AGENTS_PATH}">Ver solo los que lo tienen</a>`
  }
  const who = none ? 'Ningún agente tiene acceso a tu cuenta.' : 'Estos agentes tienen acceso a tu cuenta.'
  return html`${who} <a href="${addressOf({ todos: 'si' })}">Ver también los que ya no lo tienen</a>`
}

/** Every agent of the account: who it is, where, what it may still do, and the way to end it. */
export function agentsPage(view: AgentsView): Answer {
  const { email, lists } = view
  const whole = lists.length === MODE_NAMES.length
  const body = html`<h1>Tus agentes</h1>
<form class="acts" method="post" action="${AGENTS_PATH}/salir"><p class="soft">Entraste como <bdi>${email}</bdi>.</p><button class="quiet">Salir</button></form>
<p>${lead(view)}${!whole && html` · <a href="${AGENTS_PATH}">Volver al comienzo</a>`}</p>
${!isEmpty(view) && lists.map((list) => section(list, view))}`
  return asPrivate(pageAnswer({ title: 'Tus agentes', lang: 'es-CL', narrow: true, body }))
}

/** Asks once more before an agent is cut off; the button does it. */
export function endAgentPage(grant: AgentGrant): Answer {
  const path = `${AGENTS_PATH}/${grant.id}`
  const title = '¿Quitarle el acceso?'
  const body = html`<h1>${title}</h1>
${whoIs(grant)}
<p>${WHAT_ENDS}</p>
${endingWith(grant)}
<p>No se deshace: si más adelante lo quieres de vuelta, tendrás que autorizarlo otra vez.</p>
<form method="post" action="${path}/quitar"><div class="decide"><button>Sí, quitárselo</button><a class="button quiet" href="${path}">No, volver</a></div></form>`
  return asPrivate(pageAnswer({ title, lang: 'es-CL', narrow: true, body }))
}
