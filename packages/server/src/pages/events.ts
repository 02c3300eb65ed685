import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import { DELIVERY_HEADERS } from '../catalog/headers.ts'
import { CEILINGS, WEBHOOK_SCHEDULE_SECONDS, WEBHOOKS } from '../catalog/limits.ts'
import { MODE_NAMES } from '../catalog/modes.ts'
import { RETENTION } from '../catalog/retention.ts'
import { docsPage, table, titleOf } from './docs-layout.ts'
import { type Html, html, prose } from './html.ts'

const EXAMPLE = {
  id: 'evt_…',
  object: 'event',
  type: 'document.accepted',
  api_version: 'v1',
  mode: 'test',
  created_at: '2026-03-02T14:00:00.000Z',
  empresa: { id: 'emp_…', rut: '76192083-9' },
  data: { object: { object: 'document', id: 'doc_…', status: 'accepted' }, previous_attributes: { status: 'sent' } },
}

const LOOP = `after = load_checkpoint()
loop:
  page = GET /v1/events?after={after}
  for event in page.data: handle(event); after = event.id
  after = page.next_cursor ?? after
  save_checkpoint(after)
  if not page.has_more: wait a while`

function groups() {
  const names = [...new Set(EVENT_TYPES.map((type) => EVENTS[type].group))]
  return names.map((group) => {
    const rows = EVENT_TYPES.filter((type) => EVENTS[type].group === group).map((type) => {
      const { when, object, updates } = EVENTS[type]
      return html`<tr id="${type}"><td><a class="anchor" href="#${type}"><code>${type}</code></a></td><td>${prose(when)}</td><td><code>${object}</code></td><td>${updates && 'yes'}</td></tr>`
    })
    return html`<h2 id="${group}">${titleOf(group)}</h2>${table(['Type', 'When', 'data.object', 'previous_attributes'], rows)}`
  })
}

function waitOf(seconds: number): string {
  if (seconds === 0) return 'at once'
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
}

/** How an event reaches an endpoint: what a receiver must check, and what becomes of what it does not take. */
function deliveriesSection(): Html {
  const headers = DELIVERY_HEADERS.map(
    ({ name, says }) => html`<tr><td><code>${name}</code></td><td>${prose(says)}</td></tr>`,
  )
  const schedule = MODE_NAMES.map((mode) => {
    const waits = WEBHOOK_SCHEDULE_SECONDS[mode].map(waitOf).join(', ')
    return html`<tr><td><code>${mode}</code></td><td>${waits}</td></tr>`
  })
  return html`<h2 id="deliveries">Deliveries</h2>
<p>A <a href="/docs/reference/webhook_endpoints#webhook_endpoints.create">webhook endpoint</a> is sent each event it asked for as a <code>POST</code> of this very JSON, at least once and in no order. <a href="/docs/guides/webhooks">Receiving webhooks</a> shows how to check it, in code.</p>
${table(['Header', 'What it holds'], headers)}
<p>Any <code>2xx</code> within ${WEBHOOKS.answer_ms / 1000} seconds is a success. A redirect is not followed, <code>410</code> disables the endpoint, and <code>429</code> and <code>503</code> may ask for time with <code>Retry-After</code>. Anything else is tried again after these waits, each give or take a tenth:</p>
${table(['Mode', 'Waits'], schedule)}
<p>With those you <a href="/docs/reference/webhook_endpoints#webhook_endpoints.deliveries.retry">ask for</a>, an event is tried at most ${CEILINGS.delivery_attempts} times at an endpoint. One that took nothing for ${WEBHOOKS.give_up_after_days} days, in ${WEBHOOKS.give_up_after_failures} attempts or more at several events, is disabled.</p>`
}

export function eventsPage() {
  const body = html`<h1>Events</h1>
<p class="lead">Everything that happens to an account is written to its ledger, in the same transaction as the change itself, and kept for ${RETENTION.event_months} months.</p>
<p><code>data.object</code> is the resource as a GET showed it at that moment; <code>data.previous_attributes</code> holds what the changed fields used to be.</p>
<pre tabindex="0"><code>${JSON.stringify(EXAMPLE, null, 2)}</code></pre>
<h2 id="reading">Reading without missing one</h2>
<p><code>GET /v1/events</code> answers newest first. With <code>after</code>, an event id or a forward cursor, it reads oldest first from there and never skips an event that was still being written when you looked. Deduplicate on <code>id</code>.</p>
<pre tabindex="0"><code>${LOOP}</code></pre>
${deliveriesSection()}
${groups()}`
  return docsPage('/docs/events', { title: 'Events', description: 'Every event type of the Timbre API.', body })
}
