import { listed, type Sql } from '../../../kernel/db.ts'
import { type AnswerMany, inStep } from '../../../kernel/in-step.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { EACH, ownedBy, tenantsOf } from '../../../kernel/tenant.ts'
import { areMailboxesLoaded } from '../contribuyente/sql.ts'
import { type AutomationSettingsRow, DEFAULTS } from './show.ts'

export async function findSettings(sql: Sql, scope: EmpresaScope): Promise<AutomationSettingsRow | null> {
  const [row] = await sql<AutomationSettingsRow>`select * from automation_settings where ${ownedBy(scope)}`
  return row ?? null
}

/** What is done by itself with each document that is accepted. */
export interface OnAcceptance {
  readonly mails: boolean
  /** Where no list of mailboxes was ever loaded nobody is known to have one, and nothing is exchanged. */
  readonly exchanges: boolean
  readonly matches_movements: boolean
}

export function findOnAcceptance(sql: Sql, scope: EmpresaScope): Promise<OnAcceptance> {
  return inStep(sql, findAllOnAcceptance, scope)
}

const findAllOnAcceptance: AnswerMany<EmpresaScope, OnAcceptance> = async (sql, scopes) =>
  sql<OnAcceptance>`
    select coalesce(s.email_documents_on_acceptance, ${DEFAULTS.email_documents_on_acceptance}) as mails,
      coalesce(s.exchange_documents_on_acceptance, ${DEFAULTS.exchange_documents_on_acceptance})
        and ${areMailboxesLoaded()} as exchanges,
      coalesce(s.apply_movement_matches, ${DEFAULTS.apply_movement_matches}) as matches_movements
    from (select ${tenantsOf(scopes)}, ${listed.integer(scopes.map((_, i) => i))} as place) w left join lateral (
      select * from automation_settings where ${ownedBy(EACH)} limit 1) s on true
    order by w.place`

/** Locks the row, inserted from the defaults if need be: two changes of different switches must both stay. */
export async function lockSettings(sql: Sql, scope: EmpresaScope): Promise<AutomationSettingsRow> {
  const { account_id, empresa_id, mode } = scope
  const row = DEFAULTS
  await sql`
    insert into automation_settings (account_id, empresa_id, mode, email_documents_on_acceptance,
      exchange_documents_on_acceptance, request_folios_when_low, sync_rcv_daily, apply_characterization_suggestions, apply_movement_matches)
    values (${account_id}, ${empresa_id}, ${mode}, ${row.email_documents_on_acceptance},
      ${row.exchange_documents_on_acceptance}, ${row.request_folios_when_low}, ${row.sync_rcv_daily}, ${row.apply_characterization_suggestions},
      ${row.apply_movement_matches})
    on conflict (empresa_id) do nothing`
  const [locked] = await sql<AutomationSettingsRow>`
    select * from automation_settings where account_id = ${account_id} and empresa_id = ${empresa_id} for update`
  return locked as AutomationSettingsRow
}

export async function saveSettings(sql: Sql, scope: EmpresaScope, row: AutomationSettingsRow): Promise<void> {
  await sql`
    update automation_settings set email_documents_on_acceptance = ${row.email_documents_on_acceptance},
      exchange_documents_on_acceptance = ${row.exchange_documents_on_acceptance},
      request_folios_when_low = ${row.request_folios_when_low}, sync_rcv_daily = ${row.sync_rcv_daily},
      apply_characterization_suggestions = ${row.apply_characterization_suggestions},
      apply_movement_matches = ${row.apply_movement_matches}, updated_at = ${row.updated_at}
    where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id}`
}
