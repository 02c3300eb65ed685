import { MODES } from '../catalog/modes.ts'
import { logout } from '../domain/platform/account/logout.ts'
import type { Granting } from '../domain/platform/agent-grant/create.ts'
import type { Ending } from '../domain/platform/agent-grant/end.ts'
import { readClock } from '../domain/platform/test-clock/read-clock.ts'
import type { PlainRequest } from '../http/route-types.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Cache } from '../kernel/cache.ts'
import { nowOf, REAL_TIME, systemNow } from '../kernel/clock.ts'
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

/** One transaction for an account, with its events and jobs, as a call of its own would have. */
export async function transactFor<T>(
  { db, ports, addresses, transactor }: OauthParts,
  scope: AccountScope,
  work: (ctx: Granting & Ending) => Promise<T>,
): Promise<T> {
  const { account_id, mode } = scope
  const clock = MODES[mode].has_test_clock ? await readClock(db.sql, { account_id, empresa_id: null }) : REAL_TIME
  return transactor.transact({ account_id, mode, empresa_id: null, clock }, (sql, unit) =>
    work({
      sql,
      ports,
      addresses,
      now: () => nowOf(clock),
      enqueue: unit.enqueue.bind(unit, sql),
      emit: (event) => unit.emit(event),
      invalidate: unit.invalidate.bind(unit),
    }),
  )
}

type Entered =
  | { readonly account_id: string }
  | { readonly refused: { readonly text: string; readonly status: number } }

function saidIn({ status, body }: Answer): { text: string; status: number } {
  const { message } = JSON.parse(body ?? '{}') as { message?: string }
  return { text: message ?? 'No pudimos iniciar tu sesión. Inténtalo otra vez.', status }
}

/** Logs a person in through the very operation of the account, with its throttles. Its session has done its work then. */
export async function logInAt({ db, ports }: OauthParts, { form, ask }: PlainRequest): Promise<Entered> {
  const answer = await ask('account.login', { email: form.email ?? '', password: form.password ?? '' })
  if (answer.status !== 200) return { refused: saidIn(answer) }
  const { token } = JSON.parse(answer.body ?? '{}').data as { token: string }
  const session = await ports.sessions.read(db.sql, token)
  if (!session) return { refused: { text: 'Tu sesión no es válida. Inténtalo otra vez.', status: 401 } }
  await logout({ sql: db.sql, ...session, now: () => new Date(systemNow()) })
  return { account_id: session.account_id }
}
