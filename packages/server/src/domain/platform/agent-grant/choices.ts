import type { Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'

/** What a person can choose among: the empresas of the account in each mode. */
export interface Choices {
  readonly account_id: string
  readonly email: string
  readonly email_verified: boolean
  readonly empresas: readonly { readonly rut: string; readonly legal_name: string; readonly mode: Mode }[]
}

/** More than a person ticks one by one; `all` reaches the others. */
const MOST = 200

export async function readChoices(sql: Sql, account_id: string): Promise<Choices | null> {
  const [account] = await sql<Omit<Choices, 'empresas'>>`
    select id as account_id, email, email_verified_at is not null as email_verified
    from account where id = ${account_id} and closed_at is null`
  if (!account) return null
  const empresas = await sql<Choices['empresas'][number]>`
    select rut, legal_name, mode from empresa where account_id = ${account_id} and status = 'active'
    order by legal_name, rut limit ${MOST}`
  return { ...account, empresas }
}
