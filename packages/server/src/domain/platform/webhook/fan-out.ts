import { listed, part } from '../../../kernel/db.ts'
import { type FanOut, rememberQuiet } from '../../../kernel/listeners.ts'
import { insertJobsFrom, newIdAt } from '../../../kernel/unit-of-work-sql.ts'
import { grantStands } from '../agent-grant/sql.ts'
import { deliverWebhook } from './jobs.ts'

/**
 * Writes a delivery and its job for each enabled endpoint that wants an event, in the statement that writes the event:
 * there is no moment at which an event exists and its deliveries do not. A ping goes only to the endpoint pinged.
 */
const deliver: FanOut['deliver'] = (events, when) => {
  const { created_at, due_at } = when
  const jobs = insertJobsFrom({
    job: deliverWebhook,
    rows: part`deliveries`,
    account_id: part`s.account_id`,
    mode: part`s.mode`,
    lane: part`s.endpoint_id`,
    payload: part`json_build_object('delivery_id', s.id, 'endpoint_id', s.endpoint_id)`,
    when,
  })
  const parts = [
    part`deliveries as (
      insert into webhook_delivery (account_id, mode, endpoint_id, id, event_id, event_type, empresa_rut, trigger,
        next_attempt_at, created_at)
      select v.account_id, v.mode, e.id, ${newIdAt('webhook_delivery', created_at)}, v.id, v.type, v.empresa_rut,
        'automatic', ${due_at}::timestamptz, ${due_at}::timestamptz
      from ${events} v
      join webhook_endpoint e on e.account_id = v.account_id and e.mode = v.mode and e.status = 'enabled'
      where v.type <> 'ping' and ${grantStands(part`e.id`)}
        and (e.empresas = '{*}' or v.empresa_rut = any(e.empresas))
        and exists (select 1 from unnest(e.enabled_events) p
          where p in ('*', v.type) or (p like '%.*' and starts_with(v.type, left(p, -1))))
      returning id, account_id, mode, endpoint_id
    )`,
    part`delivery_jobs as (${jobs})`,
  ]
  return { parts, queues: part`exists (select from deliveries)` }
}

/** Whoever is enabled listens, whichever events it wants. */
const isQuiet: FanOut['isQuiet'] = (whose) => part`not exists (
    select from (select ${listed.text(whose.map(({ account_id }) => account_id))} as account_id,
      ${listed.text(whose.map(({ mode }) => mode))} as mode) w
    join webhook_endpoint e on e.account_id = w.account_id and e.mode = w.mode and e.status = 'enabled')`

export const openFanOut = (): FanOut => ({ deliver, isQuiet, remembered: rememberQuiet() })
