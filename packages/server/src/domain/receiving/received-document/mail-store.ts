import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

export interface MailRow {
  readonly id: string
  readonly sender: string | null
  readonly raw: Buffer | null
  readonly received_at: Date
  readonly taken_in_at: Date | null
}

export async function insertMail(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  mail: Pick<MailRow, 'id' | 'sender' | 'received_at'> & { readonly raw: Buffer },
): Promise<void> {
  await sql`
    insert into reception_mail (account_id, empresa_id, mode, id, sender, raw, received_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${mail.id}, ${mail.sender}, ${mail.raw}, ${mail.received_at})`
}

export async function findMail(sql: Sql, scope: EmpresaScope, id: string): Promise<MailRow | null> {
  const [row] = await sql<MailRow>`select * from reception_mail where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

/** Drops the raw mail: its documents and its quarantine hold everything now. False when another run was first. */
export async function recordIngested(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<boolean> {
  const rows = await sql<{ id: string }>`
    update reception_mail set raw = null, taken_in_at = ${at}
    where ${ownedBy(scope)} and id = ${id} and taken_in_at is null returning id`
  return rows.length > 0
}
