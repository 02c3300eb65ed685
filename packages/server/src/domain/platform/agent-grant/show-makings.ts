import type { Sql } from '../../../kernel/db.ts'
import type { AgentGrant, AgentMaking } from './schema.ts'
import { listMakings, type MakingKind, type MakingRow } from './store.ts'

const SHOWN = 20

export const NOTHING_MADE: AgentGrant['made'] = { total: 0, newest: [] }

/** Whether it stops when the grant ends. Of a connection only its page does, while no person linked the bank by it. */
const ENDS: Readonly<Record<MakingKind, boolean>> = {
  webhook_endpoint: true,
  public_link: true,
  connection: false,
  counterparty_contact: false,
}

function showMaking({ kind, subject_id, label, created_at }: MakingRow): AgentMaking {
  return {
    object: kind,
    id: subject_id,
    label,
    ends_with_grant: ENDS[kind],
    created_at: created_at.toISOString(),
  }
}

/** What each of some grants made, by the id of the grant. */
export async function readMakings(
  sql: Sql,
  grant_ids: readonly string[],
): Promise<(grant_id: string) => AgentGrant['made']> {
  const rows = await listMakings(sql, grant_ids, SHOWN)
  return (grant_id) => {
    const own = rows.filter((row) => row.grant_id === grant_id)
    return own[0] ? { total: own[0].total, newest: own.map(showMaking) } : NOTHING_MADE
  }
}
