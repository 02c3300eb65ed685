import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { ContactRow } from './show.ts'

const COLUMNS = part`id, counterparty_rut, name, email, phone, is_primary, opted_out_at, created_at`

/** The contacts of several counterparties at once, newest first: a page of counterparties costs two statements. */
export async function contactsOf(sql: Sql, empresa: EmpresaScope, ruts: readonly string[]): Promise<ContactRow[]> {
  return sql<ContactRow>`
    select ${COLUMNS} from counterparty_contact
    where ${ownedBy(empresa)} and counterparty_rut = any(${ruts}) order by id desc`
}

/** Of these mailboxes, those that a contact of the empresa holds and that asked for no mail. */
export async function optedOutAmong(sql: Sql, empresa: EmpresaScope, emails: readonly string[]): Promise<string[]> {
  const rows = await sql<{ email: string }>`
    select distinct email from counterparty_contact
    where ${ownedBy(empresa)} and opted_out_at is not null and email = any(${emails}::text[])`
  return rows.map(({ email }) => email)
}

export async function listContacts(
  sql: Sql,
  empresa: EmpresaScope,
  rut: string,
  page: { before: string | null; take: number },
): Promise<ContactRow[]> {
  return sql<ContactRow>`
    select ${COLUMNS} from counterparty_contact where ${ownedBy(empresa)} and counterparty_rut = ${rut}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export async function insertContact(sql: Sql, empresa: EmpresaScope, row: ContactRow): Promise<void> {
  const { account_id, empresa_id, mode } = empresa
  await sql`
    insert into counterparty_contact (account_id, empresa_id, mode, counterparty_rut, id, name, email, phone,
      is_primary, opted_out_at, created_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${row.counterparty_rut}, ${row.id}, ${row.name}, ${row.email},
      ${row.phone}, ${row.is_primary}, ${row.opted_out_at}, ${row.created_at})`
}

export async function updateContact(sql: Sql, empresa: EmpresaScope, row: ContactRow): Promise<void> {
  await sql`
    update counterparty_contact set name = ${row.name}, email = ${row.email}, phone = ${row.phone},
      is_primary = ${row.is_primary}, opted_out_at = ${row.opted_out_at}
    where ${ownedBy(empresa)} and counterparty_rut = ${row.counterparty_rut} and id = ${row.id}`
}

export async function demotePrimary(sql: Sql, empresa: EmpresaScope, rut: string): Promise<void> {
  await sql`
    update counterparty_contact set is_primary = false
    where ${ownedBy(empresa)} and counterparty_rut = ${rut} and is_primary`
}

export async function deleteContact(sql: Sql, empresa: EmpresaScope, row: ContactRow): Promise<void> {
  await sql`
    delete from counterparty_contact
    where ${ownedBy(empresa)} and counterparty_rut = ${row.counterparty_rut} and id = ${row.id}`
}
