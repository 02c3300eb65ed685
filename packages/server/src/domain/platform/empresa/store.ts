import type { Mode } from '../../../catalog/modes.ts'
import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AnswerMany } from '../../../kernel/in-step.ts'
import type { AccountScope, EmpresaScope } from '../../../kernel/scope.ts'
import { EACH, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import { stepsOfEmpresa } from '../onboarding/sql.ts'
import { deleteEmpresaClock } from '../test-clock/sql.ts'
import type { EmpresaRow } from './row.ts'
import { DELETED, hasNoHistory, isEmpresa, isUnproven } from './sql.ts'

/** An empresa with where its steps stand: they are of another table, and part of what it is. */
export const COLUMNS = part`empresa.*, ${stepsOfEmpresa()}`

/** The columns a caller decides. The others are set at creation or moved by a machine. */
export type WritableColumns = Pick<
  EmpresaRow,
  | 'legal_name'
  | 'giro'
  | 'acteco'
  | 'street'
  | 'comuna'
  | 'city'
  | 'codigo_sucursal'
  | 'contact_email'
  | 'emission_channel'
  | 'certification_track'
  | 'doc_types'
  | 'origen'
  | 'resolucion_boletas_fecha'
>

export type NewEmpresa = WritableColumns &
  Pick<EmpresaRow, 'account_id' | 'id' | 'mode' | 'rut' | 'reception_email' | 'emitting_since' | 'created_at'>

export async function countEmpresas(sql: Sql, { account_id, mode }: AccountScope): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from empresa where account_id = ${account_id} and mode = ${mode}`
  return row?.count ?? 0
}

/**
 * Null when the RUT is taken in this mode. It waits for a concurrent insert of the same RUT instead of failing, whichever
 * of its indices, of the RUT or of the mail alias made of it, meets that one first.
 */
export async function insertEmpresa(sql: Sql, row: NewEmpresa): Promise<EmpresaRow | null> {
  const [made] = await sql<EmpresaRow>`
    insert into empresa (account_id, id, mode, rut, legal_name, giro, acteco, street, comuna, city, codigo_sucursal,
      contact_email, emission_channel, certification_track, doc_types, origen, resolucion_boletas_fecha,
      reception_email, emitting_since, created_at)
    values (${row.account_id}, ${row.id}, ${row.mode}, ${row.rut}, ${row.legal_name}, ${row.giro}, ${row.acteco},
      ${row.street}, ${row.comuna}, ${row.city}, ${row.codigo_sucursal}, ${row.contact_email},
      ${row.emission_channel}, ${row.certification_track}, ${row.doc_types}, ${row.origen},
      ${row.resolucion_boletas_fecha}, ${row.reception_email}, ${row.emitting_since}, ${row.created_at})
    on conflict do nothing
    returning ${COLUMNS}`
  return made ?? null
}

/** Of all accounts of one person together. */
export async function countUnproven(sql: Sql, account_ids: readonly string[], mode: Mode): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from empresa where account_id = any(${account_ids}::text[]) and mode = ${mode} and ${isUnproven()}`
  return row?.count ?? 0
}

/** The empresa of a RUT in a mode, on any account. Its id may be shown to its own account alone. */
export async function findRutHolder(sql: Sql, { mode }: AccountScope, rut: string) {
  const [row] = await sql<{ id: string; account_id: string }>`
    select id, account_id from empresa where mode = ${mode} and rut = ${rut} and not rut_released`
  return row ?? null
}

export async function findEmpresa(sql: Sql, scope: EmpresaScope): Promise<EmpresaRow | null> {
  const [row] = await sql<EmpresaRow>`
    select ${COLUMNS} from empresa where account_id = ${scope.account_id} and mode = ${scope.mode} and id = ${scope.empresa_id}`
  return row ?? null
}

/** The same of several: for jobs that run side by side. */
export const findEmpresas: AnswerMany<Tenant, EmpresaRow | null> = async (sql, scopes) => {
  const rows = await sql<EmpresaRow>`
    select e.* from (select ${tenantsOf(scopes)}) w, lateral (
      select ${COLUMNS} from empresa where ${isEmpresa(EACH)} limit 1) e`
  return scopes.map(
    ({ account_id, empresa_id, mode }) =>
      rows.find((row) => row.id === empresa_id && row.account_id === account_id && row.mode === mode) ?? null,
  )
}

/**
 * The same, locked until the transaction ends: what is decided on it stays true. `no key update`, so that rows that
 * refer to it do not wait; one that deletes it locked it as its transaction opened.
 */
export async function lockEmpresa(sql: Sql, scope: EmpresaScope): Promise<EmpresaRow | null> {
  const [row] = await sql<EmpresaRow>`
    select ${COLUMNS} from empresa where account_id = ${scope.account_id} and mode = ${scope.mode} and id = ${scope.empresa_id}
    for no key update`
  return row ?? null
}

