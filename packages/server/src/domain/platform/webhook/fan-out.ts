import { listed, part } from '../../../kernel/db.ts'
import { type FanOut, rememberQuiet } from '../../../kernel/listeners.ts'
import { insertJobsFrom, newIdAt } from '../../../kernel/unit-of-work-sql.ts'
import { grantStands } from '../agent-grant/sql.ts'
import { deliverWebhook, TOGETHER } from './jobs.ts'

/** Of what one endpoint is owed by a statement of so many events: which of its jobs a delivery belongs to is told by these bits of a hash. */
export function partsMask(events: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, events / TOGETHER))) - 1
}

/**
 * Writes a delivery for each enabled endpoint that wants an event, and the jobs that send them, in the statement that writes the event:
 * there is no moment at which an event exists and its deliveries do not. What a statement owes to one endpoint is one job, or several
 * where it is much. A ping goes only to the endpoint pinged.
 */
const deliver: FanOut['deliver'] = (events, count, when) => {
  const { created_at, due_at } = when
  const jobs = insertJobsFrom({
    job: deliverWebhook,
    rows: part`(select account_id, mode, endpoint_id, json_agg(id) as ids from deliveries
      group by account_id, mode, endpoint_id, hashtext(id) & ${partsMask(count)}::integer)`,
    account_id: part`s.account_id`,
    mode: part`s.mode`,
    lane: part`s.endpoint_id`,
    payload: part`json_build_object('endpoint_id', s.endpoint_id, 'delivery_ids', s.ids)`,
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
    part`delivery_jobs as (${jobs} returning account_id, lane)`,
  ]
  return { parts, lanes: part`(select json_object_agg(j.lane, j.account_id) from delivery_jobs j)` }
}

/** Whoever is enabled listens, whichever events it wants. */
const isQuiet: FanOut['isQuiet'] = (whose) => part`not exists (
    select from (select ${listed.text(whose.map(({ account_id }) => account_id))} as account_id,
      ${listed.text(whose.map(({ mode }) => mode))} as mode) w
    join webhook_endpoint e on e.account_id = w.account_id and e.mode = w.mode and e.status = 'enabled')`

export const openFanOut = (): FanOut => ({ deliver, pool: deliverWebhook.pool, isQuiet, remembered: rememberQuiet() })
