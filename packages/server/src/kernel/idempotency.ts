import { createHash } from 'node:crypto'
import { RETENTION } from '../catalog/retention.ts'
import type { Vault } from '../ports/vault.ts'
import { systemNow } from './clock.ts'
import { type Fragment, part, type Sql } from './db.ts'

/** A key means one logical operation of one account, on one empresa, at one endpoint. */
export interface IdempotencyScope {
  readonly account_id: string
  readonly mode: string
  readonly empresa_id: string
  readonly operation: string
  readonly key: string
}

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

interface Stored {
  fingerprint: Buffer
  status: number
  answer: Buffer
}

/** What makes two requests the same: their place and their bytes. */
export function fingerprintOf(path: string, body: Uint8Array): Buffer {
  return createHash('sha256').update(path).update('\n').update(body).digest()
}

function identity(scope: IdempotencyScope): string {
  return JSON.stringify([scope.account_id, scope.mode, scope.empresa_id, scope.operation, scope.key])
}

/**
 * The question that tries to take the key, asked as the transaction opens. The lock lives in PostgreSQL and
 * dies with the transaction, so a process that crashes in mid-request leaves no key behind.
 */
export function lockQuestion(scope: IdempotencyScope): string {
  const lock = createHash('sha256').update(identity(scope)).digest().readBigInt64BE()
  return `select pg_try_advisory_xact_lock(${lock}) as free`
}

export async function findAnswer(
  sql: Sql,
  vault: Vault,
  scope: IdempotencyScope,
): Promise<(StoredAnswer & { fingerprint: Buffer }) | null> {
  const since = new Date(systemNow() - RETENTION.idempotency_seconds * 1000)
  const [found] = await sql<Stored>`
    select fingerprint, status, answer from idempotency
    where account_id = ${scope.account_id} and mode = ${scope.mode} and empresa_id = ${scope.empresa_id}
      and operation = ${scope.operation} and key = ${scope.key} and created_at > ${since}
    order by created_at desc limit 1`
  if (!found) return null
  const body = Buffer.from(vault.open(identity(scope), found.answer)).toString('utf8')
  return { fingerprint: found.fingerprint, status: found.status, body }
}

/** The answer rests sealed: some answers carry a secret that is shown once. */
export function keepAnswer(vault: Vault, scope: IdempotencyScope, fingerprint: Buffer, answer: StoredAnswer): Fragment {
  const sealed = Buffer.from(vault.seal(identity(scope), Buffer.from(answer.body, 'utf8')))
  return part`
    insert into idempotency (account_id, mode, empresa_id, operation, key, fingerprint, status, answer, created_at)
    values (${scope.account_id}, ${scope.mode}, ${scope.empresa_id}, ${scope.operation}, ${scope.key},
      ${fingerprint}, ${answer.status}::smallint, ${sealed}::bytea, ${new Date(systemNow())}::timestamptz)`
}
