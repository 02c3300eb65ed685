import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { hideExpenses, upsertExpenses } from '../../tax/expense/of-movement.ts'
import { statementWithId } from '../statement/sql.ts'
import type { MovementScope, MovementSource } from './row.ts'

/** Lines as `linesAsJson` writes them: one parameter, however many there are. */
export interface NewLines {
  readonly rows: number
  readonly json: string | Uint8Array
  /** Whether one of them can be of a movement that is known and differs. */
  readonly may_change: boolean
}

function unnested({ json }: NewLines): Fragment {
  // Bytes travel as they are: a string of them would be made only to become bytes again.
  const sent = typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  return part`json_to_recordset(${sent}::json)
    as l (id text, line_key text, external_id text, bank_account text, post_date date, amount bigint, currency text,
      description text, counterparty_rut text, counterparty_name text, account_tail text, bank text)`
}

const CONTENT = (of: 'm' | 'excluded') => {
  const row = of === 'm' ? part`m` : part`excluded`
  return part`(${row}.bank_account, ${row}.post_date, ${row}.amount, ${row}.currency, ${row}.description,
    ${row}.counterparty_rut, ${row}.counterparty_name)`
}

// A duplicate whose bank changed it may still be one: a person has to say.
const WAS_SAME = part`(m.duplicate_certain or m.duplicate_reason = 'changed')`

const CHANGE = part`
  do update set bank_account = excluded.bank_account, post_date = excluded.post_date, amount = excluded.amount,
    currency = excluded.currency, description = excluded.description, counterparty_rut = excluded.counterparty_rut,
    counterparty_name = excluded.counterparty_name, account_tail = excluded.account_tail, bank = excluded.bank,
    changed_at = excluded.changed_at, removed_at = null,
    duplicate_of = case when ${WAS_SAME} then m.duplicate_of end,
    duplicate_certain = case when ${WAS_SAME} then false end,
    duplicate_reason = case when ${WAS_SAME} then 'changed' end
  where excluded.external_id is not null
    and ((m.removed_at is not null and m.duplicate_of is null) or ${CONTENT('m')} is distinct from ${CONTENT('excluded')})`

function insertOrUpdate(scope: MovementScope, source: MovementSource, lines: NewLines, at: Date): Fragment {
  const known = lines.may_change ? CHANGE : part`do nothing`
  return part`
    insert into movement as m (account_id, empresa_id, mode, id, source_type, source_id, external_id, line_key,
      bank_account, post_date, amount, currency, description, counterparty_rut, counterparty_name, account_tail,
      bank, created_at, changed_at)
    select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, l.id, ${source.type}, ${source.id}, l.external_id,
      l.line_key, l.bank_account, l.post_date, l.amount, l.currency, l.description, l.counterparty_rut,
      l.counterparty_name, l.account_tail, l.bank, ${at}::timestamptz, ${at}::timestamptz
    from ${unnested(lines)}
    on conflict (empresa_id, line_key) ${known}
    returning m.id, m.post_date, m.amount, m.currency, m.description, m.counterparty_rut, m.counterparty_name,
      m.xmax = 0 as fresh`
}

/** Inserts and updates movements with their expenses in one statement; gives those that are new or changed. */
export function upsertMovements(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  lines: NewLines,
  at: Date,
): Promise<{ id: string; fresh: boolean }[]> {
  const turned = part`= any(array(select w.id from written w where w.amount >= 0 and not w.fresh))`
  return sql<{ id: string; fresh: boolean }>`
    with written as (${insertOrUpdate(scope, source, lines, at)}),
    spent as (${upsertExpenses(scope, part`written`, at)})
    ${lines.may_change ? part`, unspent as (${hideExpenses(scope, turned, at)})` : nothing}
    select id, fresh from written`
}

/** Records which movements of other cartolas this one holds too. */
export async function recordRepeats(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  lines: NewLines,
): Promise<void> {
  await sql`
    insert into movement_told_again (account_id, empresa_id, mode, statement_id, movement_id)
    select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, s.id, m.id from movement m
    join (${statementWithId(scope, source.id)}) s on true
    where ${ownedBy(scope, 'm')} and m.line_key = any(array(select l.line_key from ${unnested(lines)}))
      and m.source_id <> ${source.id}
    on conflict (movement_id, statement_id) do nothing`
}

/** Hides movements that their bank took back, with their expenses; gives the ids of those that were there. */
export async function removeByKeys(
  sql: Sql,
  scope: MovementScope,
  keys: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    with removed as (
      update movement m set removed_at = ${at}, changed_at = ${at}
      where ${ownedBy(scope, 'm')} and m.line_key = any(${keys}::text[]) and m.removed_at is null
      returning m.id
    ), unspent as (${hideExpenses(scope, part`= any(array(select r.id from removed r))`, at)})
    select id from removed`
  return rows.map(({ id }) => id)
}
