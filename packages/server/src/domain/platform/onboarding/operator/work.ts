import { type ListPage, OPERATOR, paginate } from '../../../../kernel/cursor.ts'
import type { InstallationContext } from '../../../context.ts'
import { executionOf, executorsOf, listSwitches } from '../execution.ts'
import { STEP_KEYS, stepOf } from '../lanes.ts'
import type { OnboardingWork, WorkQuery } from './schema.ts'
import { listWork, type WorkRow } from './store.ts'

export function showWork(row: WorkRow): OnboardingWork {
  const { approval: approves } = stepOf(row.key)
  const { approval, approved_at } = row
  return {
    object: 'onboarding_work',
    mode: row.mode,
    account_id: row.account_id,
    empresa: { id: row.empresa_id, rut: row.rut, legal_name: row.legal_name },
    step: row.key,
    status: row.status,
    doc_types: row.doc_types,
    since: row.since.toISOString(),
    approval:
      approves && approval && approved_at
        ? { act: approves.act, approved_by: approval.approved_by, approved_at: approved_at.toISOString() }
        : null,
    taken_by: row.taken_by,
    taken_at: row.taken_at?.toISOString() ?? null,
    why: row.handed_over?.why ?? null,
  }
}

/** What stands open with people of ours, whosever empresa it is, oldest first. */
export async function listOnboardingWork(
  ctx: InstallationContext,
  { limit, cursor, step, taken_by }: WorkQuery,
): Promise<ListPage<OnboardingWork>> {
  const switches = await listSwitches(ctx)
  const keys = STEP_KEYS.filter((key) => executorsOf(key, ctx.ports).length > 0)
  const filters = { ...(step !== undefined && { step }), ...(taken_by !== undefined && { taken_by }) }
  const filter = {
    by_person: keys.filter((key) => executionOf(key, switches) === 'operator'),
    keys: step === undefined ? keys : keys.filter((key) => key === step),
    ...(taken_by !== undefined && { taken_by }),
  }
  return paginate<WorkRow, OnboardingWork, readonly [string, string]>(
    { ...ctx, account: OPERATOR },
    { limit, cursor },
    {
      list: 'onboarding_work',
      filters,
      fetch: (page) => listWork(ctx.sql, filter, page),
      placeOf: ({ since, id }) => [since.toISOString(), id],
      show: (rows) => rows.map(showWork),
    },
  )
}
