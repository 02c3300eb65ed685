import { type ListPage, OPERATOR, paginate } from '../../../../kernel/cursor.ts'
import type { InstallationContext } from '../../../context.ts'
import { executionOf, executorsOf, listSwitches } from '../execution.ts'
import { type Execution, STEP_KEYS, type StepKey, stepOf } from '../lanes.ts'
import { versionOf } from './ours.ts'
import { listOpenSteps, rankOf, type UnderWayPlace, type UnderWayRow } from './under-way-store.ts'
import type { WaitsFor } from './waits-for.ts'

/** What people of ours may do with a step as it stands, by the last word of the operation's path. */
export const OPERATOR_ACTS = ['look', 'take', 'done', 'refuse', 'automatic', 'restart'] as const
export type OperatorAct = (typeof OPERATOR_ACTS)[number]

type Switches = Awaited<ReturnType<typeof listSwitches>>

/** The open step of a certification, with what can be done about it. */
export interface UnderWay extends UnderWayRow {
  readonly execution: Execution
  readonly acts: readonly OperatorAct[]
  /** Changes whenever the step moves or changes hands. */
  readonly version: string
}

function actsOf(row: UnderWayRow, { ports }: InstallationContext, switches: Switches): readonly OperatorAct[] {
  if (row.status === 'action_required')
    return row.handed_over && executionOf(row.key, switches) === 'automatic' ? ['automatic'] : []
  const ours = executorsOf(row.key, ports).length > 0
  if (row.status === 'failed') return ours ? ['restart'] : []
  if (!ours) return ['look']
  const unapproved = stepOf(row.key).approval !== undefined && row.approved_at === null
  if (executionOf(row.key, switches, row) === 'automatic')
    return unapproved ? ['look', 'restart'] : ['look', 'take', 'restart']
  const by_job = executionOf(row.key, switches) === 'automatic'
  return ['take', 'done', 'refuse', ...(by_job ? (['automatic', 'restart'] as const) : [])]
}

export interface UnderWayQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly step?: string | undefined
  readonly waits_for?: WaitsFor | undefined
  readonly rut?: string | undefined
}

/** A page of every certification under way, shown by whoever knows what was made and sent for them. */
export async function listUnderWay<Item>(
  ctx: InstallationContext,
  { limit, cursor, ...query }: UnderWayQuery,
  show: (rows: readonly UnderWay[]) => Promise<Item[]>,
): Promise<ListPage<Item>> {
  const switches = await listSwitches(ctx)
  const by_person: readonly StepKey[] = STEP_KEYS.filter((key) => executionOf(key, switches) === 'operator')
  const stand = (row: UnderWayRow): UnderWay => ({
    ...row,
    execution: executionOf(row.key, switches, row),
    acts: actsOf(row, ctx, switches),
    version: versionOf(row),
  })
  return paginate<UnderWayRow, Item, UnderWayPlace>(
    { ...ctx, account: OPERATOR },
    { limit, cursor },
    {
      list: 'certifications',
      filters: query,
      fetch: (page) => listOpenSteps(ctx.sql, { ...query, by_person }, page),
      placeOf: ({ waits_for, since, id }) => [rankOf(waits_for), since.toISOString(), id],
      show: (rows) => show(rows.map(stand)),
    },
  )
}
