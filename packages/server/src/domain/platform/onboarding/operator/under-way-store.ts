import { TIPO_NUMBERS } from '@timbre/dte/values'
import { MODE_NAMES, MODES, type Mode } from '../../../../catalog/modes.ts'
import { listed, nothing, part, type Sql } from '../../../../kernel/db.ts'
import { joinAccount } from '../../account/lookup.ts'
import { joinEmpresa } from '../../empresa/sql.ts'
import { isBoletasOnly, LANES, type Lane, type StepKey, stepOf } from '../lanes.ts'
import type { BlockedReason } from '../schema.ts'
import type { StepStatus } from '../settle.ts'
import type { HandedOver } from '../store.ts'
import { isBoleta } from '../walk.ts'
import { CERTIFICATION_STEPS, WAITS_FOR, type WaitsFor } from './waits-for.ts'

export interface UnderWayRow {
  readonly account_id: string
  readonly account_name: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly rut: string
  readonly legal_name: string
  readonly doc_types: number[]
  readonly id: string
  readonly key: StepKey
  readonly status: StepStatus
  readonly moves: number
  readonly since: Date
  readonly approved_at: Date | null
  readonly blocked_reason: BlockedReason | null
  readonly next_poll_at: Date | null
  readonly taken_by: string | null
  readonly taken_at: Date | null
  readonly handed_over: HandedOver | null
  readonly waits_for: WaitsFor
}

const APPROVED_STEPS = CERTIFICATION_STEPS.filter((key) => stepOf(key).approval)
const OF_THE_SII = CERTIFICATION_STEPS.filter((key) => stepOf(key).actor === 'sii')
const BOLETAS = TIPO_NUMBERS.filter(isBoleta)
const WORKED_MODES = MODE_NAMES.filter((mode) => !MODES[mode].rehearses_onboarding)

/** An empresa that changed its lane keeps the steps of the other one. */
const OWN_STEPS = (Object.keys(LANES) as Lane[]).flatMap((lane) =>
  (LANES[lane] as readonly StepKey[])
    .filter((key) => CERTIFICATION_STEPS.includes(key))
    .map((key) => ({ lane, key, boletas: isBoletasOnly(lane, key) })),
)

/** A step that failed waits for us, unless its customer was told what to bring. */
const waitsFor = (by_person: readonly StepKey[]) => part`
  case
    when s.status = 'failed' then
      case when s.blocked_reason ->> 'code' = 'operator_refused' then 'customer' else 'operator' end
    when s.status = 'action_required' then
      case when s.key = any(${APPROVED_STEPS}) and s.approved_at is null then 'customer' else 'input' end
    when s.key = any(${[...by_person]}) or s.handed_over is not null or s.taken_by is not null then 'operator'
    when s.blocked_reason ->> 'code' = 'requirement_unmet' then 'input'
    when s.key = any(${OF_THE_SII}) or s.next_poll_at is not null then 'sii'
    else 'service'
  end`

export interface UnderWayFilter {
  /** Steps that people of ours execute whosever they are. */
  readonly by_person: readonly StepKey[]
  readonly step?: string | undefined
  readonly waits_for?: WaitsFor | undefined
  readonly rut?: string | undefined
}

export type UnderWayPlace = readonly [rank: number, since: string, id: string]

export const rankOf = (waits_for: WaitsFor): number => WAITS_FOR.indexOf(waits_for) + 1

/** The open step of each certification of every account: those that wait for people first, and of these the oldest. */
export async function listOpenSteps(
  sql: Sql,
  { by_person, step, waits_for, rut }: UnderWayFilter,
  { place, take }: { readonly place: UnderWayPlace | null; readonly take: number },
): Promise<UnderWayRow[]> {
  const rank = part`array_position(${[...WAITS_FOR]}::text[], waits_for)`
  return sql<UnderWayRow>`
    select * from (
      select s.account_id, coalesce(a.name, a.email) as account_name, s.empresa_id, s.mode, e.rut, e.legal_name, e.doc_types, s.id, s.key, s.status,
        s.moves, date_trunc('milliseconds', coalesce(s.approved_at, s.opened_at, e.created_at)) as since, s.approved_at, s.blocked_reason, s.next_poll_at,
        s.taken_by, s.taken_at, s.handed_over, ${waitsFor(by_person)} as waits_for
      from onboarding_step s ${joinEmpresa('s')} ${joinAccount('s')}
        join (select ${listed.text(OWN_STEPS.map(({ lane }) => lane))} as lane,
          ${listed.text(OWN_STEPS.map(({ key }) => key))} as key,
          ${listed.boolean(OWN_STEPS.map(({ boletas }) => boletas))} as boletas) own
          on own.key = s.key and own.lane = coalesce(e.certification_track, e.emission_channel)
      where s.status in ('in_progress', 'action_required', 'failed') and s.mode = any(${WORKED_MODES}) and e.status = 'active'
        and (not own.boletas or e.doc_types && ${BOLETAS}::integer[])
        ${step === undefined ? nothing : part`and s.key = ${step}`}
        ${rut === undefined ? nothing : part`and e.rut = ${rut}`}
    ) under_way
    where true
      ${waits_for === undefined ? nothing : part`and waits_for = ${waits_for}`}
      ${place === null ? nothing : part`and (${rank}, since, id) > (${place[0]}, ${place[1]}::timestamptz, ${place[2]})`}
    order by ${rank}, since, id limit ${take}`
}
