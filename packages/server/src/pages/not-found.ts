import type { Answer } from '../kernel/answer.ts'
import { closestMatches } from './closest-match.ts'
import { docsPage } from './docs-layout.ts'
import { html } from './html.ts'

const MOST = 5
const SHOWN_CHARS = 100

const lastOf = (path: string) => path.split('/').filter(Boolean).at(-1)?.split('.')[0] ?? ''

/** The pages whose address ends much like the one that was asked for. */
export function nearestPages(path: string, pages: readonly string[]): string[] {
  const by_name = new Map(pages.map((page) => [lastOf(page), page]))
  return closestMatches(lastOf(path), [...by_name.keys()].filter(Boolean), MOST).map((name) => by_name.get(name) ?? '')
}

/** No such page, for a person: a misspelt address of the documentation, or a link that was cut. Programs get the error. */
export function notFoundPage(path: string, pages: readonly string[]): Answer {
  const near = nearestPages(path, pages)
  const body = html`<h1>There is no such page</h1>
<p class="lead">Nothing is served at <code>${path.slice(0, SHOWN_CHARS)}</code>.</p>
${near.length > 0 && html`<p>Did you mean</p><ul>${near.map((page) => html`<li><a href="${page}">${page}</a></li>`)}</ul>`}
<p><a href="/docs">Reference</a>, <a href="/docs/guides">guides</a>, <a href="/docs/errors">errors</a>, or <a href="/">the beginning</a>.</p>
<p lang="es-CL" class="soft">¿Llegaste por un enlace que te enviaron? Ábrelo de nuevo completo, o pide que te lo envíen otra vez.</p>`
  return docsPage('', { title: 'No such page', narrow: true, body }, 404)
}
