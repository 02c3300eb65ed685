import { HOUR_SECONDS } from '../../../catalog/time.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import { idFloor, newId } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'

/** One act of an agent, or one that it was refused. */
export interface AgentActRow {
  readonly id: string
  readonly empresa_rut: string | null
  readonly operation: string
  readonly outcome: 'done' | 'refused'
  readonly code: string | null
  readonly exceeded: string | null
  readonly subject: string | null
  readonly amount: number | null
  readonly times: number
  readonly created_at: Date
}

export type NewAct = Omit<AgentActRow, 'id' | 'times'> & AccountScope & { readonly grant_id: string }

/** `when` ends the select: nothing, or the condition under which anything is written. */
function actRow(act: NewAct, when: Fragment): Fragment {
  return part`
    insert into agent_act (id, account_id, mode, grant_id, empresa_rut, operation, outcome, code, exceeded, subject, amount,
      created_at)
    select ${newId('agent_act')}::text, ${act.account_id}::text, ${act.mode}::text, ${act.grant_id}::text,
      ${act.empresa_rut}::text, ${act.operation}::text, ${act.outcome}::text, ${act.code}::text, ${act.exceeded}::text,
      ${act.subject}::text, ${act.amount}::bigint, ${act.created_at}::timestamptz
    ${when}`
}

export async function insertAct(sql: Sql, act: NewAct): Promise<void> {
  await sql`${actRow(act, nothing)}`
}

/** The same refusal once more, where it is the newest thing that the grant did within the hour; or else a row of its own. */
export async function insertRefusal(sql: Sql, act: NewAct): Promise<void> {
  const since = idFloor('agent_act', secondsFrom(new Date(systemNow()), -HOUR_SECONDS))
  await sql`
    with again as (
      update agent_act a set times = a.times + 1, created_at = ${act.created_at}
      from (
        select id from agent_act where grant_id = ${act.grant_id} and id > ${since} order by id desc limit 1
      ) newest
      where a.id = newest.id and a.id > ${since} and a.account_id = ${act.account_id} and a.outcome = 'refused'
        and a.operation = ${act.operation} and a.code = ${act.code}
        and (a.exceeded, a.subject, a.amount, a.empresa_rut) is not distinct from
          (${act.exceeded}::text, ${act.subject}::text, ${act.amount}::bigint, ${act.empresa_rut}::text)
      returning 1
    )
    ${actRow(act, part`where not exists (select 1 from again)`)}`
}

/** Acts of a grant, newest first. */
export function listActRows(
  sql: Sql,
  { account_id, mode }: AccountScope,
  grant_id: string,
  page: { readonly before: string | null; readonly take: number },
): Promise<AgentActRow[]> {
  return sql<AgentActRow>`
    select id, empresa_rut, operation, outcome, code, exceeded, subject, amount, times, created_at from agent_act
    where account_id = ${account_id} and mode = ${mode} and grant_id = ${grant_id}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}
