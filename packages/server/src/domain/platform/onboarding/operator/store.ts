import { TIPO_NUMBERS } from '@timbre/dte/values'
import { MODE_NAMES, MODES, type Mode } from '../../../../catalog/modes.ts'
import { listed, nothing, part, type Sql } from '../../../../kernel/db.ts'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import { ownedBy } from '../../../../kernel/tenant.ts'
import { joinEmpresa } from '../../empresa/sql.ts'
import { isBoletasOnly, LANES, type Lane, type StepKey } from '../lanes.ts'
import type { StepStatus } from '../settle.ts'
import type { Decision, HandedOver, SwitchRow } from '../store.ts'
import { isBoleta } from '../walk.ts'

export interface WorkRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly rut: string
  readonly legal_name: string
  readonly doc_types: number[]
  readonly id: string
  readonly key: StepKey
  readonly status: StepStatus
  /** From when it is ours: since it was approved, where it had to be. */
  readonly since: Date
  readonly approval: Decision | null
  readonly approved_at: Date | null
  readonly taken_by: string | null
  readonly taken_at: Date | null
  readonly handed_over: HandedOver | null
}

const COLUMNS = part`s.account_id, s.empresa_id, s.mode, e.rut, e.legal_name, e.doc_types, s.id, s.key, s.status,
  coalesce(s.approved_at, s.opened_at) as since, s.approval, s.approved_at, s.taken_by, s.taken_at, s.handed_over`

/** One step of an empresa, as the operator sees it. */
export async function findWork(sql: Sql, scope: EmpresaScope, key: StepKey): Promise<WorkRow | null> {
  const [row] = await sql<WorkRow>`
    select ${COLUMNS} from onboarding_step s ${joinEmpresa('s')}
    where ${ownedBy(scope, 's')} and s.key = ${key}`
  return row ?? null
}

const BOLETAS = TIPO_NUMBERS.filter(isBoleta)
const WORKED_MODES = MODE_NAMES.filter((mode) => !MODES[mode].rehearses_onboarding)

/** Of both lanes, the steps of some keys: an empresa that changed its lane keeps rows of the other one. */
function pairs(keys: readonly StepKey[]) {
  const lanes = Object.keys(LANES) as Lane[]
  return lanes.flatMap((lane) =>
    LANES[lane].filter((key) => keys.includes(key)).map((key) => ({ lane, key, boletas: isBoletasOnly(lane, key) })),
  )
}

export interface WorkFilter {
  /** Steps that a person of ours executes whosever they are; the others where they were handed to one, or one has them. */
  readonly by_person: readonly StepKey[]
  readonly keys: readonly StepKey[]
  readonly taken_by?: string
}

/** Steps of every account that stand open with us, oldest first. */
export async function listWork(
  sql: Sql,
  { by_person, keys, taken_by }: WorkFilter,
  { place, take }: { readonly place: readonly [string, string] | null; readonly take: number },
): Promise<WorkRow[]> {
  const ours = pairs(keys)
  return sql<WorkRow>`
    select ${COLUMNS} from onboarding_step s
      ${joinEmpresa('s')}
      join (select ${listed.text(ours.map(({ lane }) => lane))} as lane,
        ${listed.text(ours.map(({ key }) => key))} as key,
        ${listed.boolean(ours.map(({ boletas }) => boletas))} as boletas) ours
        on ours.key = s.key and ours.lane = coalesce(e.certification_track, e.emission_channel)
    where s.status = 'in_progress' and s.mode = any(${WORKED_MODES}) and e.status = 'active'
      and (s.key = any(${[...by_person]}) or s.handed_over is not null or s.taken_by is not null)
      and (not ours.boletas or e.doc_types && ${BOLETAS}::integer[])
      ${taken_by === undefined ? nothing : part`and s.taken_by = ${taken_by}`}
      ${place === null ? nothing : part`and (coalesce(s.approved_at, s.opened_at), s.id) > (${place[0]}::timestamptz, ${place[1]})`}
    order by coalesce(s.approved_at, s.opened_at), s.id limit ${take}`
}

export async function saveTaken(sql: Sql, scope: EmpresaScope, key: StepKey, by: string, at: Date): Promise<void> {
  await sql`update onboarding_step set taken_by = ${by}, taken_at = ${at} where ${ownedBy(scope)} and key = ${key}`
}

export async function saveSwitch(sql: Sql, { step, execution, changed_at }: SwitchRow): Promise<void> {
  await sql`
    insert into onboarding_switch (step, execution, changed_at) values (${step}, ${execution}, ${changed_at})
    on conflict (step) do update set execution = excluded.execution, changed_at = excluded.changed_at`
}
