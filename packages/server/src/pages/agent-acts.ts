import { pesos, printedRut } from '@timbre/dte/values'
import { actWords } from '../domain/platform/agent-grant/act-copy.ts'
import type { ActsPage } from '../domain/platform/agent-grant/acts.ts'
import { refusalWords } from '../domain/platform/agent-grant/refusal-copy.ts'
import { dayAndHour } from '../domain/platform/subscription/copy.ts'
import { type Html, html } from './html.ts'

/** What an agent did, with the names of the documents it did it to, by their ids. */
export interface ActsView extends ActsPage {
  readonly names: ReadonlyMap<string, { readonly name: string; readonly total: number }>
}

function actLine(act: ActsPage['acts'][number], { names }: ActsView): Html {
  const { verb, what } = actWords(act)
  const known = names.get(act.subject ?? '')
  const amount = act.amount ?? known?.total ?? null
  const at = html`<time datetime="${act.created_at.toISOString()}">${dayAndHour(act.created_at)}</time>`
  const whose = act.empresa_rut && html` · empresa ${printedRut(act.empresa_rut)}`
  const refused =
    act.outcome === 'refused' &&
    html`<span class="refused small">No pasó: ${refusalWords(act)}${act.times > 1 && ` (${act.times} veces)`}.</span>`
  return html`<li><span>${verb} <bdi>${known?.name ?? what}</bdi>${refused}<span class="soft small">${at}${whose}</span></span>
${amount !== null && html`<span class="num">${pesos(amount)}</span>`}</li>`
}

/** Its last acts, and those it was refused. */
export function actsSection(view: ActsView, path: string): Html {
  const { acts, next } = view
  if (acts.length === 0)
    return html`<h2>Lo que hizo</h2><p class="soft">Todavía no hizo ni intentó nada. Lo que solo miró no se anota.</p>`
  return html`<h2>Lo que hizo</h2>
<ul class="lines did">${acts.map((act) => actLine(act, view))}</ul>
<p class="soft small">Lo que solo miró no se anota.</p>
${next && html`<p><a class="button quiet" href="${path}?antes=${next}">Ver lo anterior</a></p>`}`
}
