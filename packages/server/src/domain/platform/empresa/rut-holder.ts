import type { Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { AccountScope, EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaRow } from './row.ts'
import { COLUMNS, countEmpresas, leaveRut } from './store.ts'

/**
 * The empresa that holds a RUT, on any account, locked until the transaction ends; null while nobody does. Whoever waited for
 * another that was taking the RUT finds the empresa that it took it for.
 */
export async function lockRutHolder(sql: Sql, mode: Mode, rut: string): Promise<EmpresaRow | null> {
  for (;;) {
    const [row] = await sql<EmpresaRow>`
      select ${COLUMNS} from empresa where mode = ${mode} and rut = ${rut} and not rut_released for no key update`
    if (row) return row
    // The row it waited for was released: another one may hold the RUT by now, which this statement could not see.
    const [next] = await sql`select 1 from empresa where mode = ${mode} and rut = ${rut} and not rut_released`
    if (!next) return null
  }
}

/** Leaves the RUT of an empresa that is over to others. */
export function freeRut(sql: Sql, scope: EmpresaScope): Promise<void> {
  return leaveRut(sql, scope)
}

export function countOwnEmpresas(sql: Sql, account: AccountScope): Promise<number> {
  return countEmpresas(sql, account)
}
