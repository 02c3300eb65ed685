import { MAIL_WASTE } from '../../../catalog/limits.ts'
import { RECEPTION } from '../../../catalog/reception.ts'
import { newId } from '../../../kernel/id.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type Inspected, WHOLE_MAIL } from '../../../ports/inspection.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { judge } from './authenticity.ts'
import { siiReceivedAt } from './deadline.ts'
import { ingestFile } from './ingest.ts'
import { readingFor } from './inspection.ts'
import { ingestMail } from './jobs.ts'
import { findMail, insertMail, type MailRow, recordIngested, type Waste } from './mail-store.ts'
import type { Arrival } from './show.ts'

/** Saves a mail and enqueues its ingestion: both or neither, before its sender is told anything. */
export async function receiveMail(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>,
  scope: EmpresaScope,
  mail: Pick<MailRow, 'sender' | 'address'> & { readonly raw: Buffer },
): Promise<void> {
  const id = newId('reception_mail')
  await insertMail(tx.sql, scope, { id, received_at: tx.now(), ...mail })
  const { empresa_id } = scope
  await tx.enqueue(ingestMail, { payload: { mail_id: id }, empresa_id, lane: empresa_id })
}

interface MailFile {
  readonly arrival: Arrival
  readonly inspected: Inspected
}

/** A file that holds nothing anybody issued. The answers of other taxpayers are no junk, nor are results of the SII. */
function isJunk({ arrival, inspected }: MailFile): boolean {
  if ('answer' in inspected || 'result' in inspected) return false
  if ('reason' in inspected) return inspected.reason !== 'exchange_answer'
  return inspected.documents.every((document) => !judge(document, arrival.received_at).authentic)
}

/** Junk is quarantined file by file, each with its event. Beyond a few files the whole mail is quarantined once. */
function bundleJunk(files: readonly MailFile[], mail: Arrival): readonly MailFile[] {
  const junk = files.filter(isJunk)
  if (junk.length <= RECEPTION.quarantined_apart) return files
  const message = `${junk.length} files of the mail hold no document that anybody issued; the first is ${junk[0]?.arrival.file_name}.`
  return [...files.filter((file) => !isJunk(file)), { arrival: mail, inspected: { reason: 'bomb', message } }]
}

/** Where everything is somebody's document, only what took unusually long to read was wasted. */
function wasteOf(files: readonly MailFile[], read_ms: number, bytes: number): Waste {
  if (files.some(isJunk)) return { ms: Math.max(1, read_ms), bytes }
  return { ms: Math.max(0, read_ms - MAIL_WASTE.free_ms), bytes: 0 }
}

/**
 * Ingests the documents of a saved mail. Everything is inspected first; then the outcome is written in one transaction
 * together with the end of the mail, so that whatever happens in between, it is ingested once.
 */
export async function ingestQueuedMail(ctx: JobContext, { mail_id }: { mail_id: string }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const mail = empresa && (await findMail(ctx.sql, empresa.scope, mail_id))
  if (!empresa || !mail?.raw) return 'done'
  const { scope } = empresa
  const { sender, received_at, raw } = mail
  const reading = await readingFor(ctx, scope)
  const opened = await ctx.ports.inspection.inspectMail(raw, reading)
  const files = opened.files.map(({ name, bytes, inspected }): MailFile => {
    return { arrival: { source: 'mail', sender, file_name: name, bytes, received_at }, inspected }
  })
  const wasted = wasteOf(files, opened.read_ms, raw.length)
  await ctx.transact(async (tx) => {
    if (!(await recordIngested(tx.sql, scope, mail_id, { at: tx.now(), wasted }))) return
    const whole: Arrival = { source: 'mail', sender, file_name: WHOLE_MAIL, bytes: raw, received_at }
    for (const { arrival, inspected } of bundleJunk(files, whole)) {
      await ingestFile(tx, scope, arrival, inspected, ({ signed_at }) => siiReceivedAt(signed_at, received_at))
    }
  })
  return 'done'
}
