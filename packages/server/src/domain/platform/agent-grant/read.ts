import { systemNow } from '../../../kernel/clock.ts'
import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { AccountContext } from '../../context.ts'
import type { AgentGrant, GrantQuery } from './schema.ts'
import { onClockSetting, showGrant } from './show.ts'
import { NOTHING_MADE, readMakings } from './show-makings.ts'
import { findGrant, grantDay, listGrants } from './store.ts'

/** One grant of an account, also for a caller admitted to this grant alone. */
export async function readGrant(sql: Sql, owner: AccountScope, id: string, now: number): Promise<AgentGrant> {
  const row = await findGrant(sql, owner, id, grantDay())
  if (!row) throw new Problem('agent_grant_not_found')
  return showGrant(row, row.spent_today, (await readMakings(sql, [id]))(id), now)
}

export async function readAgentGrant(ctx: AccountContext, { grant_id }: { grant_id: string }): Promise<AgentGrant> {
  return onClockSetting(await readGrant(ctx.sql, ctx.account, grant_id, systemNow()), ctx.clock)
}

/** Grants of the mode, newest first; those that ended stay as a record. */
export async function listAgentGrants(ctx: AccountContext, input: GrantQuery): Promise<ListPage<AgentGrant>> {
  const { status } = input
  const [today, now] = [grantDay(), systemNow()]
  const filters = { mode: ctx.account.mode, ...(status && { status }) }
  let madeBy: Awaited<ReturnType<typeof readMakings>> = () => NOTHING_MADE
  const fetch = async (page: { before: string | null; take: number }) => {
    const rows = await listGrants(ctx.sql, ctx.account, { today, now: new Date(now), status, ...page })
    madeBy = await readMakings(
      ctx.sql,
      rows.map(({ id }) => id),
    )
    return rows
  }
  return pageById(ctx, 'agent_grants', filters, input, fetch, (row) =>
    onClockSetting(showGrant(row, row.spent_today, madeBy(row.id), now), ctx.clock),
  )
}