export async function listEmpresas(
  sql: Sql,
  scope: AccountScope,
  filter: { reach: readonly string[] | null; status?: string; before: string | null; take: number },
): Promise<EmpresaRow[]> {
  return sql<EmpresaRow>`
    select ${COLUMNS} from empresa where account_id = ${scope.account_id} and mode = ${scope.mode}
      ${filter.reach === null ? nothing : part`and rut = any(${filter.reach})`}
      ${filter.status === undefined ? nothing : part`and status = ${filter.status}`}
      ${filter.before === null ? nothing : part`and id < ${filter.before}`}
    order by id desc limit ${filter.take}`
}

export async function saveEmpresa(sql: Sql, scope: EmpresaScope, row: WritableColumns): Promise<EmpresaRow> {
  const [changed] = await sql<EmpresaRow>`
    update empresa set legal_name = ${row.legal_name}, giro = ${row.giro}, acteco = ${row.acteco},
      street = ${row.street}, comuna = ${row.comuna}, city = ${row.city}, codigo_sucursal = ${row.codigo_sucursal},
      contact_email = ${row.contact_email}, emission_channel = ${row.emission_channel},
      certification_track = ${row.certification_track}, doc_types = ${row.doc_types}, origen = ${row.origen},
      resolucion_boletas_fecha = ${row.resolucion_boletas_fecha}
    where account_id = ${scope.account_id} and mode = ${scope.mode} and id = ${scope.empresa_id}
    returning ${COLUMNS}`
  return changed as EmpresaRow
}

export type CustodyColumns = Pick<
  EmpresaRow,
  'certificate_until' | 'certificate_refused' | 'documents_refused' | 'has_sfg_credential' | 'sfg_refused_at'
>

/** What stands in custody of an empresa, as its calls ask for it. */
export async function saveCustody(
  sql: Sql,
  scope: EmpresaScope,
  { certificate_until, certificate_refused, documents_refused, has_sfg_credential, sfg_refused_at }: CustodyColumns,
): Promise<EmpresaRow> {
  const [changed] = await sql<EmpresaRow>`
    update empresa set certificate_until = ${certificate_until}, has_sfg_credential = ${has_sfg_credential},
      sfg_refused_at = ${sfg_refused_at}, certificate_refused = ${JSON.stringify(certificate_refused)}::json,
      documents_refused = ${JSON.stringify(documents_refused)}::json
    where account_id = ${scope.account_id} and mode = ${scope.mode} and id = ${scope.empresa_id}
    returning ${COLUMNS}`
  return changed as EmpresaRow
}

/**
 * From when on another account may take the RUT of an empresa that is over. One that something proved the account's is held
 * by history, for ever. Until then its mail goes to nobody.
 */
export async function holdUnprovenRut(sql: Sql, scope: EmpresaScope, until: Date): Promise<void> {
  await sql`
    update empresa set rut_held_until = ${until}
    where account_id = ${scope.account_id} and mode = ${scope.mode} and id = ${scope.empresa_id} and ${hasNoHistory()}`
}

/** The same for all those of an account that closes; for one that was archived before, the time goes on. */
export async function holdUnprovenRuts(sql: Sql, account_id: string, until: Date): Promise<void> {
  await sql`
    update empresa set rut_held_until = coalesce(rut_held_until, ${until})
    where account_id = ${account_id} and not rut_released and ${hasNoHistory()}`
}

/** Leaves the RUT of an empresa to whoever asks for it next, and its mail to them. */
export async function leaveRut(sql: Sql, scope: EmpresaScope): Promise<void> {
  await sql`update empresa set rut_released = true where ${isEmpresa(scope)}`
}

export async function saveWarning(sql: Sql, scope: EmpresaScope, at: Date): Promise<void> {
  await sql`update empresa set rut_warned_at = ${at} where ${isEmpresa(scope)}`
}

/** Leaves a RUT whose empresa is over to whoever asks for it now: to its own account at once, to others in time. */
export async function releaseRut(sql: Sql, { account_id, mode }: AccountScope, rut: string, now: Date): Promise<void> {
  await sql`
    update empresa set rut_released = true
    where mode = ${mode} and rut = ${rut} and not rut_released and rut_held_until is not null
      and (account_id = ${account_id} or rut_held_until <= ${now})`
}

/** Every table under it cascades, but for its test clock. */
export async function deleteEmpresaRow(
  sql: Sql,
  scope: Pick<EmpresaScope, 'account_id' | 'empresa_id'>,
  mode: Mode | typeof DELETED,
): Promise<void> {
  await deleteEmpresaClock(sql, scope)
  await sql`
    delete from empresa where account_id = ${scope.account_id} and mode = ${mode} and id = ${scope.empresa_id}`
}

/** Takes an empresa away from everybody at once, with all that is under it; its RUT and its mail alias are free. */
export async function leaveModes(sql: Sql, scope: EmpresaScope): Promise<void> {
  await deleteEmpresaClock(sql, scope)
  await sql`
    update empresa set mode = ${DELETED}, rut_released = true
    where account_id = ${scope.account_id} and mode = ${scope.mode} and id = ${scope.empresa_id}`
}
