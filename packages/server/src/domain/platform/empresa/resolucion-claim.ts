import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { VerificationRequest } from './resolucion-schema.ts'
import type { EmpresaRow } from './row.ts'

type Owned = Pick<EmpresaRow, 'account_id' | 'id'>

/** A new claim starts clean: nothing of what was asked or answered about the last one applies to it. */
export async function writeDeclared(sql: Sql, row: Owned, declared: { numero: number; fecha: string }): Promise<void> {
  await sql`
    update empresa set resolucion_numero = ${declared.numero}, resolucion_fecha = ${declared.fecha},
      resolucion_verified_at = null, resolucion_request = null, resolucion_asked_by = null,
      resolucion_asked_at = null, resolucion_refusal = null
    where account_id = ${row.account_id} and id = ${row.id}`
}

/** The claim and all around it, held until the transaction ends. */
export async function lockClaim(sql: Sql, scope: EmpresaScope): Promise<EmpresaRow | null> {
  const [row] = await sql<EmpresaRow>`
    select * from empresa where account_id = ${scope.account_id} and mode = ${scope.mode} and id = ${scope.empresa_id}
    for update`
  return row ?? null
}

export async function writeAsked(
  sql: Sql,
  scope: EmpresaScope,
  request: VerificationRequest,
  asked: { by: string; at: Date },
): Promise<EmpresaRow> {
  const [row] = await sql<EmpresaRow>`
    update empresa set resolucion_request = ${JSON.stringify(request)}::json, resolucion_asked_by = ${asked.by},
      resolucion_asked_at = ${asked.at}
    where account_id = ${scope.account_id} and id = ${scope.empresa_id}
    returning *`
  return row as EmpresaRow
}

/** Nobody could be asked: as if nothing had been. Only the question that failed is taken back. */
export async function takeBackAsked(sql: Sql, scope: EmpresaScope, asked_by: string): Promise<void> {
  await sql`
    update empresa set resolucion_request = null, resolucion_asked_by = null, resolucion_asked_at = null
    where account_id = ${scope.account_id} and id = ${scope.empresa_id} and resolucion_asked_by = ${asked_by}`
}

export async function writeAnswer(
  sql: Sql,
  scope: EmpresaScope,
  answer: { verified_at: Date | null; refusal: string | null },
): Promise<void> {
  await sql`
    update empresa set resolucion_asked_by = null, resolucion_asked_at = null,
      resolucion_verified_at = ${answer.verified_at}, resolucion_refusal = ${answer.refusal}
    where account_id = ${scope.account_id} and id = ${scope.empresa_id}`
}
