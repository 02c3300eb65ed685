import type { ListPage } from '../../../../kernel/cursor.ts'
import type { InstallationContext } from '../../../context.ts'
import { stepOf } from '../../../platform/onboarding/lanes.ts'
import { listUnderWay, type UnderWay } from '../../../platform/onboarding/operator/under-way.ts'
import type { CertificationUnderWay, UnderWayQuery } from './schema.ts'

function show(row: UnderWay): CertificationUnderWay {
  const { key, status, approved_at, blocked_reason } = row
  const { approval } = stepOf(key)
  const sentence = blocked_reason?.details.sentence
  return {
    object: 'certification_under_way',
    account: { id: row.account_id, name: row.account_name },
    empresa: { id: row.empresa_id, rut: row.rut, legal_name: row.legal_name },
    doc_types: row.doc_types,
    step: key,
    status,
    since: row.since.toISOString(),
    waits_for: row.waits_for,
    role: (status === 'action_required' && approved_at === null && approval?.role) || null,
    execution: row.execution,
    taken_by: row.taken_by,
    taken_at: row.taken_at?.toISOString() ?? null,
    why: row.handed_over?.why ?? null,
    blocked_reason,
    words: typeof sentence === 'string' ? sentence : null,
    next_look_at: row.next_poll_at?.toISOString() ?? null,
    acts: [...row.acts],
    version: row.version,
  }
}

/** Every certification under way, whosever it is: what waits for people first. */
export function listCertifications(
  ctx: InstallationContext,
  query: UnderWayQuery,
): Promise<ListPage<CertificationUnderWay>> {
  return listUnderWay(ctx, query, async (rows) => rows.map(show))
}
