import { DELIVERY_HEADERS } from '../catalog/headers.ts'
import { CEILINGS, WEBHOOK_SCHEDULE_SECONDS, WEBHOOKS } from '../catalog/limits.ts'
import { MODE_NAMES } from '../catalog/modes.ts'
import { type Html, html, prose } from './html.ts'
import { table } from './site.ts'

function waitOf(seconds: number): string {
  if (seconds === 0) return 'at once'
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
}

/** How an event reaches an endpoint: what a receiver must check, and what becomes of what it does not take. */
export function deliveriesSection(): Html {
  const headers = DELIVERY_HEADERS.map(
    ({ name, says }) => html`<tr><td><code>${name}</code></td><td>${prose(says)}</td></tr>`,
  )
  const schedule = MODE_NAMES.map((mode) => {
    const waits = WEBHOOK_SCHEDULE_SECONDS[mode].map(waitOf).join(', ')
    return html`<tr><td><code>${mode}</code></td><td>${waits}</td></tr>`
  })
  return html`<h2>Deliveries</h2>
<p>A <a href="/docs#webhook_endpoints.create">webhook endpoint</a> is sent each event it asked for as a <code>POST</code> of this very JSON, at least once and in no order. <a href="/docs/guides/webhooks">Receiving webhooks</a> shows how to check it, in code.</p>
${table(['Header', 'What it holds'], headers)}
<p>Any <code>2xx</code> within ${WEBHOOKS.answer_ms / 1000} seconds is a success. A redirect is not followed, <code>410</code> disables the endpoint, and <code>429</code> and <code>503</code> may ask for time with <code>Retry-After</code>. Anything else is tried again after these waits, each give or take a tenth:</p>
${table(['Mode', 'Waits'], schedule)}
<p>With those you <a href="/docs#webhook_endpoints.deliveries.retry">ask for</a>, an event is tried at most ${CEILINGS.delivery_attempts} times at an endpoint. One that took nothing for ${WEBHOOKS.give_up_after_days} days, in ${WEBHOOKS.give_up_after_failures} attempts or more at several events, is disabled.</p>`
}
