import { MODES } from '../catalog/modes.ts'
import type { CreateGrantContext } from '../domain/platform/agent-grant/create.ts'
import type { RevokeContext } from '../domain/platform/agent-grant/revoke.ts'
import { readClock } from '../domain/platform/test-clock/read-clock.ts'
import type { Actor, AuditedAct } from '../kernel/audit.ts'
import type { Cache } from '../kernel/cache.ts'
import { nowOf, REAL_TIME } from '../kernel/clock.ts'
import type { Database } from '../kernel/db.ts'
import type { Log } from '../kernel/log.ts'
import type { RateLimiter } from '../kernel/rate-limit.ts'
import type { AccountScope } from '../kernel/scope.ts'
import type { Transactor } from '../kernel/transactor.ts'
import type { Addresses, Ports } from '../ports/ports.ts'

export interface OauthParts {
  readonly db: Database
  readonly ports: Ports
  readonly addresses: Addresses
  readonly limiter: RateLimiter
  readonly log: Log
  readonly cache: Cache
  readonly transactor: Transactor
}

/**
 * One transaction for an account, with its events and jobs, as a call of its own would have. The audit log tells of it,
 * unless there was nothing to do.
 */
export async function transactFor(
  { db, ports, addresses, transactor }: OauthParts,
  scope: AccountScope,
  act: AuditedAct & { readonly actor: Actor },
  work: (ctx: CreateGrantContext & RevokeContext) => Promise<boolean>,
): Promise<boolean> {
  const { account_id, mode } = scope
  const clock = MODES[mode].has_test_clock ? await readClock(db.sql, { account_id, empresa_id: null }) : REAL_TIME
  return transactor.transact({ account_id, mode, empresa_id: null, clock }, async (sql, unit) => {
    const done = await work({
      sql,
      ports,
      addresses,
      now: () => nowOf(clock),
      enqueue: unit.enqueue.bind(unit, sql),
      emit: (event) => unit.emit(event),
      invalidate: unit.invalidate.bind(unit),
      audit: (beside) => unit.audit({ account_id, mode, empresa: null, actor: act.actor, ...beside }),
    })
    if (done) unit.audit({ account_id, mode, empresa: null, ...act })
    return done
  })
}
