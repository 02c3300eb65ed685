import { type Fragment, name, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type EACH, ownedBy } from '../../../kernel/tenant.ts'
import { lockStatementOf } from '../statement/sql.ts'
import type { MovementScope } from './row.ts'

type OfEmpresa = Pick<EmpresaScope | typeof EACH, 'empresa_id'>

// A subquery of its own, so that PostgreSQL asks once for a whole statement.
const undone = ({ empresa_id }: OfEmpresa) => part`(select undone_statements(${empresa_id}))::text[]`

/**
 * Whether somebody still tells a movement: the cartola of one that is being undone tells nothing, unless another cartola
 * holds the movement too. Every statement that reads movements asks.
 */
export function stands(scope: OfEmpresa, alias = 'm'): Fragment {
  const m = name(alias)
  return part`(${m}.source_id <> all(${undone(scope)}) or exists (
    select 1 from movement_told_again told where told.empresa_id = ${scope.empresa_id} and told.movement_id = ${m}.id
      and told.statement_id <> all(${undone(scope)})))`
}

/** The same by the column of its id, where a statement does not read the movement itself. */
export function isOfStanding(movement_id: Fragment, scope: OfEmpresa): Fragment {
  return part`(cardinality(${undone(scope)}) = 0 or ${movement_id} not in (select undone_movements(${scope.empresa_id})))`
}

/** Locks the cartola of a movement against being undone, and before the movement: an undo takes them in that order too. */
export function lockSourceOf(movement_id: string, scope: MovementScope): Fragment {
  const source = part`(select m.source_id from movement m where ${ownedBy(scope, 'm')} and m.id = ${movement_id})`
  return lockStatementOf(scope, source)
}

/** Whether no movement pays a document, by the column of its id. */
export function isUnpaid(document_id: Fragment, scope: OfEmpresa): Fragment {
  return part`not exists (
    select 1 from movement_match x where x.empresa_id = ${scope.empresa_id} and x.target_id = ${document_id}
      and ${isOfStanding(part`x.movement_id`, scope)})`
}
