import type { Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import { joinOpenAccount } from '../account/lookup.ts'
import type { CreateEmpresa } from '../empresa/schema.ts'

export interface RutClaimRow {
  readonly slug_hash: Buffer
  readonly account_id: string
  readonly mode: Mode
  readonly rut: string
  readonly input: CreateEmpresa
  readonly created_at: Date
  readonly expires_at: Date
}

export async function insertClaim(sql: Sql, row: RutClaimRow): Promise<void> {
  await sql`
    insert into rut_claim (slug_hash, account_id, mode, rut, input, created_at, expires_at)
    values (${row.slug_hash}, ${row.account_id}, ${row.mode}, ${row.rut}, ${JSON.stringify(row.input)}::json,
      ${row.created_at}, ${row.expires_at})`
}

export interface FoundClaim extends RutClaimRow {
  readonly account_name: string
  readonly account_email: string
  /** Set once its RUT passed to the account that asked. */
  readonly used_at: Date | null
}

/** One that has not ended, used or not, of an account that is open. */
export async function findClaim(sql: Sql, slug_hash: Buffer, now: Date): Promise<FoundClaim | null> {
  const [row] = await sql<FoundClaim>`
    select c.slug_hash, c.account_id, c.mode, c.rut, c.input, c.created_at, c.expires_at, c.used_at, a.name as account_name,
      a.email as account_email
    from rut_claim c ${joinOpenAccount('c')}
    where c.slug_hash = ${slug_hash} and c.expires_at > ${now}`
  return row ?? null
}

/** False when somebody used it first. */
export async function useClaim(sql: Sql, { slug_hash }: RutClaimRow, at: Date): Promise<boolean> {
  const rows = await sql`
    update rut_claim set used_at = ${at} where slug_hash = ${slug_hash} and used_at is null returning 1`
  return rows.length > 0
}

export async function deleteEndedClaims(sql: Sql, now: Date): Promise<void> {
  await sql`delete from rut_claim where expires_at < ${now}`
}
