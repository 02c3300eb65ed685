import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { endGrant } from './end.ts'
import { findGrant } from './store.ts'
import { grantDay } from './today.ts'

/** The agent is cut off with the commit, in the midst of whatever it was doing. */
export async function revokeGrant(ctx: AccountContext, { grant_id }: { grant_id: string }): Promise<null> {
  if (!(await findGrant(ctx.sql, ctx.account, grant_id, grantDay()))) throw new Problem('agent_grant_not_found')
  await endGrant(ctx, grant_id)
  return null
}
