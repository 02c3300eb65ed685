import { findByReceptionEmail } from '../domain/platform/empresa/lookup.ts'
import { receiveMail } from '../domain/receiving/received-document/ingest-mail.ts'
import { REAL_TIME, systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import type { Transactor } from '../kernel/transactor.ts'

/** A mail as a server of ours took it. */
export interface IncomingMail {
  readonly to: readonly string[]
  /** Null for what no person sends: bounces. */
  readonly from: string | null
  readonly raw: Buffer
}

/** What a mail server needs to know: whom it takes mail for, and where to leave it before it says that it has it. */
export interface MailInlet {
  knows(address: string): Promise<boolean>
  keep(mail: IncomingMail): Promise<void>
}

export function mailInlet({
  sql: reading,
  transactor,
}: {
  readonly sql: Sql
  readonly transactor: Transactor
}): MailInlet {
  const now = () => new Date(systemNow())
  return {
    knows: async (address) => (await findByReceptionEmail(reading, address)) !== null,
    async keep({ to, from, raw }) {
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
