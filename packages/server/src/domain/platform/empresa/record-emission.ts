import { advance } from '../../../kernel/advance.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Authorisation } from '../../../ports/sii-taxpayer.ts'
import { resolucionMachine } from './machine.ts'
import type { EmpresaRow } from './row.ts'
import { isEmpresa } from './sql.ts'

/** From when the SII takes boletas of the empresa; recorded twice, the first instant stays. */
export async function saveBoletaEmission(sql: Sql, scope: EmpresaScope, at: Date): Promise<void> {
  await sql`
    update empresa set boleta_emission_enabled_at = coalesce(boleta_emission_enabled_at, ${at}) where ${isEmpresa(scope)}`
}

/** From when the empresa emits; null for one of the sandbox that rehearses its way there. */
export async function saveEmittingSince(sql: Sql, scope: EmpresaScope, at: Date | null): Promise<void> {
  await sql`update empresa set emitting_since = ${at} where ${isEmpresa(scope)}`
}

/** The tipos that it declares today count as authorised: the SII gave a range under the resolución that was declared. */
export async function certifyDeclared(sql: Sql, scope: EmpresaScope): Promise<void> {
  await sql`update empresa set certified_tipos = doc_types where ${isEmpresa(scope)}`
}

/** A claim of another resolución opens the certification anew, for an empresa that does not emit yet. */
export async function forgetCertified(
  sql: Sql,
  { account_id, id }: { readonly account_id: string; readonly id: string },
): Promise<void> {
  await sql`
    update empresa set certified_tipos = '{}' where account_id = ${account_id} and id = ${id} and emitting_since is null`
}

/** The resolución and the tipos that the SII publishes: they stand above whatever was declared. */
export async function savePublished(
  sql: Sql,
  scope: EmpresaScope,
  { resolucion, tipos }: Authorisation,
  at: Date,
): Promise<void> {
  await sql`
    update empresa set resolucion_numero = ${resolucion.numero}, resolucion_fecha = ${resolucion.fecha},
      resolucion_verified_at = ${at}, resolucion_refusal = null,
      certified_tipos = (select coalesce(array_agg(tipo), '{}') from unnest(doc_types) tipo where tipo = any(${[...tipos]}::integer[]))
    where ${isEmpresa(scope)}`
  await advance(sql, resolucionMachine, scope, scope.empresa_id, 'published')
}

/** The lane that an empresa of the sandbox rehearses; where that is the one of its channel, nothing is named. */
export async function saveTrack(sql: Sql, scope: EmpresaScope, lane: EmpresaRow['emission_channel']): Promise<void> {
  await sql`
    update empresa set certification_track = nullif(${lane}, emission_channel) where ${isEmpresa(scope)}`
}
