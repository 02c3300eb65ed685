import { findByReceptionEmail } from '../domain/platform/empresa/lookup.ts'
import { receiveMail } from '../domain/receiving/received-document/ingest-mail.ts'
import { REAL_TIME, systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import type { Transactor } from '../kernel/transactor.ts'

/** A mail as the mail server received it. */
export interface IncomingMail {
  readonly to: readonly string[]
  /** Null for a bounce, which no person sends. */
  readonly from: string | null
  readonly raw: Buffer
}

/** The mail server's view of the domain: which addresses it accepts, and who stores a mail before its sender is told so. */
export interface MailReceiver {
  accepts(address: string): Promise<boolean>
  receive(mail: IncomingMail): Promise<void>
}

export function mailReceiver({
  sql: reading,
  transactor,
}: {
  readonly sql: Sql
  readonly transactor: Transactor
}): MailReceiver {
  const now = () => new Date(systemNow())
  return {
    accepts: async (address) => (await findByReceptionEmail(reading, address)) !== null,
    async receive({ to, from, raw }) {
      for (const address of new Set(to)) {
        const scope = await findByReceptionEmail(reading, address)
        if (!scope) continue
        await transactor.transact({ ...scope, clock: REAL_TIME }, (sql, unit) =>
          receiveMail({ sql, now, enqueue: unit.enqueue.bind(unit, sql) }, scope, { sender: from, raw }),
        )
      }
    },
  }
}
