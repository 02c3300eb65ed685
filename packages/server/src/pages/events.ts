import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import { RETENTION } from '../catalog/retention.ts'
import { deliveriesSection } from './deliveries.ts'
import { html, prose } from './html.ts'
import { docsPage, table, titleOf } from './site.ts'

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
      return html`<tr id="${type}"><td><code>${type}</code></td><td>${prose(when)}</td><td><code>${object}</code></td><td>${updates && 'yes'}</td></tr>`
    })
    return html`<h2>${titleOf(group)}</h2>${table(['Type', 'When', 'data.object', 'previous_attributes'], rows)}`
  })
}

export function eventsPage() {
  const body = html`<h1>Events</h1>
<p class="lead">Everything that happens to an account is written to its ledger, in the same transaction as the change itself, and kept for ${RETENTION.event_months} months.</p>
<p><code>data.object</code> is the resource as a GET showed it at that moment; <code>data.previous_attributes</code> holds what the changed fields used to be.</p>
<pre><code>${JSON.stringify(EXAMPLE, null, 2)}</code></pre>
<h2>Reading without missing one</h2>
<p><code>GET /v1/events</code> answers newest first. With <code>after</code>, an event id or a forward cursor, it reads oldest first from there and never skips an event that was still being written when you looked. Deduplicate on <code>id</code>.</p>
<pre><code>${LOOP}</code></pre>
${deliveriesSection()}
${groups()}`
  return docsPage('/docs/events', { title: 'Events', description: 'Every event type of the Timbre API.', body })
}
