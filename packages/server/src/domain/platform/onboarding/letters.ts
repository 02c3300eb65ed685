import { MODES } from '../../../catalog/modes.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Settling } from '../../reactions.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { writeToPerson } from './jobs.ts'
import type { StepKey } from './lanes.ts'
import type { StepRow } from './store.ts'

/** The last letter about a step, and which news it told. */
export interface LetterRow {
  readonly news: string
  readonly written_at: Date
}

export async function findLetter(sql: Sql, scope: EmpresaScope, step: StepKey): Promise<LetterRow | null> {
  const [row] = await sql<LetterRow>`
    select news, written_at from onboarding_letter where ${ownedBy(scope)} and step = ${step}`
  return row ?? null
}

export async function saveLetter(sql: Sql, scope: EmpresaScope, step: StepKey, letter: LetterRow): Promise<void> {
  await sql`
    insert into onboarding_letter (account_id, empresa_id, mode, step, news, written_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${step}, ${letter.news}, ${letter.written_at})
    on conflict (empresa_id, step) do update set news = excluded.news, written_at = excluded.written_at`
}

/** Makes what was told of some steps news again. When it was told stays: nobody is written to twice a day. */
export async function forgetNews(sql: Sql, scope: EmpresaScope, steps: readonly StepKey[]): Promise<void> {
  await sql`
    update onboarding_letter set news = 'told to a former contact' where ${ownedBy(scope)} and step = any(${steps}::text[])`
}

/** What makes a letter worth writing: that the step began to wait, and that the SII refused what was declared. */
export function newsOf(row: Pick<EmpresaRow, 'resolucion_status'>, { key, opened_at }: StepRow): string {
  const claim = key === 'sii_postulacion' && row.resolucion_status === 'refused' ? ' claim' : ''
  return `${opened_at?.toISOString() ?? ''}${claim}`
}

/** From when another letter about the same step may be written. */
export const dueAgain = ({ written_at }: LetterRow): Date => daysFrom(written_at, 1)

/**
 * Asks for a letter to the person whom a step waits for, unless they were told. The mandato is asked for by whoever registers
 * the empresa: nobody there knows us yet, and a letter out of the blue that asks for a signature is what swindlers send.
 */
export async function requestLetter(tx: Settling, scope: EmpresaScope, row: EmpresaRow, step: StepRow): Promise<void> {
  if (!MODES[scope.mode].mails_strangers || step.key === 'mandato') return
  const last = await findLetter(tx.sql, scope, step.key)
  if (last?.news === newsOf(row, step)) return
  const key = `${scope.empresa_id}:${step.key}`
  await tx.enqueue(writeToPerson, { payload: { step: step.key }, key, empresa_id: scope.empresa_id })
}
