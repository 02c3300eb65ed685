import { SENT } from '../catalog/headers.ts'
import { BUCKETS, type BucketName, EMAIL_BUCKETS } from '../catalog/limits.ts'
import { normalizeEmail } from '../domain/platform/account/schema.ts'
import { isUsualNetwork } from '../domain/platform/account/usual-network.ts'
import type { Sql } from '../kernel/db.ts'
import { networkOf } from '../kernel/network.ts'
import { AccountProblem, Problem } from '../kernel/problem.ts'
import { type RateLimiter, type Window, windowOf } from '../kernel/rate-limit.ts'
import type { Caller } from '../kernel/scope.ts'
import type { Admission, Call } from './call.ts'
import { onlyEmpresa } from './resolve-empresa.ts'

function ownWindow(name: BucketName, call: Call, account_id: string, caller: Caller, credential: string): Window {
  const by = BUCKETS[name].counted_by
  if (by === 'account') return windowOf(name, account_id)
  if (by === 'credential') return windowOf(name, credential)
  // Naming the only empresa there is must not open a second window.
  return windowOf(name, `${credential}|${call.header(SENT.empresa) ?? onlyEmpresa(caller) ?? ''}`)
}

/** Counts a call in the general bucket of its credential and in the operation's own, where it has one. */
export async function throttleCall(limiter: RateLimiter, call: Call, admission: Admission): Promise<void> {
  const { caller, account } = admission
  if (call.api === 'bootstrap') return throttleAccount(limiter, call, admission)
  if (!caller || !account) return
  const credential = `${caller.credential_id}|${account.mode}`
  const windows = [windowOf('general', credential)]
  if (call.operation.limit) windows.push(ownWindow(call.operation.limit, call, account.account_id, caller, credential))
  const verdict = await limiter.take(windows)
  admission.rate = verdict
  if (!verdict.allowed) throw new Problem('rate_limited', { retry_after_seconds: verdict.reset_seconds })
}

/**
 * The caller is told to wait a whole window of the operation's own bucket, whichever was full: what is left of it, or the
 * length of another, would tell.
 */
function throttled(bucket: BucketName): AccountProblem {
  return new AccountProblem('auth_throttled', { retry_after_seconds: BUCKETS[bucket].window_seconds })
}

/** /account counts every attempt, also the good ones: strangers by their address, people by their session. */
async function throttleAccount(limiter: RateLimiter, call: Call, admission: Admission): Promise<void> {
  const { session } = admission
  const { limit } = call.operation
  const windows = session ? [windowOf('general', session.session_id)] : []
  if (limit) windows.push(windowOf(limit, session ? session.account_id : call.ip))
  if (windows.length === 0) return
  const verdict = await limiter.take(windows)
  if (session) admission.rate = verdict
  if (!verdict.allowed) throw throttled(limit ?? 'general')
}

interface EmailParts {
  readonly limiter: RateLimiter
  readonly sql: Sql
}

/**
 * Once the body is read, the e-mail address in it counts too, however it is written: with the network of the caller, and
 * over all networks but those usual for its account, so that nobody uses up what its owner has. Whether a network is usual
 * is asked at every attempt, with or without an account.
 */
export function throttlingEmail<T>(
  parts: EmailParts,
  call: Call,
  { email }: Record<string, unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { id, limit } = call.operation
  const buckets = EMAIL_BUCKETS[id]
  if (!buckets || !limit || typeof email !== 'string') return work()
  return countingEmail(parts, call, { buckets, limit, email: normalizeEmail(email) }, work)
}

interface Counted {
  readonly buckets: NonNullable<(typeof EMAIL_BUCKETS)[string]>
  readonly limit: BucketName
  readonly email: string
}

async function countingEmail<T>(
  { limiter, sql }: EmailParts,
  { operation, ip }: Call,
  { buckets, limit, email }: Counted,
  work: () => Promise<T>,
): Promise<T> {
  const strange = buckets.elsewhere !== undefined && !(await isUsualNetwork(sql, email, ip))
  // By operation: the letters of forgot_password are used up only by letters with a link to set a password.
  const elsewhere = strange && buckets.elsewhere ? [windowOf(buckets.elsewhere, `${operation.id}|${email}`)] : []
  const verdict = await limiter.take([windowOf(buckets.own, `${email}|${networkOf(ip)}`), ...elsewhere])
  if (!verdict.allowed) throw throttled(limit)
  const result = await work()
  if (buckets.failures_only) await limiter.giveBack(elsewhere)
  return result
}
