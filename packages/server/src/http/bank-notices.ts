import { CEILINGS } from '../catalog/limits.ts'
import { enqueueNotice, findConcerned } from '../domain/banking/connection/notice.ts'
import type { Answer } from '../kernel/answer.ts'
import { REAL_TIME, systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import { unlessOwnerGone } from '../kernel/owner.ts'
import type { Transactor } from '../kernel/transactor.ts'
import type { Ports } from '../ports/ports.ts'
import type { PlainRoute } from './routes.ts'

export interface BankNoticeParts {
  readonly sql: Sql
  readonly ports: Ports
  readonly transactor: Transactor
}

const answerOf = (status: number, received: boolean): Answer => ({
  status,
  headers: {},
  body: JSON.stringify({ received }),
})

/**
 * The webhook on which the provider of bank data notifies us. A notice is believed by its signature alone, and only
 * enqueues work: the provider sends again what is not answered soon, and a repeated notice does no harm.
 */
export function bankNoticeRoutes({ sql, ports, transactor }: BankNoticeParts): PlainRoute[] {
  const bank = ports.bank.live
  return [
    {
      path: '/webhooks/fintoc',
      method: 'POST',
      for_programs: true,
      body_bytes: CEILINGS.json_body_bytes,
      async answer({ raw, header }) {
        const signature = header('fintoc-signature') ?? ''
        const notice = bank.readNotice({ signature, body: raw, at: new Date(systemNow()) })
        if (!notice) return answerOf(401, false)
        for (const concerned of await findConcerned(sql, bank.provider, notice)) {
          const { account_id, mode, empresa_id } = concerned.scope
          const enqueued = transactor.transact({ account_id, mode, empresa_id, clock: REAL_TIME }, (sql, unit) =>
            enqueueNotice({ enqueue: unit.enqueue.bind(unit, sql) }, concerned, notice),
          )
          await enqueued.catch(unlessOwnerGone)
        }
        return answerOf(200, true)
      },
    },
  ]
}
