import { MAIL_WASTE } from '../../../catalog/limits.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

export interface MailRow {
  readonly id: string
  readonly sender: string | null
  /** Of the network it came from. */
  readonly address: string | null
  readonly raw: Buffer | null
  readonly received_at: Date
  readonly taken_in_at: Date | null
}

export async function insertMail(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  mail: Pick<MailRow, 'id' | 'sender' | 'address' | 'received_at'> & { readonly raw: Buffer },
): Promise<void> {
  await sql`
    insert into reception_mail (account_id, empresa_id, mode, id, sender, address, raw, received_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${mail.id}, ${mail.sender}, ${mail.address}, ${mail.raw},
      ${mail.received_at})`
}

export async function findMail(sql: Sql, scope: EmpresaScope, id: string): Promise<MailRow | null> {
  const [row] = await sql<Omit<MailRow, 'raw'> & { bytes: number | null }>`
    select id, sender, address, received_at, taken_in_at, octet_length(raw) as bytes
    from reception_mail where ${ownedBy(scope)} and id = ${id}`
  return row ? { ...row, raw: await readRaw(sql, scope, id, row.bytes) } : null
}

/** The driver takes bytes for text: a whole mail at once would be megabytes of hexadecimal digits on the event loop. */
const SLICE_BYTES = 256 * 1024

async function readRaw(sql: Sql, scope: EmpresaScope, id: string, bytes: number | null): Promise<Buffer | null> {
  const slices: Buffer[] = []
  for (let start = 0; start < (bytes ?? 0); start += SLICE_BYTES) {
    const [row] = await sql<{ slice: Buffer | null }>`
      select substring(raw from ${start + 1}::integer for ${SLICE_BYTES}::integer) as slice
      from reception_mail where ${ownedBy(scope)} and id = ${id}`
    // Another run was first, and dropped it meanwhile.
    if (!row?.slice) return null
    slices.push(row.slice)
  }
  return bytes === null ? null : Buffer.concat(slices)
}

/** What reading a mail cost us for nothing. */
export interface Waste {
  readonly ms: number
  readonly bytes: number
}

/** Drops the raw mail: its documents and its quarantine hold everything now. False when another run was first. */
export async function recordIngested(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  { at, wasted }: { readonly at: Date; readonly wasted: Waste },
): Promise<boolean> {
  const rows = await sql<{ id: string }>`
    update reception_mail
    set raw = null, taken_in_at = ${at}, wasted_ms = ${Math.ceil(wasted.ms)}, wasted_bytes = ${wasted.bytes}
    where ${ownedBy(scope)} and id = ${id} and taken_in_at is null returning id`
  return rows.length > 0
}

/** Whose mails are looked at. Senders and addresses write to every tenant; nothing but numbers is read of theirs. */
export type MailSource = { readonly mailbox: EmpresaScope } | { readonly address: string } | { readonly sender: string }

function from(source: MailSource): Fragment {
  if ('mailbox' in source) return ownedBy(source.mailbox)
  return 'address' in source ? part`address = ${source.address}` : part`sender = ${source.sender}`
}

export interface MailLoad {
  readonly waiting: number
  readonly wasted: Waste
}

/** What a source has us do: mails that wait, and what its other mails wasted lately. */
export async function readLoad(sql: Sql, source: MailSource, now: Date): Promise<MailLoad> {
  const since = secondsFrom(now, -MAIL_WASTE.window_seconds)
  const [row] = await sql<{ waiting: number; ms: number; bytes: number }>`
    select count(*) filter (where taken_in_at is null)::integer as waiting,
      coalesce(sum(wasted_ms) filter (where received_at > ${since}), 0)::float8 as ms,
      coalesce(sum(wasted_bytes) filter (where received_at > ${since}), 0)::float8 as bytes
    from reception_mail where ${from(source)} and (taken_in_at is null or wasted_ms > 0)`
  return { waiting: row?.waiting ?? 0, wasted: { ms: row?.ms ?? 0, bytes: row?.bytes ?? 0 } }
}

/** Forgets from where mails came, and what they wasted, once neither counts any more. */
export async function forgetSources(sql: Sql, before: Date): Promise<void> {
  await sql`
    update reception_mail set address = null, wasted_ms = 0, wasted_bytes = 0
    where received_at < ${before} and taken_in_at is not null and (address is not null or wasted_ms > 0)`
}
