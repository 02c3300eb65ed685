import type { Sql } from '../../../kernel/db.ts'
import type { AgentGrant, AgentMaking } from './schema.ts'
import { type LeftRow, listLeft } from './store.ts'

const SHOWN = 20

export const NOTHING_MADE: AgentGrant['made'] = { total: 0, newest: [] }

/** Whether it stops when the grant ends. Of a connection only its page does, while no person linked the bank by it. */
const ENDS: readonly LeftRow['object'][] = ['webhook_endpoint', 'public_link']

function showMaking({ object, subject_id, label, act, fields, answers, created_at }: LeftRow): AgentMaking {
  return {
    object,
    id: subject_id,
    label,
    act,
    fields: [...fields],
    ends_with_grant: answers && act !== 'deleted' && ENDS.includes(object),
    created_at: created_at.toISOString(),
  }
}

/** What each of some grants made, by the id of the grant. */
export async function readMakings(
  sql: Sql,
  grant_ids: readonly string[],
): Promise<(grant_id: string) => AgentGrant['made']> {
  const rows = await listLeft(sql, grant_ids, SHOWN)
  return (grant_id) => {
    const own = rows.filter((row) => row.grant_id === grant_id)
    return own[0] ? { total: own[0].total, newest: own.map(showMaking) } : NOTHING_MADE
  }
}
