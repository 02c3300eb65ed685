import { ID_PREFIXES } from '../../../catalog/ids.ts'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { MovementLine, MovementScope, MovementSource } from './row.ts'

export interface Writing extends MovementLine {
  readonly id: string
  readonly line_key: string
  readonly account_tail: string | null
  readonly bank: string | null
}

// A column of all lines at a time: one parameter each, however many lines there are.
function unnested(lines: readonly Writing[]): Fragment {
  const column = <K extends keyof Writing>(key: K) => lines.map((line) => line[key])
  return part`unnest(${column('id')}::text[], ${column('line_key')}::text[],
    ${column('external_id')}::text[], ${column('bank_account')}::text[], ${column('post_date')}::date[],
    ${column('amount')}::bigint[], ${column('currency')}::text[], ${column('description')}::text[],
    ${column('counterparty_rut')}::text[], ${column('counterparty_name')}::text[], ${column('account_tail')}::text[],
    ${column('bank')}::text[])
    as l (id, line_key, external_id, bank_account, post_date, amount, currency, description,
      counterparty_rut, counterparty_name, account_tail, bank)`
}

const SAYS = (of: 'm' | 'excluded') => {
  const row = of === 'm' ? part`m` : part`excluded`
  return part`(${row}.bank_account, ${row}.post_date, ${row}.amount, ${row}.currency, ${row}.description,
    ${row}.counterparty_rut, ${row}.counterparty_name)`
}

// What was another one's duplicate, and says something else now, may be it still: somebody has to say.
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
    and ((m.removed_at is not null and m.duplicate_of is null) or ${SAYS('m')} is distinct from ${SAYS('excluded')})`

/** A line without an id of its bank is known by what it says, so it never changes. */
function mayChange(lines: readonly Writing[]): boolean {
  return lines.some(({ external_id }) => external_id !== null)
}

function writeMovements(scope: MovementScope, source: MovementSource, lines: readonly Writing[], at: Date): Fragment {
  const known = mayChange(lines) ? CHANGE : part`do nothing`
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

// The id of an expense is that of its movement under another prefix: the two need not be looked up in each other.
const EXPENSE_ID = part`${ID_PREFIXES.expense}::text || substr(w.id, ${ID_PREFIXES.movement.length + 1}::int)`

const writeExpenses = (scope: MovementScope, at: Date) => part`
  insert into expense as e (account_id, empresa_id, mode, id, source, movement_id, date, description, provider_name,
    provider_rut, amount, currency, created_at, changed_at)
  select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${EXPENSE_ID}, 'movement', w.id, w.post_date,
    w.description, coalesce(w.counterparty_name, w.description), w.counterparty_rut, -w.amount, w.currency,
    ${at}::timestamptz, ${at}::timestamptz
  from written w where w.amount < 0
  on conflict (movement_id) do update set date = excluded.date, description = excluded.description,
    provider_name = excluded.provider_name, provider_rut = excluded.provider_rut, amount = excluded.amount,
    currency = excluded.currency, changed_at = excluded.changed_at, removed_at = null`

const hideExpenses = (scope: MovementScope, of: Fragment, at: Date) => part`
  update expense e set removed_at = ${at}, changed_at = ${at}
  where e.account_id = ${scope.account_id} and e.empresa_id = ${scope.empresa_id} and e.mode = ${scope.mode}
    and e.movement_id = any(array(${of})) and e.removed_at is null`

/** What was new or changed, in one statement with its expenses. */
export function writeRows(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  lines: readonly Writing[],
  at: Date,
): Promise<{ id: string; fresh: boolean }[]> {
  const turned = part`select w.id from written w where w.amount >= 0 and not w.fresh`
  return sql<{ id: string; fresh: boolean }>`
    with written as (${writeMovements(scope, source, lines, at)}),
    spent as (${writeExpenses(scope, at)})
    ${mayChange(lines) ? part`, unspent as (${hideExpenses(scope, turned, at)})` : nothing}
    select id, fresh from written`
}

/** Which cartola told again what another one had brought. */
export async function noteToldAgain(
  sql: Sql,
  { account_id, empresa_id, mode }: MovementScope,
  source: MovementSource,
  lines: readonly Pick<Writing, 'line_key'>[],
): Promise<void> {
  const keys = lines.map(({ line_key }) => line_key)
  await sql`
    insert into movement_told_again (account_id, empresa_id, mode, statement_id, movement_id)
    select ${account_id}, ${empresa_id}, ${mode}, s.id, m.id from movement m
    join statement s on s.account_id = ${account_id} and s.empresa_id = ${empresa_id} and s.id = ${source.id}
    where m.account_id = ${account_id} and m.empresa_id = ${empresa_id} and m.mode = ${mode}
      and m.line_key = any(${keys}::text[]) and m.source_id <> ${source.id}
    on conflict (movement_id, statement_id) do nothing`
}

/** Gives the ids of those that were there. */
export async function removeRows(sql: Sql, scope: MovementScope, keys: readonly string[], at: Date): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    with removed as (
      update movement m set removed_at = ${at}, changed_at = ${at}
      where m.account_id = ${scope.account_id} and m.empresa_id = ${scope.empresa_id} and m.mode = ${scope.mode}
        and m.line_key = any(${keys}::text[]) and m.removed_at is null
      returning m.id
    ), unspent as (${hideExpenses(scope, part`select r.id from removed r`, at)})
    select id from removed`
  return rows.map(({ id }) => id)
}
