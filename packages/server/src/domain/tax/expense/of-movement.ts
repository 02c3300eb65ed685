import { ID_PREFIXES } from '../../../catalog/ids.ts'
import { type Fragment, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

// Pieces of the statements that write movements: every movement that takes money out is an expense too, and both are
// written, hidden and shown at once.

type Scope = Pick<EmpresaScope, 'account_id' | 'empresa_id' | 'mode'>

// The id of an expense is that of its movement under another prefix: the two need not be looked up in each other.
const EXPENSE_ID = part`${ID_PREFIXES.expense}::text || substr(w.id, ${ID_PREFIXES.movement.length + 1}::int)`

/** Upserts the expenses of movements; `written` names a query that returns their rows. */
export function upsertExpenses(scope: Scope, written: Fragment, at: Date): Fragment {
  return part`
  insert into expense as e (account_id, empresa_id, mode, id, source, movement_id, date, description, provider_name,
    provider_rut, amount, currency, created_at, changed_at)
  select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${EXPENSE_ID}, 'movement', w.id, w.post_date,
    w.description, coalesce(w.counterparty_name, w.description), w.counterparty_rut, -w.amount, w.currency,
    ${at}::timestamptz, ${at}::timestamptz
  from ${written} w where w.amount < 0
  on conflict (movement_id) do update set date = excluded.date, description = excluded.description,
    provider_name = excluded.provider_name, provider_rut = excluded.provider_rut, amount = excluded.amount,
    currency = excluded.currency, changed_at = excluded.changed_at, removed_at = null`
}

/** Whether an expense is somebody's still: those of a cartola that is being undone go with its movements. */
export function ofStandingMovement({ empresa_id }: Pick<Scope, 'empresa_id'>): Fragment {
  return part`(cardinality((select undone_statements(${empresa_id}))::text[]) = 0 or movement_id is null
    or movement_id not in (select undone_movements(${empresa_id})))`
}

/** Hides expenses; `which` says of what movements: `in (select …)`, or `= any(array(select …))`. */
export function hideExpenses(scope: Scope, which: Fragment, at: Date): Fragment {
  return part`
  update expense e set removed_at = ${at}, changed_at = ${at}
  where ${ownedBy(scope, 'e')} and e.movement_id ${which} and e.removed_at is null`
}

/** Shows hidden expenses again. */
export function unhideExpenses(scope: Scope, which: Fragment, at: Date): Fragment {
  return part`
  update expense e set removed_at = null, changed_at = ${at}
  where ${ownedBy(scope, 'e')} and e.movement_id ${which} and e.removed_at is not null`
}
