import { HEADERS } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import { docsPage, table } from './docs-layout.ts'
import { type Html, html } from './html.ts'
import { addressOf } from './reference/resources.ts'

function leaving(operations: readonly Operation[]): Html {
  const rows = operations
    .filter(({ sunset }) => sunset !== undefined)
    .map(
      (operation) =>
        html`<tr><td><a href="${addressOf(operation)}"><code>${operation.method} ${operation.path}</code></a></td><td>${operation.sunset?.slice(0, 10)}</td></tr>`,
    )
  return rows.length === 0 ? html`<p>Nothing is being withdrawn today.</p>` : table(['Operation', 'Goes away on'], rows)
}

/** What an integrator may rely on for years, and how a change is announced. */
export function versioningPage(operations: readonly Operation[]) {
  const body = html`<h1>Versioning and deprecation</h1>
<p class="lead">A client written for <code>/v1</code> today keeps working. What is added does not break it, and what is withdrawn is announced twelve months before.</p>
<h2 id="additions">What may be added at any time</h2>
<ul><li>paths and operations</li><li>optional fields and query parameters of a request</li><li>fields of an answer, values of an enumeration, types of events, error codes of an operation</li></ul>
<p>Ignore what you do not recognise: a field you did not know, a status, an event. A <code>switch</code> over a status or a type needs a default. For an error code you do not know, <a href="/docs/errors">its <code>type</code></a> tells what to do.</p>
<h2 id="withdrawals">What is withdrawn</h2>
<p>Removing something, or changing what it does, takes twelve months of notice. In that time</p>
<ul><li>every answer of the operation carries <code>${HEADERS.sunset}</code> with the date it goes away (RFC 8594) and <code>${HEADERS.deprecation}</code>;</li>
<li>the contract marks it <code>deprecated</code>, and its page says when it ends;</li>
<li>the <a href="/changelog">changelog</a> has an entry, and so has its <a href="/changelog.rss">feed</a>.</li></ul>
<p>A published error code is not withdrawn without that notice either. Log the headers: a client that reports a <code>${HEADERS.sunset}</code> is never surprised by one.</p>
<h2 id="leaving">Being withdrawn today</h2>
${leaving(operations)}
<h2 id="versions">Version numbers</h2>
<p>There is one version in the path, <code>/v1</code>, and no header that selects another. Events carry <code>api_version: "v1"</code>. The contract has a number of its own, <code>info.version</code>, which follows semantic versioning: the last part changes with wording, the middle one when paths, operations or fields are added, the first only after the twelve months above. A client generated from 1.x works with every later 1.y.</p>
<p>Where the prose of these pages and the contract differ, the prose governs; tell us, for one of them is wrong.</p>`
  return docsPage('/docs/versioning', {
    title: 'Versioning',
    description: 'What stays, what may be added, and how a withdrawal from the Timbre API is announced.',
    narrow: true,
    body,
  })
}
