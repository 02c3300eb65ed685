import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope, EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { type Distrust, isMadeInDistrust } from '../../distrust.ts'
import { grantStands } from '../../platform/agent-grant/sql.ts'
import { joinEmpresa } from '../../platform/empresa/sql.ts'
import { joinClocks, joinedClock } from '../../platform/test-clock/sql.ts'
import type { LinkSubject, PublicLinkRow } from './show.ts'

function about(subject: LinkSubject): Fragment {
  if ('document_id' in subject) return part`document_id = ${subject.document_id}`
  return part`f29_period = ${subject.f29_period}`
}

export type NewLink = Omit<PublicLinkRow, 'document_id'> & {
  readonly slug_hash: Buffer
  readonly made_by: string
}

export async function insertPublicLink(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  subject: LinkSubject,
  row: NewLink,
): Promise<void> {
  const { document_id = null, f29_period = null } = { ...subject } as Partial<Record<string, string>>
  await sql`
    insert into public_link (account_id, empresa_id, mode, document_id, f29_period, id, slug_hash, cedible, created_at,
      expires_at, made_by)
    values (${account_id}, ${empresa_id}, ${mode}, ${document_id}, ${f29_period}, ${row.id}, ${row.slug_hash},
      ${row.cedible}, ${row.created_at}, ${row.expires_at}, ${row.made_by})`
}

/** Links that live, in the whole account; no more than `max` of them are looked at. */
export async function countLivingLinks(
  sql: Sql,
  { account_id, mode }: AccountScope,
  now: Date,
  max: number,
): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from (
      select from public_link where account_id = ${account_id} and mode = ${mode} and revoked_at is null
        and (expires_at is null or expires_at > ${now}) limit ${max}) living`
  return row?.count ?? 0
}

/** Revokes the links to a subject: those of one kind, or all. */
export async function revokePublicLinkRows(
  sql: Sql,
  scope: EmpresaScope,
  subject: LinkSubject,
  at: Date,
  cedible?: boolean,
): Promise<void> {
  await sql`
    update public_link set revoked_at = ${at}
    where ${ownedBy(scope)} and ${about(subject)} and revoked_at is null
      ${cedible === undefined ? nothing : part`and cedible = ${cedible}`}`
}

/** Revokes the links of a whole account that were made in distrust. Returns how many there were. */
export async function revokeDistrusted(sql: Sql, account_id: string, distrust: Distrust, at: Date): Promise<number> {
  const rows = await sql`
    update public_link set revoked_at = ${at}
    where account_id = ${account_id} and revoked_at is null and ${isMadeInDistrust('public_link', distrust)} returning 1`
  return rows.length
}

export async function listPublicLinkRows(
  sql: Sql,
  scope: EmpresaScope,
  document_id: string,
  page: { before: string | null; take: number },
): Promise<PublicLinkRow[]> {
  return sql<PublicLinkRow>`
    select id, document_id, cedible, created_at, expires_at, revoked_at from public_link
    where ${ownedBy(scope)} and document_id = ${document_id}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export interface FoundLink extends EmpresaScope {
  readonly document_id: string | null
  readonly f29_period: string | null
  readonly cedible: boolean
  readonly expires_at: Date | null
  readonly offset_ms: number | null
  readonly frozen_at: Date | null
}

/** A link that was not revoked, by the hash of its slug, with the clock of its empresa. */
export async function findUnrevokedLink(sql: Sql, slug_hash: Buffer): Promise<FoundLink | null> {
  const [row] = await sql<FoundLink>`
    select l.account_id, l.empresa_id, l.mode, e.rut, l.document_id, l.f29_period, l.cedible, l.expires_at,
      ${joinedClock}
    from public_link l ${joinEmpresa('l')} ${joinClocks('l')}
    where l.slug_hash = ${slug_hash} and l.revoked_at is null and ${grantStands(part`l.id`)}`
  return row ?? null
}
