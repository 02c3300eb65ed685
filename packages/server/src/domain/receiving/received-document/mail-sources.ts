import { MAIL_SOURCES, MAIL_WASTE } from '../../../catalog/limits.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { idFloor } from '../../../kernel/id.ts'
import { forgetSources, type MailLoad, type MailSource, readLoad } from './mail-store.ts'
import { deleteQuarantinedBytes } from './reception-store.ts'

const NAMES = { address: 'your address', sender: 'this sender', mailbox: 'this mailbox' } as const
export type SourceKind = keyof typeof MAIL_SOURCES

function kindOf(source: MailSource): SourceKind {
  if ('mailbox' in source) return 'mailbox'
  return 'address' in source ? 'address' : 'sender'
}

function excuse(kind: SourceKind, { waiting, wasted }: MailLoad): string | null {
  const most = MAIL_SOURCES[kind]
  if (waiting >= most.waiting) return `${waiting} mails of ${NAMES[kind]} wait to be read, try later`
  if (wasted.ms < most.wasted_ms && wasted.bytes < most.wasted_bytes) return null
  const hours = MAIL_WASTE.window_seconds / 3600
  return `Mails of ${NAMES[kind]} were too much to read and no documents, try again in ${hours} h`
}

/** Why no more mail is taken for now, in the words of its sender's server; null while there is room. */
export async function excuseFor(sql: Sql, source: MailSource, now: Date): Promise<string | null> {
  return excuse(kindOf(source), await readLoad(sql, source, now))
}

/** Deletes the bytes of what was set aside and the traces of its senders, each past its retention. */
export async function cleanUpReception(sql: Sql, now: Date): Promise<void> {
  await forgetSources(sql, daysFrom(now, -RETENTION.mail_address_days))
  await deleteQuarantinedBytes(sql, idFloor('reception', daysFrom(now, -RETENTION.quarantined_bytes_days)))
}
