import { docsSheet } from './docs-script.ts'
import { type Html, html } from './html.ts'
import { type Page, pageAnswer } from './layout.ts'

/** The header's links: their addresses, and what they are called by whoever reads English or Spanish. */
const LINKS = [
  { href: '/docs', en: 'Reference', es: 'Referencia' },
  { href: '/docs/guides', en: 'Guides', es: 'Guías', spanish_href: '/docs/es/guides' },
  { href: '/docs/errors', en: 'Errors', es: 'Errores' },
  { href: '/docs/events', en: 'Events', es: 'Eventos' },
  { href: '/docs/limits', en: 'Limits', es: 'Límites' },
  { href: '/changelog', en: 'Changelog', es: 'Cambios' },
]

function navOf(here: string, lang: Page['lang']) {
  return LINKS.map(({ href, en, es, spanish_href = href }) => {
    const own = lang === 'es-CL' ? { href: spanish_href, label: es } : { href, label: en }
    return { ...own, here: own.href === here }
  })
}

const FOOTER = html`<a href="/openapi/v1.yaml">OpenAPI, main API</a>
<a href="/openapi/bootstrap.yaml">OpenAPI, accounts</a>
<a href="/openapi/postman.json">Postman</a>
<a href="/docs/versioning">Versioning</a>
<a href="/changelog.rss">RSS</a>
<a href="/llms.txt">llms.txt</a>`

/** What needs the script is hidden until the script is there. */
function toolsIn(lang: Page['lang']): Html {
  const [search, dark] = lang === 'es-CL' ? ['Buscar', 'Oscuro'] : ['Search', 'Dark']
  return html`<div class="tools"><button type="button" data-find hidden>${search}<kbd>/</kbd></button>
<button type="button" data-theme-switch hidden>${dark}</button></div>
`
}

interface DocsPage extends Omit<Page, 'nav' | 'footer' | 'tools' | 'sheet'> {
  /** Links at the left of a wide screen, above the text of a narrow one. */
  readonly side?: Html
}

/** A page of the documentation: the same header, the same footer, and the place the reader is in marked. */
export function docsPage(here: string, { side, body, ...page }: DocsPage, status?: number) {
  const nav = navOf(here, page.lang)
  const whole = side
    ? html`<div class="shell">${side}<div class="page" id="content">${body}</div></div>`
    : html`<div id="content">${body}</div>`
  return pageAnswer(
    { ...page, body: whole, nav, tools: toolsIn(page.lang), footer: FOOTER, sheet: docsSheet() },
    status,
  )
}

/** A table that scrolls sideways on a narrow screen instead of breaking the page. */
export function table(columns: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="table" tabindex="0"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** `api_keys` -> `API keys`. */
export function titleOf(words: string): string {
  const text = words.replaceAll('_', ' ').replace(/\b(api|rcv|f29|caf|iva|json)s?\b/gi, (word) => {
    return word.endsWith('s') ? `${word.slice(0, -1).toUpperCase()}s` : word.toUpperCase()
  })
  return text.charAt(0).toUpperCase() + text.slice(1)
}
