import { hash } from 'node:crypto'
import { RETENTION } from '../catalog/retention.ts'
import { systemNow } from './clock.ts'
import { type Fragment, listed, part, type Sql } from './db.ts'
import { Problem } from './problem.ts'
import { inScratch } from './scratch.ts'
import type { SealedStore, VersionCount } from './sealed.ts'
import type { Vault } from './vault.ts'

/** A key means one logical operation of one account, on one empresa, at one endpoint. */
export interface IdempotencyScope {
  readonly account_id: string
  readonly mode: string
  readonly empresa_id: string
  readonly operation: string
  readonly key: string
}

/** The status of what is kept before an operation that goes on after its commit knows its answer. */
export const UNFINISHED = 0

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

interface Stored {
  fingerprint: Buffer
  status: number
  answer: Buffer
}

const FINGERPRINT_BYTES = 32

/**
 * Two requests are the same when their place and their bytes are. A body may carry a secret that somebody could guess by
 * trying, such as the password of a .pfx: it rests sealed with the answer, and never as a plain hash.
 */
export function fingerprintOf(path: string, body: Uint8Array): Buffer {
  const line = `${path}\n`
  const length = Buffer.byteLength(line)
  return inScratch(length + body.length, (bytes) => {
    bytes.write(line)
    bytes.set(body, length)
    return hash('sha256', bytes, 'buffer')
  })
}

function identity(scope: IdempotencyScope): string {
  return JSON.stringify([scope.account_id, scope.mode, scope.empresa_id, scope.operation, scope.key])
}

/** The number PostgreSQL knows the key by while a request holds it. */
export function lockOf(scope: IdempotencyScope): string {
  return String(hash('sha256', identity(scope), 'buffer').readBigInt64BE())
}

/**
 * The question that tries to take the key, asked as the transaction opens. The lock lives in PostgreSQL and
 * dies with the transaction, so a process that crashes in mid-request leaves no key behind.
 */
export function tryLockKey(scope: IdempotencyScope): string {
  return `select pg_try_advisory_xact_lock(${lockOf(scope)}) as free`
}

/** Answers older than this are forgotten. */
export function replayCutoff(): Date {
  return new Date(systemNow() - RETENTION.idempotency_seconds * 1000)
}

// Days that were made ahead hold nothing yet, and are not looked into; the half day beyond now is for answers that were kept
// while a clock ran ahead. `take_key` and `take_keys` say the same.
const LOOKED_THROUGH_MS = 36 * 3_600_000

function under(scope: IdempotencyScope): Fragment {
  const since = replayCutoff()
  return part`account_id = ${scope.account_id} and mode = ${scope.mode} and empresa_id = ${scope.empresa_id}
    and operation = ${scope.operation} and key = ${scope.key} and created_at > ${since}
    and created_at < ${new Date(since.getTime() + LOOKED_THROUGH_MS)}`
}

export async function findAnswer(
  sql: Sql,
  vault: Vault,
  scope: IdempotencyScope,
): Promise<(StoredAnswer & { fingerprint: Buffer }) | null> {
  const [found] = await sql<Stored>`
    select fingerprint, status, answer from idempotency where ${under(scope)} order by created_at desc limit 1`
  if (!found) return null
  return { status: found.status, ...openAnswer(vault, scope, found) }
}

/** What was sealed, the fingerprint of its request before the answer. Rows of the release before have it beside it. */
export function openAnswer(
  vault: Vault,
  scope: IdempotencyScope,
  { fingerprint, answer }: Pick<Stored, 'fingerprint' | 'answer'>,
): { readonly fingerprint: Buffer; readonly body: string } {
  const opened = Buffer.from(vault.open(identity(scope), answer))
  if (fingerprint.length > 0) return { fingerprint, body: opened.toString('utf8') }
  return {
    fingerprint: opened.subarray(0, FINGERPRINT_BYTES),
    body: opened.subarray(FINGERPRINT_BYTES).toString('utf8'),
  }
}

/** An answer ready to be kept with the fingerprint of its request. It rests sealed: some carry a secret that is shown once. */
export interface SealedAnswer {
  readonly status: number
  readonly sealed: Buffer
}

