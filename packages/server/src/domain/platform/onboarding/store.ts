import { listed, part, type Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Execution, StepKey } from './lanes.ts'
import type { ApproveStep, BlockedReason } from './schema.ts'
import type { StepStatus } from './settle.ts'

/** The decision that a step was last given, with whoever gave it. */
export type Decision = Pick<ApproveStep, 'decision' | 'approved_by' | 'reason'>

/** With what it was given for: nobody authorised tipos that were declared later, or what was printed since. */
export type KeptDecision = Decision & {
  readonly tipos?: readonly number[]
  /** SHA-256 of what was prepared and shown: it counts for nothing else. */
  readonly shown?: string
}

export interface HandedOver {
  readonly why: string
  readonly at: string
}

export interface StepRow {
  readonly id: string
  readonly key: StepKey
  readonly status: StepStatus
  /** How often its status changed. */
  readonly moves: number
  readonly tipos: readonly number[]
  readonly opened_at: Date | null
  readonly closed_at: Date | null
  readonly approval: KeptDecision | null
  readonly approved_at: Date | null
  readonly blocked_reason: BlockedReason | null
  readonly next_poll_at: Date | null
  readonly looks: number
  readonly rechecked_at: Date | null
  readonly taken_by: string | null
  readonly taken_at: Date | null
  /** Why a person of ours does what is ours in it, in the place of the job. */
  readonly handed_over: HandedOver | null
  /** What whoever did it said about it. */
  readonly note: string | null
}

const COLUMNS = part`id, key, status, moves, tipos, opened_at, closed_at, approval, approved_at, blocked_reason, next_poll_at,
  looks, rechecked_at, taken_by, taken_at, handed_over, attestation ->> 'note' as note`

export async function listSteps(sql: Sql, scope: EmpresaScope): Promise<Map<StepKey, StepRow>> {
  const rows = await sql<StepRow>`select ${COLUMNS} from onboarding_step where ${ownedBy(scope)}`
  return new Map(rows.map((row) => [row.key, row]))
}

/** Makes the rows of steps that have none, pending. */
export async function insertSteps(sql: Sql, scope: EmpresaScope, keys: readonly StepKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into onboarding_step (account_id, empresa_id, mode, id, key)
    select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, made.id, made.key
    from (select ${listed.text(keys.map(() => newId('onboarding_step')))} as id,
      ${listed.text([...keys])} as key) made
    on conflict (empresa_id, key) do nothing`
}

/** The steps that an empresa is born with: the first waits for a person, the others for it. */
export async function openSteps(sql: Sql, scope: EmpresaScope, keys: readonly StepKey[], at: Date): Promise<void> {
  const [first, ...others] = keys
  await sql`
    insert into onboarding_step (account_id, empresa_id, mode, id, key, status, opened_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${newId('onboarding_step')}, ${first}, 'action_required', ${at})`
  await insertSteps(sql, scope, others)
}

/**
 * What comes with a move of a step: when it began or ended, and for which tipos. One that was done before it was reached began
 * when it ended. What held it up before is over, and of one that begins again so is what was said of it.
 */
export async function saveMove(
  sql: Sql,
  scope: EmpresaScope,
  {
    key,
    to,
    tipos,
    at,
  }: { readonly key: StepKey; readonly to: StepStatus; readonly tipos: readonly number[]; readonly at: Date },
): Promise<void> {
  const opens = to === 'in_progress' || to === 'action_required'
  const closes = to === 'completed' || to === 'skipped'
  const leaves_hands = closes || to === 'pending' || to === 'failed'
  await sql`
    update onboarding_step set moves = moves + 1,
      opened_at = ${opens ? part`case when closed_at is null then coalesce(opened_at, ${at}) else ${at} end` : to === 'completed' ? part`coalesce(opened_at, ${at})` : part`opened_at`},
      attestation = ${opens ? null : part`attestation`},
      closed_at = ${closes ? at : null}, tipos = ${closes ? [...tipos] : part`tipos`},
      blocked_reason = ${to === 'failed' ? part`blocked_reason` : null}, next_poll_at = null, looks = 0,
      taken_by = ${leaves_hands ? null : part`taken_by`}, taken_at = ${leaves_hands ? null : part`taken_at`},
      handed_over = ${leaves_hands ? null : part`handed_over`},
      approval = ${to === 'pending' ? null : part`approval`}, approved_at = ${to === 'pending' ? null : part`approved_at`}
    where ${ownedBy(scope)} and key = ${key}`
}

export async function saveBlock(
  sql: Sql,
  scope: EmpresaScope,
  key: StepKey,
  { blocked_reason, next_poll_at, looks }: Pick<StepRow, 'blocked_reason' | 'next_poll_at' | 'looks'>,
): Promise<void> {
  await sql`
    update onboarding_step set blocked_reason = ${blocked_reason && JSON.stringify(blocked_reason)}::json,
      next_poll_at = ${next_poll_at}, looks = ${looks}
    where ${ownedBy(scope)} and key = ${key}`
}

export async function saveDecision(
  sql: Sql,
  scope: EmpresaScope,
  key: StepKey,
  decision: KeptDecision | null,
  approved_at: Date | null,
): Promise<void> {
  await sql`
    update onboarding_step set approval = ${decision && JSON.stringify(decision)}::json, approved_at = ${approved_at}
    where ${ownedBy(scope)} and key = ${key}`
}

/** What somebody said about an act that nothing can show. */
export async function saveAttestation(sql: Sql, scope: EmpresaScope, key: StepKey, said: object): Promise<void> {
  await sql`update onboarding_step set attestation = ${JSON.stringify(said)}::json where ${ownedBy(scope)} and key = ${key}`
}

export async function saveRecheck(
  sql: Sql,
  scope: EmpresaScope,
  key: StepKey,
  { rechecked_at, next_poll_at }: Record<'rechecked_at' | 'next_poll_at', Date | null>,
): Promise<void> {
  await sql`
    update onboarding_step set rechecked_at = ${rechecked_at}, next_poll_at = ${next_poll_at}
    where ${ownedBy(scope)} and key = ${key}`
}

/** Hands a step to people of ours, or gives it back to the job: then nobody has it in hand. */
export async function saveHandedOver(
  sql: Sql,
  scope: EmpresaScope,
  key: StepKey,
  handed_over: HandedOver | null,
): Promise<void> {
  await sql`
    update onboarding_step set handed_over = ${handed_over && JSON.stringify(handed_over)}::json, next_poll_at = null, looks = 0,
      taken_by = ${handed_over ? part`taken_by` : null}, taken_at = ${handed_over ? part`taken_at` : null}
    where ${ownedBy(scope)} and key = ${key}`
}

export interface SwitchRow {
  readonly step: StepKey
  readonly execution: Execution
  readonly changed_at: Date
}

/** Steps whose switch the operator turned. */
export function listTurned(sql: Sql): Promise<SwitchRow[]> {
  return sql<SwitchRow>`select step, execution, changed_at from onboarding_switch`
}

/** Only a rehearsal is ended with nothing left of it. */
export async function deleteSteps(sql: Sql, scope: EmpresaScope): Promise<void> {
  await sql`delete from onboarding_step where ${ownedBy(scope)}`
}
