import {
  dayOf,
  limitFacts,
  MODE_WORDS,
  makingWords,
  pesosOf,
  SCOPE_WORDS,
} from '../domain/platform/agent-grant/copy.ts'
import type { AgentGrant } from '../domain/platform/agent-grant/schema.ts'
import type { Answer } from '../kernel/answer.ts'
import { UNVERIFIED } from './consent-copy.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './layout.ts'

// Read by the person who let an agent in, from the letter that said so.

const STATES: Readonly<Record<AgentGrant['status'], Html>> = {
  active: html`<p class="state good">Tiene acceso</p>`,
  // Not always by the person: a stolen token that is used twice ends it too, and so does the agent itself.
  revoked: html`<p class="state bad">Ya no tiene acceso: se le quitó</p>`,
  expired: html`<p class="state bad">Ya no tiene acceso: venció</p>`,
}

function facts(grant: AgentGrant): readonly (readonly [string, string])[] {
  const { limits, scopes, empresas } = grant
  const used = grant.last_used_at === null ? 'todavía nunca' : dayOf(new Date(grant.last_used_at))
  return [
    ['Dónde', MODE_WORDS[grant.mode]],
    ['Empresas', empresas.includes('*') ? 'todas' : empresas.join(', ')],
    ['Puede', scopes.map((scope) => SCOPE_WORDS[scope].title).join('; ')],
    ...limitFacts(limits),
    ['Confirma antes de actuar', grant.two_steps ? 'sí' : 'no'],
    ['Usado hoy', pesosOf(grant.spent_today)],
    ['Última vez', used],
    ['Vence el', dayOf(new Date(grant.expires_at))],
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
  return html`<h2>Lo que creó o cambió</h2>
<ul>${made.newest.map(
    (making) =>
      html`<li>${makingWords(making)} <span class="soft small">${dayOf(new Date(making.created_at))} · ${fateOf(making, status)}</span></li>`,
  )}${more > 0 && html`<li class="soft">y ${more} más</li>`}</ul>`
}

/** Shows what an agent may do, with one button to revoke it. */
export function agentGrantPage(grant: AgentGrant, slug: string, title = 'El acceso de un agente'): Answer {
  const body = html`<h1>${title}</h1>
<div class="agent"><p class="name">${grant.client.name}</p>
<p class="soft small">${UNVERIFIED} Volvió a <strong>${grant.client.host}</strong>.</p></div>
${STATES[grant.status]}
<dl class="facts">${facts(grant).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${makings(grant)}
${
  grant.status === 'active' &&
  html`<form method="post" action="/agentes/${slug}"><button>Quitarle el acceso</button></form>
<p class="soft small">Deja de funcionar al instante, en medio de lo que esté haciendo, y con él los avisos y enlaces que creó. Lo que ya emitió sigue su curso.</p>`
}`
  return pageAnswer({ title, lang: 'es-CL', narrow: true, body })
}
