import { HEADERS } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import { RETENTION } from '../catalog/retention.ts'
import { SCOPE_NAMES, SCOPES } from '../catalog/scopes.ts'
import type { Addresses } from '../ports/ports.ts'
import { table } from './docs-layout.ts'
import { type Html, html } from './html.ts'

const hours = (seconds: number) => `${seconds / 3600} hours`

function scopeTable(): Html {
  return table(
    ['Scope', 'Grants', 'How it is given'],
    SCOPE_NAMES.map((scope) => {
      const { grants, cold_start, root_only } = SCOPES[scope]
      const how = root_only ? 'root keys only' : cold_start ? 'given at registration' : 'asked for explicitly'
      return html`<tr><td><code>${scope}</code></td><td>${grants}</td><td class="soft">${how}</td></tr>`
    }),
  )
}

/** The rules of every operation, once before the list of them. */
export function conventions({ base_url, public_url }: Addresses): Html {
  return html`<section id="conventions"><h2>Conventions</h2>
<dl class="facts">
<dt>Base address</dt><dd><code>${base_url}</code>; paths under <code>/account</code> stand on <code>${public_url}</code></dd>
<dt>Credential</dt><dd><code>Authorization: Bearer sk_test_…</code> or <code>sk_live_…</code>: the prefix decides the mode. A logged-in person uses the session token on <code>/dashboard/…</code>, with the mode in <code>${HEADERS.mode}</code></dd>
<dt>Empresa</dt><dd>Calls on one empresa name it by RUT in <code>${HEADERS.empresa}</code>, unless the path names it or the key is limited to exactly one (the key of a registration reaches all, however many there are). Calls on the account refuse the header. Each operation says which it is</dd>
<dt>Amounts</dt><dd>Whole pesos (CLP). Unit prices may carry ${CEILINGS.unit_price_decimals} decimals</dd>
<dt>Time</dt><dd>Timestamps are RFC 3339 in UTC; civil dates are those of America/Santiago</dd>
<dt>RUT</dt><dd><code>########-D</code>: no dots, upper-case K, right check digit</dd>
<dt>Unknown input</dt><dd>A field or query parameter that does not exist is refused by name, never ignored. New response fields may appear at any time: ignore what you do not know</dd>
</dl>
<h3 id="idempotency">Repeating a request safely</h3>
<p>Send an <code>${HEADERS.idempotency_key}</code> with every POST. For ${hours(RETENTION.idempotency_seconds)} the same key with the same body gives the same answer, marked <code>${HEADERS.idempotent_replay}: true</code>; with another body it is <a href="/docs/errors/idempotency_key_reused">refused</a>. A refusal (4xx) does not use the key up, and a failure of ours (5xx) is safe to repeat with it. After a timeout, repeat with the same key, never with a new one.</p>
<h3 id="lists">Lists</h3>
<p>A list answers <code>data</code>, <code>has_more</code> and <code>next_cursor</code>. Pass the cursor back as <code>cursor</code>, with the same filters. Pages hold ${CEILINGS.list_default} unless <code>limit</code> says otherwise, at most ${CEILINGS.list_max}.</p>
<h3 id="headers">Headers of every answer</h3>
<p><code>${HEADERS.request_id}</code> names the call: quote it when you ask for help. Authenticated answers carry <code>${HEADERS.rate_limit}</code>, <code>${HEADERS.rate_remaining}</code> and <code>${HEADERS.rate_reset}</code> of the <a href="/docs/limits">tightest limit</a>. <code>${HEADERS.retry_after}</code> comes with every refusal that can work later, and <code>${HEADERS.poll_after}</code> with what is still on its way.</p>
<h3 id="scopes">Scopes</h3>
${scopeTable()}
</section>`
}
