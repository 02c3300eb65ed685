import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope, EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { CertificateRefusals } from '../empresa/refusals.ts'
import { joinEmpresa, ofActiveEmpresa, refusalsOf } from '../empresa/sql.ts'
import { signerOfMandato } from '../mandato/sql.ts'
import type { Authority } from './schema.ts'
import type { CertificateRow, Served } from './show.ts'

const COLUMNS = part`account_id, empresa_id, mode, id, fingerprint_sha256, holder_rut, holder_name, issuer, serial,
  not_before, not_after, authority, chain, uploaded_at, last_used_at, ${refusalsOf('certificate')} as refused,
  ${signerOfMandato('certificate')} as mandato_signer`

export type NewCertificate = Omit<
  CertificateRow,
  'account_id' | 'empresa_id' | 'mode' | 'last_used_at' | 'refused' | 'mandato_signer'
> & {
  readonly sealed: Uint8Array
  readonly reusable: boolean
}

export async function findCertificate(sql: Sql, scope: EmpresaScope): Promise<CertificateRow | null> {
  const [row] = await sql<CertificateRow>`select ${COLUMNS} from certificate where ${ownedBy(scope)}`
  return row ?? null
}

/** The same where it may sign: that of a suspended empresa stays closed. */
export async function findUsable(sql: Sql, scope: EmpresaScope): Promise<CertificateRow | null> {
  const [row] = await sql<CertificateRow>`
    select ${COLUMNS} from certificate where ${ownedBy(scope)} and ${ofActiveEmpresa('certificate')}`
  return row ?? null
}

export async function findSealed(sql: Sql, scope: EmpresaScope, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: Buffer }>`
    select sealed from certificate where ${ownedBy(scope)} and id = ${id}`
  return row?.sealed ?? null
}

const within = (reach: readonly string[] | null) => (reach === null ? nothing : part`and e.rut = any(${reach})`)

/** The empresas that a certificate serves, of those that a credential reaches. */
export async function listServed(
  sql: Sql,
  { account_id, mode }: AccountScope,
  id: string,
  reach: readonly string[] | null,
): Promise<Served[]> {
  return sql<Served>`
    select e.id, e.rut from certificate c ${joinEmpresa('c')}
    where c.account_id = ${account_id} and c.mode = ${mode} and c.id = ${id} ${within(reach)}
    order by e.id`
}

export interface ReusableRow extends CertificateRow {
  readonly sealed: Buffer
  /** False where its holder gave it for that empresa alone. */
  readonly reusable: boolean
}

/** The row of any empresa within reach that has a certificate, with what is sealed for it. */
export async function findReusable(
  sql: Sql,
  { account_id, mode }: AccountScope,
  id: string,
  reach: readonly string[] | null,
): Promise<ReusableRow | null> {
  const [row] = await sql<ReusableRow>`
    select c.* from certificate c ${joinEmpresa('c')}
    where c.account_id = ${account_id} and c.mode = ${mode} and c.id = ${id} ${within(reach)}
    order by c.reusable desc, c.uploaded_at desc limit 1`
  return row ?? null
}

/** The id under which the account knows a certificate already: the same file uploaded twice is one certificate. */
export async function findKnownId(sql: Sql, { account_id, mode }: AccountScope, fingerprint: string) {
  const [row] = await sql<{ id: string }>`
    select id from certificate where account_id = ${account_id} and mode = ${mode} and fingerprint_sha256 = ${fingerprint}
    order by id limit 1`
  return row?.id ?? null
}

export async function replaceCertificate(sql: Sql, scope: EmpresaScope, row: NewCertificate): Promise<CertificateRow> {
  await deleteCertificate(sql, scope)
  const [made] = await sql<CertificateRow>`
    insert into certificate (account_id, empresa_id, mode, id, fingerprint_sha256, holder_rut, holder_name, issuer,
      serial, not_before, not_after, authority, chain, sealed, uploaded_at, reusable)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${row.id}, ${row.fingerprint_sha256},
      ${row.holder_rut}, ${row.holder_name}, ${row.issuer}, ${row.serial}, ${row.not_before}, ${row.not_after},
      ${row.authority}, ${row.chain}, ${row.sealed}, ${row.uploaded_at}, ${row.reusable})
    returning ${COLUMNS}`
  // What the SII said of the one before is about to be forgotten with it.
  return { ...(made as CertificateRow), refused: {} as CertificateRefusals }
}

export async function deleteCertificate(sql: Sql, scope: EmpresaScope): Promise<CertificateRow | null> {
  const [row] = await sql<CertificateRow>`delete from certificate where ${ownedBy(scope)} returning ${COLUMNS}`
  return row ?? null
}

export async function deleteCertificatesOf(sql: Sql, account_id: string): Promise<void> {
  await sql`delete from certificate where account_id = ${account_id}`
}

/** Records that an alert about the end of a certificate went out; false when it, or a later one, already had. */
export async function recordExpiryAlert(sql: Sql, scope: EmpresaScope, id: string, days: number): Promise<boolean> {
  const recorded = await sql`
    update certificate set told_days = ${days}
    where ${ownedBy(scope)} and id = ${id} and (told_days is null or told_days > ${days}) returning id`
  return recorded.length > 0
}

export async function saveLastUse(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<void> {
  await sql`update certificate set last_used_at = ${at} where ${ownedBy(scope)} and id = ${id}`
}

export async function saveAuthority(sql: Sql, scope: EmpresaScope, authority: Authority): Promise<void> {
  await sql`update certificate set authority = ${authority} where ${ownedBy(scope)}`
}

/** Not over a refusal: that one ends when the road by which it came is open again. */
export async function saveProven(sql: Sql, scope: EmpresaScope, fingerprint: string): Promise<void> {
  await sql`
    update certificate set authority = 'proven'
    where ${ownedBy(scope)} and fingerprint_sha256 = ${fingerprint} and authority = 'unproven'`
}
