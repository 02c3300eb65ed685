import { randomInt } from 'node:crypto'
import { checkDigit, formatRut, printedRut } from '@timbre/dte/values'
import type { Addresses } from '../ports/ports.ts'
import { docsPage } from './docs-layout.ts'
import { html } from './html.ts'

/** A RUT for one reader: an empresa is unique in its mode, so an example that everybody pastes works only once. */
function sampleRut(): string {
  const number = randomInt(60_000_000, 99_000_000)
  return formatRut({ number, check_digit: checkDigit(number) })
}

function firstCalls({ public_url, base_url }: Addresses, rut: string) {
  const body = `{
    "email": "you@example.cl",
    "password": "a long pass phrase",
    "bootstrap": {
      "sandbox_key": {"name": "first key"},
      "empresa": {"rut": "${rut}", "legal_name": "Mi Empresa SpA"}
    }
  }`
  return html`<h2>First call</h2>
<p>One request makes an account, a test key and a sandbox empresa that can emit at once. The RUT below is made up for you.</p>
<pre tabindex="0"><code>curl -s ${public_url}/account/register \\
  -H 'Content-Type: application/json' \\
  -d '${body}'</code></pre>
<p>The secret of the key is in <code>data.api_key.secret</code>, this once. Issue a boleta with it:</p>
<pre tabindex="0"><code>export TIMBRE_KEY=sk_test_…
curl -s ${base_url}/documents \\
  -H "Authorization: Bearer $TIMBRE_KEY" -H 'Svc-Empresa: ${rut}' \\
  -H 'Idempotency-Key: boleta-1' -H 'Content-Type: application/json' \\
  -d '{"tipo_dte": 39, "items": [{"description": "Café", "quantity": 1, "unit_price": 1990}]}'</code></pre>
<p>A second later <code>GET ${base_url}/documents/{id}</code> says <code>accepted</code>, and its PDF and signed XML are there.</p>
<p>The answer to the first call also carries <code>data.next</code>: the request to make after it, ready to be filled in.</p>`
}

const LINK_CARDS = html`<h2>Where to go</h2>
<ul class="cards">
<li><a href="/docs">Reference</a><p>Every operation: what it takes, what it answers, which scope it needs.</p></li>
<li><a href="/docs/errors">Errors</a><p>Every code, what it means and whether a retry can help.</p></li>
<li><a href="/docs/events">Events</a><p>What the ledger records, and how to read it without missing one.</p></li>
<li><a href="/docs/limits">Limits</a><p>Rates, sizes and how long things are kept.</p></li>
<li><a href="/docs/guides">Guides</a><p>How to test against the sandbox, and how to build with agents.</p></li>
<li><a href="/docs/guides/agents">Agents</a><p>Every operation as a tool over MCP, with consent, limits and two steps. <a href="/llms.txt">llms.txt</a></p></li>
<li><a href="/openapi/v1.yaml">OpenAPI 3.1</a><p>The contract the service validates with. Also as <a href="/openapi/v1.json">JSON</a>.</p></li>
<li><a href="/changelog">Changelog</a><p>What changed, dated, with a feed.</p></li>
</ul>`

export function landingPage(addresses: Addresses) {
  const rut = sampleRut()
  const body = html`<div class="hero"><div>
<h1>Electronic invoicing for Chile, as an API</h1>
<p class="lead">Electronic tax documents (DTE) before the SII, for many taxpayers under one account. A test key works in a sandbox, a live key is for the SII. In test mode a document is numbered, stamped, signed and accepted about a second after you post it, and a signed webhook tells you.</p>
</div>
<div class="stamp" aria-hidden="true"><span>R.U.T.: ${printedRut(rut)}</span><span>FACTURA ELECTRÓNICA</span><span>Nº 1</span></div></div>
${firstCalls(addresses, rut)}
${LINK_CARDS}`
  return docsPage('/', {
    title: 'Timbre',
    description: 'Issue, receive and track Chilean electronic tax documents (DTE) over HTTP.',
    body,
  })
}
