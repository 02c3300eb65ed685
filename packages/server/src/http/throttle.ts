import { BUCKETS, type BucketName, EMAIL_BUCKETS } from '../catalog/limits.ts'
import { AccountProblem } from '../kernel/problem.ts'
import { type RateLimiter, windowOf } from '../kernel/rate-limit.ts'
import type { Admission, Call } from './call.ts'

/** Whoever is refused is told to wait a whole window: how long is left would tell which of the buckets was full. */
function throttled(bucket: BucketName): AccountProblem {
  return new AccountProblem('auth_throttled', { retry_after_seconds: BUCKETS[bucket].window_seconds })
}

/** The doors of /account count every attempt, also the good ones: strangers by their address, people by their session. */
export async function throttleDoor(limiter: RateLimiter, call: Call, admission: Admission): Promise<void> {
  const { session } = admission
  const { limit } = call.operation
  const windows = session ? [windowOf('general', session.session_id)] : []
  if (limit) windows.push(windowOf(limit, session ? session.account_id : call.ip))
  if (windows.length === 0) return
  const verdict = await limiter.take(windows)
  if (session) admission.rate = verdict
  if (!verdict.allowed) throw throttled(limit ?? 'general')
}

/** Once the body is read, the address in it counts too, however it is written. */
export async function throttleEmail(limiter: RateLimiter, call: Call, input: Record<string, unknown>): Promise<void> {
  const bucket = call.operation.limit && EMAIL_BUCKETS[call.operation.limit]
  if (!bucket || typeof input.email !== 'string') return
  const verdict = await limiter.take([windowOf(bucket, input.email.trim().toLowerCase())])
  if (!verdict.allowed) throw throttled(bucket)
}
