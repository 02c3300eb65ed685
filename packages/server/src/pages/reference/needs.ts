import { HEADERS } from '../../catalog/headers.ts'
import { BUCKETS, CEILINGS } from '../../catalog/limits.ts'
import { namesEmpresa, type Operation } from '../../domain/operation.ts'
import { sizeText } from '../../kernel/json.ts'
import { type Html, html } from '../html.ts'

const KEY = html`API key, or a session on <code>/dashboard</code>`
const WHO: Readonly<Record<Operation['reach'], Html>> = {
  public: html`none`,
  account: KEY,
  empresa: KEY,
  session: html`account session`,
  operator: html`operator secret`,
  operator_account: html`operator secret`,
  installation: html`operator secret`,
}

/** What a call says of the empresa it is about. */
function empresaRule(operation: Operation): Html | null {
  const header = html`<code>${HEADERS.empresa}</code>`
  if (operation.reach === 'account') return html`${header} is refused: the call is about the account`
  if (operation.reach !== 'empresa') return null
  return namesEmpresa(operation)
    ? html`named by the path; ${header} may be left out, and must not name another`
    : html`${header} with its RUT, unless the key is limited to exactly one empresa`
}

function idempotency({ idempotent }: Operation): Html | null {
  const key = html`<a href="/docs#idempotency"><code>${HEADERS.idempotency_key}</code></a>`
  if (idempotent === 'required') return html`${key} <span class="stop">required</span>`
  return idempotent === 'optional' ? html`${key}, so that a repetition is safe` : null
}

function rate({ limit }: Operation): Html | null {
  if (limit === undefined) return null
  const { max, window_seconds } = BUCKETS[limit]
  const window = window_seconds === 1 ? 'second' : window_seconds === 60 ? 'minute' : `${window_seconds} s`
  return html`<a href="/docs/limits">${max} in any ${window}</a>, beside the general one`
}

/** What a call has to bring, a line each; what it need not is left out. */
export function needs(operation: Operation): Html {
  const { scope, reach, dashboard, body, body_bytes, sunset } = operation
  const who = dashboard || !['account', 'empresa'].includes(reach) ? WHO[reach] : html`API key`
  const rows: readonly (readonly [string, Html | null | false])[] = [
    ['Credential', operation.root_only ? html`root key, or a session on <code>/dashboard</code>` : who],
    ['Scope', scope !== undefined && html`<a href="/docs#scopes"><code>${scope}</code></a>`],
    ['Empresa', empresaRule(operation)],
    ['Repeating', idempotency(operation)],
    ['Limit', rate(operation)],
    ['Body', body !== undefined && body_bytes !== CEILINGS.json_body_bytes && html`at most ${sizeText(body_bytes)}`],
    ['Mode', operation.test_only && html`test mode only`],
    ['Goes away', sunset !== undefined && html`<span class="stop">on ${sunset.slice(0, 10)}</span>`],
  ]
  return html`<dl class="needs">${rows.map(([name, value]) => value && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}
