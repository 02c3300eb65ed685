import { printedRut } from '@timbre/dte/values'
import type { Mode } from '../catalog/modes.ts'
import {
  asksFirst,
  dayOf,
  limitFacts,
  MODE_WORDS,
  makingWords,
  pesosOf,
  SCOPE_WORDS,
} from '../domain/platform/agent-grant/copy.ts'
import type { AgentGrant } from '../domain/platform/agent-grant/schema.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ActsView, actsSection } from './agent-acts.ts'
import { UNVERIFIED } from './consent-copy.ts'
import { type Html, html } from './html.ts'
import { asPrivate, pageAnswer } from './layout.ts'

// Read by the person who let an agent in: from the letter that said so, or from the list of their agents.

export const AGENTS_PATH = '/agentes'

/** The names of the empresas of an account: the same RUT may go by another name in the other mode. */
export type EmpresaNames = Readonly<Partial<Record<Mode, ReadonlyMap<string, string>>>>

export const STATES: Readonly<Record<AgentGrant['status'], Html>> = {
  active: html`<p class="state good">Tiene acceso</p>`,
  // Not always by the person: a stolen token that is used twice ends it too, and so does the agent itself.
  revoked: html`<p class="state bad">Ya no tiene acceso: se le quitó</p>`,
  expired: html`<p class="state bad">Ya no tiene acceso: venció</p>`,
}

const MOST_EMPRESAS = 10

export function empresasText({ empresas, mode }: AgentGrant, names: EmpresaNames = {}): string {
  if (empresas.includes('*')) return 'todas, también las que crees después'
  const known = empresas.slice(0, MOST_EMPRESAS).map((rut) => {
    const name = names[mode]?.get(rut)
    return name === undefined ? printedRut(rut) : `${name} (${printedRut(rut)})`
  })
  const more = empresas.length - known.length
  return known.join(', ') + (more > 0 ? ` y ${more} más` : '')
}

/** What it used of its cap today, and what is left of it. */
export function spentText({ spent_today, limits, status }: AgentGrant): string {
  const cap = limits.max_clp_per_day
  if (status !== 'active' || cap === null) return pesosOf(spent_today)
  return `${pesosOf(spent_today)}; le quedan ${pesosOf(Math.max(0, cap - spent_today))}`
}

export const usedText = ({ last_used_at }: AgentGrant) =>
  last_used_at === null ? 'todavía nunca' : dayOf(new Date(last_used_at))

/** When it ends, or did. */
export function endFact({ status, expires_at, revoked_at }: AgentGrant): readonly [string, string] {
  if (status === 'revoked') return ['Terminó el', dayOf(new Date(revoked_at ?? expires_at))]
  return [status === 'expired' ? 'Venció el' : 'Vence el', dayOf(new Date(expires_at))]
}

export const scopesText = ({ scopes }: AgentGrant) => scopes.map((scope) => SCOPE_WORDS[scope].title).join('; ')

export const factList = (facts: readonly (readonly [string, string])[]) =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

function facts(grant: AgentGrant, names?: EmpresaNames): readonly (readonly [string, string])[] {
  return [
    ['Dónde', MODE_WORDS[grant.mode]],
    ['Empresas', empresasText(grant, names)],
    ['Puede', scopesText(grant)],
    ...limitFacts(grant.limits),
    ['Usado hoy', spentText(grant)],
    ['Pregunta primero', asksFirst(grant)],
    ['Última vez', usedText(grant)],
    ['Desde el', dayOf(new Date(grant.created_at))],
    endFact(grant),
  ]
}

const fateOf = ({ act, ends_with_grant }: AgentGrant['made']['newest'][number], status: AgentGrant['status']) => {
  if (act === 'deleted') return 'revisa si te falta'
  if (!ends_with_grant) return 'sigue: revísalo, y cámbialo o bórralo si no lo quieres'
  return status === 'active' ? 'termina al quitarle el acceso' : 'ya no funciona'
}

/** What the agent left behind that works without it, and which of it ends with its access. */
function makings({ made, status }: AgentGrant): Html | false {
  if (made.total === 0) return false
  const more = made.total - made.newest.length
  return html`<h2>Lo que dejó creado o cambiado</h2>
<ul>${made.newest.map(
    (making) =>
      html`<li><bdi>${makingWords(making)}</bdi> <span class="soft small">${dayOf(new Date(making.created_at))} · ${fateOf(making, status)}</span></li>`,
  )}${more > 0 && html`<li class="soft">y ${more} más</li>`}</ul>`
}

/** Names what stops with an agent, for whoever is about to end it; what stays is not named. */
export function endingWith({ made }: AgentGrant): Html | false {
  const ending = made.newest.filter(({ ends_with_grant }) => ends_with_grant)
  if (ending.length === 0) return false
  const more = made.total > made.newest.length
  return html`<p>Estos avisos y enlaces dejan de funcionar:</p>
<ul>${ending.map((making) => html`<li><bdi>${makingWords(making)}</bdi></li>`)}${more && html`<li class="soft">y lo que creó antes de eso</li>`}</ul>`
}

export const whoIs = ({ client }: AgentGrant) => html`<div class="agent"><p class="name"><bdi>${client.name}</bdi></p>
<p class="soft small">${UNVERIFIED} Volvió a <strong>${client.host}</strong>.</p></div>`

export const WHAT_ENDS =
  'Deja de funcionar al instante, en medio de lo que esté haciendo, y con él los avisos y enlaces que creó. Lo que ya emitió sigue su curso.'

/** Shows what an agent may do, with one button to revoke it, to whoever holds the link of the letter. */
export function agentGrantPage(grant: AgentGrant, slug: string, title = 'El acceso de un agente'): Answer {
  const body = html`<h1>${title}</h1>
${whoIs(grant)}
${STATES[grant.status]}
${factList(facts(grant))}
${makings(grant)}
${
  grant.status === 'active' &&
  html`<form method="post" action="${AGENTS_PATH}/${slug}"><button>Quitarle el acceso</button></form>
<p class="soft small">${WHAT_ENDS}</p>`
}
<p><a href="${AGENTS_PATH}/${grant.id}">Entra a tu cuenta</a> para ver qué hizo, o <a href="${AGENTS_PATH}">todos tus agentes</a>.</p>`
  return pageAnswer({ title, lang: 'es-CL', narrow: true, body })
}

export interface OwnAgentView {
  readonly grant: AgentGrant
  readonly acts: ActsView
  readonly names: EmpresaNames
  /** Whether it was ended a moment ago. */
  readonly ended: boolean
}

/** Everything about one agent, to the person who is signed in: what it did, what it may still do, and its end. */
export function ownAgentPage({ grant, acts, names, ended }: OwnAgentView): Answer {
  const path = `${AGENTS_PATH}/${grant.id}`
  const title = ended ? 'Listo, ya no tiene acceso' : 'Un agente tuyo'
  const body = html`<p class="small"><a href="${AGENTS_PATH}">Tus agentes</a></p>
<h1>${title}</h1>
${whoIs(grant)}
${STATES[grant.status]}
${grant.status === 'active' && html`<p><a class="button" href="${path}/quitar">Quitarle el acceso</a></p>`}
<h2>${grant.status === 'active' ? 'Lo que puede hacer' : 'Lo que podía hacer'}</h2>
${factList(facts(grant, names))}
${actsSection(acts, path)}
${makings(grant)}`
  return asPrivate(pageAnswer({ title, lang: 'es-CL', narrow: true, body }))
}
