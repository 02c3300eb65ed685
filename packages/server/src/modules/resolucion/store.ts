import type { Sql } from '../../kernel/db.ts'
import type { EmpresaRow } from '../empresa/show.ts'

type Owned = Pick<EmpresaRow, 'account_id' | 'id'>

/** A new claim starts clean: nothing of what was asked or answered about the last one applies to it. */
export async function writeDeclared(sql: Sql, row: Owned, declared: { numero: number; fecha: string }): Promise<void> {
  await sql`
    update empresa set resolucion_numero = ${declared.numero}, resolucion_fecha = ${declared.fecha},
      resolucion_verified_at = null, resolucion_request = null, resolucion_asked_at = null,
      resolucion_refusal = null, resolucion_caf = null
    where account_id = ${row.account_id} and id = ${row.id}`
}
