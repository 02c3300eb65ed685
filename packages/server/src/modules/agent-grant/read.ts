import { systemNow } from '../../kernel/clock.ts'
import type { AccountContext, AccountScope } from '../../kernel/context.ts'
import { type ListPage, type PageInput, pageById } from '../../kernel/cursor.ts'
import type { Sql } from '../../kernel/db.ts'
import { Problem } from '../../kernel/problem.ts'
import type { AgentGrant } from './schema.ts'
import { showGrant } from './show.ts'
import { findGrant, listGrants } from './store.ts'
import { grantDay } from './today.ts'

/** The same for whoever was admitted to this one grant alone. */
export async function readOwnGrant(sql: Sql, owner: AccountScope, id: string, now: number): Promise<AgentGrant> {
  const row = await findGrant(sql, owner, id, grantDay())
  if (!row) throw new Problem('agent_grant_not_found')
  return showGrant(row, row.spent_today, now)
}

export async function readGrant(ctx: AccountContext, { grant_id }: { grant_id: string }): Promise<AgentGrant> {
  return readOwnGrant(ctx.sql, ctx.account, grant_id, systemNow())
}

/** Those of the mode, newest first; what ended stays as a record. */
export async function listAgentGrants(ctx: AccountContext, input: PageInput): Promise<ListPage<AgentGrant>> {
  const today = grantDay()
  const fetch = (page: { before: string | null; take: number }) => listGrants(ctx.sql, ctx.account, { today, ...page })
  const now = systemNow()
  return pageById('agent_grants', ctx.account, input, fetch, (row) => showGrant(row, row.spent_today, now))
}
