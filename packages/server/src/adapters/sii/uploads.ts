import { randomUUID } from 'node:crypto'
import { systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { ownedBy } from '../../kernel/tenant.ts'
import type { Submission } from '../../ports/sii.ts'

/** An envelope that was handed to the SII, or is about to be, and has no verdict yet. Its bytes are read apart. */
export interface SentUpload {
  readonly id: string
  readonly kind: Submission['kind']
  /** How often its bytes were sent, or were about to be. */
  readonly sends: number
  /** What the SII calls it; null where it never told. */
  readonly track_id: string | null
  readonly created_at: Date
  /** Of these, how many no longer count against it: somebody asked for more. */
  readonly forgiven: number
  /** When its bytes left last. */
  readonly sent_at: Date
}

export interface Upload extends SentUpload {
  readonly envelope: Uint8Array
}

/** One that was found by a document of it. */
export interface FoundUpload extends Upload {
  readonly document_ids: readonly string[]
}

/**
 * Kept before it is sent, and counted as sent: after a crash the same bytes are sent again, and the SII tells whether it
 * had them.
 */
export async function keepUpload(sql: Sql, submission: Submission): Promise<Upload> {
  const { empresa, kind, envelope, documents } = submission
  const id = randomUUID()
  const ids = documents.map((document) => document.id)
  const created_at = new Date(systemNow())
  await sql`
    insert into sii_upload (account_id, empresa_id, mode, id, kind, document_ids, envelope, sends, created_at, sent_at)
    values (${empresa.account_id}, ${empresa.empresa_id}, ${empresa.mode}, ${id}, ${kind}, ${ids}::text[],
      ${bufferOf(envelope)}, 1, ${created_at}, ${created_at})`
  return { id, kind, envelope, sends: 1, forgiven: 0, track_id: null, created_at, sent_at: created_at }
}

/** The same bytes, not a copy. */
const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export async function findUploadOf(sql: Sql, empresa: EmpresaScope, document_id: string): Promise<FoundUpload | null> {
  const [row] = await sql<FoundUpload>`
    select id, kind, envelope, document_ids, sends, forgiven, track_id, created_at, sent_at from sii_upload
    where ${ownedBy(empresa)} and ${document_id} = any (document_ids) order by created_at desc limit 1`
  return row ?? null
}

/** Without its bytes: an envelope is asked about more often than it is sent. */
export async function findUpload(sql: Sql, empresa: EmpresaScope, id: string): Promise<SentUpload | null> {
  const [row] = await sql<SentUpload>`
    select id, kind, sends, forgiven, track_id, created_at, sent_at from sii_upload where ${ownedBy(empresa)} and id = ${id}`
  return row ?? null
}

export async function readEnvelope(
  sql: Sql,
  empresa: EmpresaScope,
  { id }: Pick<SentUpload, 'id'>,
): Promise<Uint8Array | null> {
  const [row] = await sql<Pick<Upload, 'envelope'>>`
    select envelope from sii_upload where ${ownedBy(empresa)} and id = ${id}`
  return row?.envelope ?? null
}

/** The same documents under another sender. */
export async function replaceEnvelope(
  sql: Sql,
  empresa: EmpresaScope,
  { id }: SentUpload,
  envelope: Uint8Array,
): Promise<void> {
  await sql`update sii_upload set envelope = ${bufferOf(envelope)} where ${ownedBy(empresa)} and id = ${id}`
}

/** Counted before the bytes leave again: one that was counted may have arrived. */
export async function recordSend(sql: Sql, empresa: EmpresaScope, { id }: SentUpload, at: Date): Promise<void> {
  await sql`update sii_upload set sends = sends + 1, sent_at = ${at} where ${ownedBy(empresa)} and id = ${id}`
}

/** As if it had been sent once: what the SII lost may be sent as often again. */
export async function forgiveSends(sql: Sql, empresa: EmpresaScope, id: string): Promise<void> {
  await sql`update sii_upload set forgiven = greatest(sends - 1, 0) where ${ownedBy(empresa)} and id = ${id}`
}

/** They never left. */
export async function forgetSend(sql: Sql, empresa: EmpresaScope, { id }: SentUpload): Promise<void> {
  await sql`update sii_upload set sends = sends - 1 where ${ownedBy(empresa)} and id = ${id}`
}

/** The last one counts: that is what the SII is asked about. */
export async function recordTrack(
  sql: Sql,
  empresa: EmpresaScope,
  { id }: SentUpload,
  track_id: string,
): Promise<void> {
  await sql`update sii_upload set track_id = ${track_id} where ${ownedBy(empresa)} and id = ${id}`
}

/** What has its verdicts, or was refused at the door, is kept no longer. */
export async function dropUpload(sql: Sql, empresa: EmpresaScope, { id }: Pick<SentUpload, 'id'>): Promise<void> {
  await sql`delete from sii_upload where ${ownedBy(empresa)} and id = ${id}`
}
