import { part } from '../../../kernel/db.ts'
import { idFloor } from '../../../kernel/id.ts'
import { laneOf } from '../../../kernel/queue.ts'
import type { FanOut } from '../../../kernel/unit-of-work.ts'
import { deliverWebhook } from './jobs.ts'

// Half of an id is time, half is random. Hexadecimal digits are within its alphabet.
const RANDOM_CHARS = 16
const random = part`left(replace(gen_random_uuid()::text, '-', ''), ${RANDOM_CHARS}::integer)`

/**
 * Writes a delivery and its job for each enabled endpoint that wants an event, in the statement that writes the event:
 * there is no moment at which an event exists and its deliveries do not. A ping goes only to the endpoint pinged.
 */
export const fanOut: FanOut = (events, { created_at, due_at, run_at }) => {
  const head = (kind: 'webhook_delivery' | 'job') => idFloor(kind, created_at).slice(0, -RANDOM_CHARS)
  const { name, pool, max_attempts } = deliverWebhook
  return [
    part`deliveries as (
      insert into webhook_delivery (account_id, mode, endpoint_id, id, event_id, event_type, empresa_rut, trigger,
        next_attempt_at, created_at)
      select v.account_id, v.mode, e.id, ${head('webhook_delivery')}::text || ${random}, v.id, v.type, v.empresa_rut,
        'automatic', ${due_at}::timestamptz, ${due_at}::timestamptz
      from ${events} v
      join webhook_endpoint e on e.account_id = v.account_id and e.mode = v.mode and e.status = 'enabled'
      where v.type <> 'ping'
        and (e.empresas = '{*}' or v.empresa_rut = any(e.empresas))
        and exists (select 1 from unnest(e.enabled_events) p
          where p in ('*', v.type) or (p like '%.*' and starts_with(v.type, left(p, -1))))
      returning id, account_id, mode, endpoint_id
    )`,
    part`delivery_jobs as (
      insert into job (id, name, account_id, mode, pool, lane, payload, due_at, run_at, max_attempts, created_at)
      select ${head('job')}::text || ${random}, ${name}::text, d.account_id, d.mode, ${pool}::text,
        ${laneOf(name, '')}::text || d.endpoint_id, json_build_object('delivery_id', d.id, 'endpoint_id', d.endpoint_id),
        ${due_at}::timestamptz, ${run_at}::timestamptz, ${max_attempts}::integer, ${created_at}::timestamptz
      from deliveries d
    )`,
  ]
}
