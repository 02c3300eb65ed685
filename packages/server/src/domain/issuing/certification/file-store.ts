import { advanceMany } from '../../../kernel/advance.ts'
import { nothing, part, type Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { TriggerOf } from '../../../kernel/machine.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { StepKey } from '../../platform/onboarding/lanes.ts'
import type { FileKind, FileRow, NewFile } from './file.ts'
import { certificationFileMachine } from './machine.ts'

const COLUMNS = part`id, set_id, step, kind, position, attempt, file_name, plan, cafs, sample, status, track_id, sent_at,
  words, findings, created_at, changed_at, superseded_at`

/** The files of a step that stand, in the order in which they are sent. */
export async function listFiles(sql: Sql, scope: EmpresaScope, step: StepKey): Promise<FileRow[]> {
  return sql<FileRow>`
    select ${COLUMNS} from certification_file
    where ${ownedBy(scope)} and step = ${step} and superseded_at is null order by position, kind`
}

/** The last attempt at each file of every step, refused ones included, as somebody looks at them. */
export async function listLatestFiles(sql: Sql, scope: EmpresaScope): Promise<FileRow[]> {
  return sql<FileRow>`
    select distinct on (step, position, kind) ${COLUMNS} from certification_file where ${ownedBy(scope)}
    order by step, position, kind, attempt desc`
}

/** Whether the SII refused such a file before. */
export async function wasRefused(sql: Sql, scope: EmpresaScope, step: StepKey, kind: FileKind): Promise<boolean> {
  const [row] = await sql<{ refused: boolean }>`
    select exists (select from certification_file
      where ${ownedBy(scope)} and step = ${step} and kind = ${kind} and status = 'refused') as refused`
  return row?.refused ?? false
}

/** A book that went to the SII, and the period that it was of. */
export interface SentBook {
  readonly kind: FileKind
  readonly period: string
}

/**
 * Books that went to the SII, whatever became of them, those set aside included. One that is signed may have gone as well: its
 * answer is what may be missing.
 */
export async function listSentBooks(sql: Sql, scope: EmpresaScope): Promise<SentBook[]> {
  return sql<SentBook>`
    select distinct kind, plan #>> '{book,period}' as period from certification_file
    where ${ownedBy(scope)} and plan #>> '{book,period}' is not null and (sent_at is not null or status = 'signed')`
}

export async function findFile(sql: Sql, scope: EmpresaScope, id: string): Promise<FileRow | null> {
  const [row] = await sql<FileRow>`select ${COLUMNS} from certification_file where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

export async function contentOf(sql: Sql, scope: EmpresaScope, id: string): Promise<Uint8Array | null> {
  const [row] = await sql<{ content: Uint8Array | null }>`
    select content from certification_file where ${ownedBy(scope)} and id = ${id}`
  return row?.content ?? null
}

/** One attempt more than there were. Two that make the same at one instant make it once: the second fails on the index. */
export async function insertFiles(sql: Sql, scope: EmpresaScope, files: readonly NewFile[], at: Date): Promise<void> {
  const { account_id, empresa_id, mode } = scope
  for (const file of files)
    await sql`
      insert into certification_file (account_id, empresa_id, mode, id, set_id, step, kind, position, attempt, file_name,
        plan, cafs, content, sample, status, created_at, changed_at)
      select ${account_id}, ${empresa_id}, ${mode}, ${newId('certification_file')}, ${file.set_id ?? null}, ${file.step},
        ${file.kind}, ${file.position}, coalesce(max(attempt), 0) + 1, ${file.file_name},
        ${file.plan ? JSON.stringify(file.plan) : null}::json, ${JSON.stringify(file.cafs ?? {})}::json,
        ${file.content ? Buffer.from(file.content) : null}::bytea, ${file.sample ? JSON.stringify(file.sample) : null}::json,
        ${file.status ?? 'planned'}, ${at}, ${at}
      from certification_file
      where ${ownedBy(scope)} and step = ${file.step} and kind = ${file.kind} and position = ${file.position}`
}

export interface FileNews {
  readonly content?: Uint8Array
  readonly track_id?: string | null
  readonly sent_at?: Date | null
  readonly words?: string | null
  readonly findings?: readonly string[]
}

/** Moves files, with what is known of them since. Those that somebody else moved meanwhile are left alone. */
export async function moveFiles(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[],
  trigger: TriggerOf<typeof certificationFileMachine>,
  at: Date,
  { content, track_id, sent_at, words, findings }: FileNews = {},
): Promise<number> {
  const news = part`, changed_at = ${at}
    ${content === undefined ? nothing : part`, content = ${Buffer.from(content)}`}
    ${track_id === undefined ? nothing : part`, track_id = ${track_id}`}
    ${sent_at === undefined ? nothing : part`, sent_at = ${sent_at}`}
    ${words === undefined ? nothing : part`, words = ${words}`}
    ${findings === undefined ? nothing : part`, findings = ${JSON.stringify(findings)}::json`}`
  return (await advanceMany(sql, certificationFileMachine, scope, ids, trigger, news)).length
}

/** What the SII says of files that stay where they are. */
export async function saveFileWords(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[],
  words: string,
): Promise<void> {
  await sql`update certification_file set words = ${words} where ${ownedBy(scope)} and id = any(${[...ids]}::text[])`
}

/** Told before they are sent: whoever finds them at the SII then knows that they may be these. */
export async function saveSending(sql: Sql, scope: EmpresaScope, ids: readonly string[], at: Date): Promise<void> {
  await sql`update certification_file set sent_at = ${at} where ${ownedBy(scope)} and id = any(${[...ids]}::text[])`
}

/** Sets files aside: they stay for whoever looks back, and what is made next is made anew. */
export async function supersedeFiles(
  sql: Sql,
  scope: EmpresaScope,
  step: StepKey,
  kinds: readonly FileKind[],
  at: Date,
): Promise<void> {
  await sql`
    update certification_file set superseded_at = ${at}, changed_at = ${at}
    where ${ownedBy(scope)} and step = ${step} and kind = any(${[...kinds]}::text[]) and superseded_at is null`
}
