import type { Addresses } from '../../ports/ports.ts'
import { conventions } from '../conventions.ts'
import { docsPage } from '../docs-layout.ts'
import { type Html, html } from '../html.ts'
import { sideOf } from './resource-page.ts'
import { areasOf, type Resource } from './resources.ts'

/**
 * Each operation keeps here the anchor it had when the reference was one page: an old link finds its line, and the script goes on to
 * where it is described.
 */
function resourcePart({ key, title, path, operations }: Resource): Html {
  return html`<section><h4 id="${key}"><a href="${path}">${title}</a></h4>
<ul class="index">${operations.map(
    ({ id, method, summary }) =>
      html`<li id="${id}"><span class="verb ${method}">${method}</span><span><a href="${path}#${id}">${summary}</a></span></li>`,
  )}</ul></section>`
}

const START = html`<ul class="cards">
<li><a href="/docs/guides">Guides</a><p>How to do things, step by step.</p></li>
<li><a href="/docs/errors">Errors</a><p>Every code, what it means, and whether a retry can help.</p></li>
<li><a href="/docs/events">Events and webhooks</a><p>What is told, when, and how to miss nothing.</p></li>
<li><a href="/openapi/v1.json">Contract</a><p>OpenAPI 3.1 as <a href="/openapi/v1.json">JSON</a> or <a href="/openapi/v1.yaml">YAML</a>, and a <a href="/openapi/postman.json">Postman collection</a>.</p></li>
</ul>`

/** The way in: what every call obeys, and every operation by name. */
export function referencePage(resources: readonly Resource[], addresses: Addresses) {
  const count = resources.reduce((sum, { operations }) => sum + operations.length, 0)
  const body = html`<h1>Reference</h1>
<p class="lead">${count} operations on ${resources.length} pages. Each is described by the very table the service routes, validates and documents its contract from.</p>
${START}
${conventions(addresses)}
<h2 id="operations">Every operation</h2>
${areasOf(resources).map(
  (area) => html`<h3 id="${area.title.toLowerCase().replaceAll(' ', '_')}">${area.title}</h3>
<div class="areas">${area.resources.map(resourcePart)}</div>`,
)}`
  return docsPage('/docs', {
    title: 'Reference',
    description: 'Every operation of the Timbre API.',
    side: sideOf(resources, null),
    body,
  })
}
