import { REAL_TIME, systemNow } from '../kernel/clock.ts'
import type { Database } from '../kernel/db.ts'
import { Unit } from '../kernel/unit.ts'
import { findAlias, keepMail } from '../modules/received-document/keep-mail.ts'

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

/** `wake` tells the workers of this process; those of others look at the queue every second. */
export function mailInlet({ db, wake }: { readonly db: Database; readonly wake: () => void }): MailInlet {
  return {
    knows: async (address) => (await findAlias(db.sql, address)) !== null,
    async keep({ to, from, raw }) {
      for (const address of new Set(to)) {
        const scope = await findAlias(db.sql, address)
        if (!scope) continue
        const unit = new Unit({ ...scope, clock: REAL_TIME })
        await db.transact(async (sql) => {
          const now = () => new Date(systemNow())
          await keepMail({ sql, now, enqueue: (job, request) => unit.enqueue(sql, job, request) }, scope, {
            sender: from,
            raw,
          })
          await unit.flush(sql)
        })
      }
      wake()
    },
  }
}
