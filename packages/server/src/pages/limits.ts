import { BODIES, BUCKETS, type BucketName, CEILINGS, EMAIL_BUCKETS, ONBOARDING_LETTERS } from '../catalog/limits.ts'
import { RETENTION } from '../catalog/retention.ts'
import type { Operation } from '../domain/operation.ts'
import { sizeText } from '../kernel/json.ts'
import { docsPage, table, titleOf } from './docs-layout.ts'
import { type Html, html } from './html.ts'
import { addressOf } from './reference/resources.ts'

const COUNTED_BY = {
  credential: 'key or session, in each mode',
  credential_and_empresa: 'key or session, and empresa',
  account: 'account',
  ip: 'IP address',
  email_and_network: 'e-mail address and network',
  email_elsewhere: 'e-mail address, from networks not usual for it',
  link: 'link',
} as const

function window(seconds: number): string {
  if (seconds === 1) return 'second'
  if (seconds === 60) return 'minute'
  return seconds === 3600 ? 'hour' : `${seconds} s`
}

/** The route of a bucket that no operation names. */
const OTHER_ROUTES: Partial<Record<BucketName, string>> = {
  public_link: 'GET /d/{slug}',
  rut_claim: 'POST /rut/{slug}',
  'operator.sign_in': 'POST /operador',
  'oauth.register': 'POST /oauth/register',
  'oauth.authorize': 'GET /oauth/authorize',
  'oauth.token': 'POST /oauth/token',
}

function where(name: BucketName, operations: readonly Operation[]): Html {
  if (name === 'general') return html`every authenticated call`
  const own = operations.filter(({ id, limit }) =>
    [limit, EMAIL_BUCKETS[id]?.own, EMAIL_BUCKETS[id]?.elsewhere].includes(name),
  )
  if (own.length === 0) return html`<code>${OTHER_ROUTES[name] ?? name}</code>`
  return html`${own.map((operation, i) => html`${i > 0 && html`<br>`}<a href="${addressOf(operation)}"><code>${operation.method} ${operation.path}</code></a>`)}`
}

function rates(operations: readonly Operation[]): Html {
  const rows = (Object.keys(BUCKETS) as BucketName[]).map((name) => {
    const { max, window_seconds, counted_by } = BUCKETS[name]
    return html`<tr><td>${where(name, operations)}</td><td class="num">${max}</td><td>sliding ${window(window_seconds)}</td><td>${COUNTED_BY[counted_by]}</td></tr>`
  })
  return table(['Calls', 'At most', 'In any', 'Counted by'], rows)
}

const UNITS: readonly (readonly [suffix: string, show: (value: number) => string])[] = [
  ['_bytes', (value) => (value >= 1024 * 1024 ? `${value / 1024 / 1024} MiB` : `${value / 1024} KiB`)],
  ['_chars', (value) => `${value} characters`],
  ['_seconds', waitOf],
  ['_days', (value) => many(value, 'day')],
  ['_months', (value) => many(value, 'month')],
  ['_years', (value) => many(value, 'year')],
]

function waitOf(seconds: number): string {
  if (seconds % 3600 === 0) return many(seconds / 3600, 'hour')
  return seconds % 60 === 0 ? many(seconds / 60, 'minute') : many(seconds, 'second')
}

function many(value: number, unit: string): string {
  return `${value} ${unit}${value === 1 ? '' : 's'}`
}

/** Operations whose bodies may be larger than the usual one, largest first. */
function bodies(operations: readonly Operation[]): Html {
  const larger = operations.filter(({ body, body_bytes }) => body && body_bytes !== CEILINGS.json_body_bytes)
  const rows = larger
    .toSorted((a, b) => b.body_bytes - a.body_bytes)
    .map(
      (operation) =>
        html`<tr><td><a href="${addressOf(operation)}"><code>${operation.method} ${operation.path}</code></a></td><td class="num">${sizeText(operation.body_bytes)}</td></tr>`,
    )
  return table(['Body of', 'At most'], rows)
}

/** Figures to compute with, which limit nobody. */
const NO_LIMIT: readonly string[] = ['uf_pesos', 'ignored_body_bytes']

/** The unit is in the name of the constant, so a new one needs no word here. */
function limitRow(name: string, value: number): Html {
  const [suffix, show] = UNITS.find(([ending]) => name.endsWith(ending)) ?? ['', (plain: number) => String(plain)]
  return html`<tr><td>${titleOf(name.slice(0, name.length - suffix.length))}</td><td class="num">${show(value)}</td></tr>`
}

export function limitsPage(operations: readonly Operation[]) {
  const body = html`<h1>Limits</h1>
<p class="lead">Windows slide and are counted exactly: there is no burst allowance and nothing is ever lost, only refused with <a href="/docs/errors/rate_limited"><code>429</code></a> and a <code>Retry-After</code>.</p>
<p>The limits are the same in test and live mode. They are starting values and can be raised on request.</p>
<h2 id="rates">Rates</h2>${rates(operations)}
<p>A network is an IPv4 address or the /64 of an IPv6 one. It is usual for an e-mail address when its account was opened, first confirmed, logged in to or given a password by mail from there in the last ${RETENTION.usual_network_days} days: what others try elsewhere never keeps it out. Over all other networks only logins that fail are counted.</p>
<h2 id="sizes">Sizes</h2>${table(
    ['What', 'At most'],
    Object.entries(CEILINGS)
      .filter(([name]) => !NO_LIMIT.includes(name))
      .map(([name, value]) => limitRow(name, value)),
  )}
<p>A body is refused with <a href="/docs/errors/payload_too_large"><code>413</code></a> above ${sizeText(CEILINGS.json_body_bytes)}, but for these:</p>${bodies(operations)}
<p>The bodies of an account that are being sent or answered may have ${sizeText(BODIES.accounts.owner_bytes)} together, and those of an address without a credential ${sizeText(BODIES.strangers.owner_bytes)}; one that does not tell its length counts as the longest its operation takes. Those up to ${sizeText(BODIES.small_bytes)} are counted apart from longer ones, and nobody takes more than leaves twice as much to others. Beyond that, or while we hold too much of everybody's, the answer is a <code>429</code> or a <code>503</code> with a <code>Retry-After</code>. A body is cut off with <a href="/docs/errors/request_timeout"><code>408</code></a> when nothing of it comes for ${String(BODIES.stalled_seconds)} seconds, and when it takes longer than that and a second more for every ${sizeText(BODIES.bytes_per_second)}.</p>
<p>A letter about an onboarding goes at most ${String(ONBOARDING_LETTERS.to_one_mailbox)} times in 24 hours to one mailbox, over all accounts, and at most ${String(ONBOARDING_LETTERS.to_others_of_one_account)} times for one account to mailboxes that are not its own. What exceeds it is written the next day.</p>
<h2 id="retention">How long things are kept</h2>${table(
    ['What', 'For'],
    Object.entries(RETENTION).map(([name, value]) => limitRow(name, value)),
  )}`
  return docsPage('/docs/limits', {
    title: 'Limits',
    description: 'Rates, sizes and retention of the Timbre API.',
    body,
  })
}
