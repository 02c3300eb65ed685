import { ID_PREFIXES } from '../../../catalog/ids.ts'
import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope, EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { type Distrust, isMadeInDistrust } from '../../distrust.ts'
import { joinOpenAccount } from '../account/lookup.ts'
import { grantOfIdStands } from '../agent-grant/sql.ts'
import { keyStands } from '../api-key/lookup.ts'
import { joinEmpresa } from '../empresa/sql.ts'
import { type JoinedClock, joinClocks, joinedClock } from '../test-clock/sql.ts'
import type { PageKey } from './schema.ts'

/** Who gave the link away: a credential that asked for it, or a letter of ours. */
export type LinkRoad = 'api' | 'letter'

/** For whom a page is, where that was said. */
export interface LinkPerson {
  readonly rut: string
  readonly name: string
}

export interface NewLink {
  readonly id: string
  readonly page: PageKey
  readonly slug_hash: Buffer
  readonly road: LinkRoad
  /** The credential that asked; empty where none did. */
  readonly made_by: string
  readonly person: LinkPerson | null
  readonly created_at: Date
  readonly expires_at: Date
}

/** Of what can be opened no more, the newest of its page and road is left; so there are few, however often one is minted. */
export async function insertLink(sql: Sql, scope: EmpresaScope, link: NewLink): Promise<void> {
  await sql`
    delete from onboarding_link where ${ownedBy(scope)} and page = ${link.page} and road = ${link.road}
      and (used_at is not null or revoked_at is not null or expires_at <= ${link.created_at})`
  await sql`
    update onboarding_link set revoked_at = ${link.created_at}
    where ${ownedBy(scope)} and page = ${link.page} and road = ${link.road}`
  await sql`
    insert into onboarding_link (account_id, empresa_id, mode, id, page, slug_hash, road, made_by, person_rut, person_name,
      created_at, expires_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${link.id}, ${link.page}, ${link.slug_hash}, ${link.road},
      ${link.made_by}, ${link.person?.rut ?? null}, ${link.person?.name ?? null}, ${link.created_at}, ${link.expires_at})`
}

/** Ends every link of a page that can still be opened. Returns how many there were. */
export async function revokeLinks(sql: Sql, scope: EmpresaScope, page: PageKey, at: Date): Promise<number> {
  const rows = await sql`
    update onboarding_link set revoked_at = ${at}
    where ${ownedBy(scope)} and page = ${page} and used_at is null and revoked_at is null and expires_at > ${at} returning 1`
  return rows.length
}

/** Ends those of some pages that were mailed. */
export async function revokeMailed(sql: Sql, scope: EmpresaScope, pages: readonly PageKey[], at: Date): Promise<void> {
  await sql`
    update onboarding_link set revoked_at = ${at}
    where ${ownedBy(scope)} and page = any(${pages}::text[]) and road = 'letter' and used_at is null and revoked_at is null`
}

/** A link lives no longer than the key or the grant that minted it. A key that was rolled is the same key. */
const makerStands = (made_by: Fragment) => part`(${keyStands(made_by)} and ${grantOfIdStands(made_by)})`

/** Whether a link can be used now. */
export async function isUsable(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from onboarding_link
    where ${ownedBy(scope)} and id = ${id} and used_at is null and revoked_at is null and expires_at > ${at}
      and ${makerStands(part`onboarding_link.made_by`)} for update`
  return rows.length > 0
}

/** Uses a link up. */
export async function useLink(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<void> {
  await sql`update onboarding_link set used_at = ${at} where ${ownedBy(scope)} and id = ${id}`
}

/** Revokes those of a whole account that were made in distrust. Returns how many there were. */
export async function revokeDistrusted(sql: Sql, account_id: string, distrust: Distrust, at: Date): Promise<number> {
  const rows = await sql`
    update onboarding_link set revoked_at = ${at}
    where account_id = ${account_id} and used_at is null and revoked_at is null
      and ${isMadeInDistrust('onboarding_link', distrust)} returning 1`
  return rows.length
}

/** Revokes those that sessions of an account minted, but for one of them. Returns how many there were. */
export async function revokeOfSessions(sql: Sql, account_id: string, but_session: string, at: Date): Promise<number> {
  const rows = await sql`
    update onboarding_link set revoked_at = ${at}
    where account_id = ${account_id} and used_at is null and revoked_at is null and starts_with(made_by, ${ID_PREFIXES.session})
      and made_by <> ${but_session} returning 1`
  return rows.length
}

/** Those that can still be opened get another maker. */
export async function moveLinks(
  sql: Sql,
  { account_id, mode }: AccountScope,
  from: readonly string[],
  to: string,
): Promise<void> {
  await sql`
    update onboarding_link set made_by = ${to}
    where account_id = ${account_id} and mode = ${mode} and made_by = any(${from}::text[])
      and used_at is null and revoked_at is null`
}

export interface FoundLink extends EmpresaScope, JoinedClock {
  readonly id: string
  readonly page: PageKey
  readonly made_by: string
  readonly person_rut: string | null
  readonly person_name: string | null
  readonly expires_at: Date
  readonly used_at: Date | null
  readonly revoked_at: Date | null
  readonly maker_stands: boolean
  readonly legal_name: string
  readonly account_name: string | null
  readonly account_email: string
}

/** A link by the digest of its slug, whether it still works or not, with the clock of its empresa. */
export async function findLink(sql: Sql, slug_hash: Buffer): Promise<FoundLink | null> {
  const [row] = await sql<FoundLink>`
    select l.account_id, l.empresa_id, l.mode, e.rut, l.id, l.page, l.made_by, l.person_rut, l.person_name, l.expires_at, l.used_at, l.revoked_at,
      ${makerStands(part`l.made_by`)} as maker_stands, e.legal_name, a.name as account_name, a.email as account_email, ${joinedClock}
    from onboarding_link l ${joinEmpresa('l')} ${joinOpenAccount('l')} ${joinClocks('l')}
    where l.slug_hash = ${slug_hash}`
  return row ?? null
}
