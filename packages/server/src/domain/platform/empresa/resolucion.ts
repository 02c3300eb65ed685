import { santiagoDate } from '@timbre/dte/values'
import { advance } from '../../../kernel/advance.ts'
import type { Sql } from '../../../kernel/db.ts'
import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { resolucionMachine } from './machine.ts'
import { forgetCertified } from './record-emission.ts'
import type { EmpresaRow } from './row.ts'
import type { VerificationRequest } from './schema.ts'
import { COLUMNS, findEmpresa, lockEmpresa } from './store.ts'

type Owned = Pick<EmpresaRow, 'account_id' | 'id'>

/** A new claim starts clean: no request or answer about the last one applies to it. */
async function saveDeclared(sql: Sql, row: Owned, declared: { numero: number; fecha: string }): Promise<void> {
  await sql`
    update empresa set resolucion_numero = ${declared.numero}, resolucion_fecha = ${declared.fecha},
      resolucion_verified_at = null, resolucion_request = null, resolucion_asked_by = null,
      resolucion_asked_at = null, resolucion_refusal = null
    where account_id = ${row.account_id} and id = ${row.id}`
}

/** The empresa with its claim, locked until the transaction ends. */
export async function lockClaim(sql: Sql, scope: EmpresaScope): Promise<EmpresaRow | null> {
  return lockEmpresa(sql, scope)
}

export async function saveVerificationRequest(
  sql: Sql,
  scope: EmpresaScope,
  request: VerificationRequest,
  asked: { by: string; at: Date },
): Promise<EmpresaRow> {
  const [row] = await sql<EmpresaRow>`
    update empresa set resolucion_request = ${JSON.stringify(request)}::json, resolucion_asked_by = ${asked.by},
      resolucion_asked_at = ${asked.at}
    where account_id = ${scope.account_id} and id = ${scope.empresa_id}
    returning ${COLUMNS}`
  return row as EmpresaRow
}

/** The SII could not be asked: as if nobody had tried. Only the request that failed is withdrawn. */
export async function withdrawVerificationRequest(sql: Sql, scope: EmpresaScope, asked_by: string): Promise<void> {
  await sql`
    update empresa set resolucion_request = null, resolucion_asked_by = null, resolucion_asked_at = null
    where account_id = ${scope.account_id} and id = ${scope.empresa_id} and resolucion_asked_by = ${asked_by}`
}

export async function saveVerificationAnswer(
  sql: Sql,
  scope: EmpresaScope,
  answer: { verified_at: Date | null; refusal: string | null },
): Promise<void> {
  await sql`
    update empresa set resolucion_asked_by = null, resolucion_asked_at = null,
      resolucion_verified_at = ${answer.verified_at}, resolucion_refusal = ${answer.refusal}
    where account_id = ${scope.account_id} and id = ${scope.empresa_id}`
}

/** The SII's schema takes no date before this one (SiiTypes_v10.xsd, FechaType). */
const FIRST_DATE = '2000-01-01'

/** A resolución exists before it is declared: its date is a day that already was, in Santiago. */
export function checkResolucionDate(param: string, fecha: string, now: Date): void {
  if (fecha > santiagoDate(now)) throw invalidField(param, 'it must not be in the future.')
  if (fecha < FIRST_DATE) throw invalidField(param, `it must not be before ${FIRST_DATE}.`)
}

/** Records a claim. The same one again changes nothing, unless the SII refused it: then it may be asked anew. */
export async function declareResolucion(
  sql: Sql,
  row: EmpresaRow,
  declared: { numero: number; fecha: string },
): Promise<EmpresaRow> {
  const same = row.resolucion_numero === declared.numero && row.resolucion_fecha === declared.fecha
  if (same && row.resolucion_status !== 'refused') return row
  await saveDeclared(sql, row, declared)
  await forgetCertified(sql, row)
  await advance(sql, resolucionMachine, row, row.id, 'declared')
  return (await findEmpresa(sql, { ...row, empresa_id: row.id })) as EmpresaRow
}
