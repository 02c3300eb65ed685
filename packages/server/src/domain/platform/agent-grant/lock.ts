import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Caller } from '../../../kernel/scope.ts'

/**
 * What an agent changes, it changes while its grant stands: ending a grant waits for what is under way, and whoever was
 * let in a moment before and comes later finds it ended. Once a person is told that it ended, nothing more of it lands.
 */
export async function lockGrant(sql: Sql, caller: Caller | undefined): Promise<void> {
  if (caller?.kind !== 'agent') return
  const rows = await sql`
    select 1 from agent_grant
    where id = ${caller.credential_id} and revoked_at is null and expires_at > ${new Date(systemNow())} for share`
  if (rows.length === 0) throw new Problem('invalid_access_token')
}