export function sealAnswer(
  vault: Vault,
  scope: IdempotencyScope,
  fingerprint: Buffer,
  answer: StoredAnswer,
): SealedAnswer {
  const length = fingerprint.length + Buffer.byteLength(answer.body)
  const { buffer, byteOffset, byteLength } = inScratch(length, (clear) => {
    clear.set(fingerprint)
    clear.write(answer.body, fingerprint.length)
    return vault.seal(identity(scope), clear)
  })
  return { status: answer.status, sealed: Buffer.from(buffer, byteOffset, byteLength) }
}

/** An answer and the key it is kept under. */
export interface KeptAnswer {
  readonly key: IdempotencyScope
  readonly answer: SealedAnswer
}

/**
 * A select of one row: whether the keys were free to take, whether all are unused, and what is kept under a key that is asked for
 * alone.
 */
export function takeKeys(keys: readonly IdempotencyScope[]): Fragment {
  const [first, ...others] = keys
  const since = replayCutoff()
  if (first && others.length === 0) {
    const { account_id, mode, empresa_id, operation, key } = first
    return part`select k.free, k.free and k.answer is null as unused, k.fingerprint, k.status, k.answer
      from take_key(${lockOf(first)}::bigint, ${account_id}, ${mode}, ${empresa_id}, ${operation}, ${key}, ${since}) k`
  }
  const of = (column: keyof IdempotencyScope) => part`${keys.map((one) => one[column])}::text[]`
  return part`select k.free, k.unused, null::bytea as fingerprint, null::smallint as status, null::bytea as answer
    from take_keys(${keys.map(lockOf)}::bigint[], ${of('account_id')}, ${of('mode')}, ${of('empresa_id')},
      ${of('operation')}, ${of('key')}, ${since}) k`
}

/** Keys as columns of a select: account_id, mode, empresa_id, operation, key. */
function keysOf(keys: readonly IdempotencyScope[]): Fragment {
  return part`${listed.text(keys.map(({ account_id }) => account_id))} as account_id,
    ${listed.text(keys.map(({ mode }) => mode))} as mode,
    ${listed.text(keys.map(({ empresa_id }) => empresa_id))} as empresa_id,
    ${listed.text(keys.map(({ operation }) => operation))} as operation,
    ${listed.text(keys.map(({ key }) => key))} as key`
}

export function insertAnswers(kept: readonly KeptAnswer[], when: Fragment): Fragment {
  return part`
    insert into idempotency (account_id, mode, empresa_id, operation, key, fingerprint, status, answer, created_at)
    select k.account_id, k.mode, k.empresa_id, k.operation, k.key, ''::bytea, k.status, k.answer,
      ${new Date(systemNow())}::timestamptz
    from (select ${keysOf(kept.map(({ key }) => key))},
      ${listed.smallint(kept.map(({ answer }) => answer.status))} as status,
      ${listed.bytea(kept.map(({ answer }) => answer.sealed))} as answer) k
    ${when}`
}

/** Keys whose request goes on after its commit, in this process: they end with it. */
const settling = new Set<string>()

/**
 * Goes on after the commit and keeps the answer that comes of it: a repetition is given that very answer, and waits
 * until there is one. A refusal leaves the key free; whatever else happens, a repetition goes on from what was
 * committed.
 */
export async function completeAnswer<T>(
  sql: Sql,
  vault: Vault,
  scope: IdempotencyScope,
  { fingerprint, status }: { readonly fingerprint: Buffer; readonly status: number },
  settle: () => Promise<T>,
): Promise<T> {
  const name = identity(scope)
  if (settling.has(name)) throw new Problem('idempotency_in_progress')
  settling.add(name)
  try {
    const resource = await settle()
    const { sealed } = sealAnswer(vault, scope, fingerprint, { status, body: JSON.stringify(resource) })
    await sql`
      update idempotency set status = ${status}, fingerprint = '', answer = ${sealed} where ${under(scope)} and status = ${UNFINISHED}`
    return resource
  } catch (error) {
    if (error instanceof Problem && error.status < 500) {
      await sql`delete from idempotency where ${under(scope)} and status = ${UNFINISHED}`
    }
    throw error
  } finally {
    settling.delete(name)
  }
}

/** Answers that may still be asked for again, by the key that sealed them. They end by themselves within a day. */
export const sealedAnswers: SealedStore = {
  what: 'answers kept for a repeated request',
  count: (sql) => sql<VersionCount>`
    select get_byte(substring(answer from 1 for 1), 0) as version, count(*) as count from idempotency
    where created_at > ${replayCutoff()} and octet_length(answer) > 0 group by 1`,
}
