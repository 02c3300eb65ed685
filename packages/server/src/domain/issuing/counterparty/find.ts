import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CounterpartyRow } from './show.ts'
import { readCounterparty } from './store.ts'

/** What the address book of an empresa holds of a RUT: the third place a receptor is looked up in. */
export async function findCounterparty(sql: Sql, empresa: EmpresaScope, rut: string): Promise<CounterpartyRow | null> {
  return readCounterparty(sql, empresa, rut)
}
