import type { Answer } from '../kernel/answer.ts'
import { REAL_TIME, systemNow } from '../kernel/clock.ts'
import type { Database } from '../kernel/db.ts'
import { Unit } from '../kernel/unit.ts'
import { concernedBy, keepNotice } from '../modules/connection/notice.ts'
import type { Ports } from '../ports/ports.ts'
import type { PlainRoute } from './http-server.ts'

const answerOf = (status: number, received: boolean): Answer => ({
  status,
  headers: {},
  body: JSON.stringify({ received }),
})

/**
 * Where the provider of bank data tells what is new. It is believed by its signature alone, and only queues work: it
 * sends again what is not answered soon, and what comes twice does no harm.
 */
export function bankDoor({ db, ports }: { readonly db: Database; readonly ports: Ports }): PlainRoute[] {
  const bank = ports.bank.live
  return [
    {
      path: '/webhooks/fintoc',
      method: 'POST',
      async answer({ raw, header }) {
        const signature = header('fintoc-signature') ?? ''
        const notice = bank.readNotice({ signature, body: raw, at: new Date(systemNow()) })
        if (!notice) return answerOf(401, false)
        for (const concerned of await concernedBy(db.sql, bank.provider, notice)) {
          const { account_id, mode, empresa_id } = concerned.scope
          const unit = new Unit({ account_id, mode, empresa_id, clock: REAL_TIME })
          await db.transact(async (sql) => {
            await keepNotice({ enqueue: (job, request) => unit.enqueue(sql, job, request) }, concerned, notice)
            await unit.flush(sql)
          })
        }
        return answerOf(200, true)
      },
    },
  ]
}
