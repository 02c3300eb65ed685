import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { consumeItem, deleteItem, findGrantOf, findItem, type Item, upsertItem } from './oauth-items-store.ts'

/** A bag of claims, as the library hands it over and expects it back. */
export type Payload = Record<string, unknown>

/** The storage adapter of the authorization server (oidc-provider's `Adapter`). */
export interface ItemAdapter {
  upsert(id: string, payload: Payload, expires_in: number): Promise<void>
  find(id: string): Promise<Payload | undefined>
  findByUid(uid: string): Promise<Payload | undefined>
  findByUserCode(user_code: string): Promise<Payload | undefined>
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  revokeByGrantId(grant_id: string): Promise<void>
}

export interface ItemAdapterParts {
  readonly sql: Sql
  /** The page a person comes back to after an interaction; the URL carries its id, so it is not stored. */
  readonly resumeUrl: (id: string) => string
  /** Revokes the grant itself, with all its items. */
  readonly revoke: (grant_id: string) => Promise<void>
  /** Drops the grant from the cache of every process. */
  readonly invalidate: (grant_id: string) => Promise<void>
  /** The error for a code or a token that somebody else used at the same moment. */
  readonly alreadyUsed: () => Error
}

/** Strips from a payload what would let a reader of the table act as its owner. */
function withoutSecrets(model: string, { jti: _, returnTo: __, session, ...rest }: Payload): Payload {
  if (model !== 'Interaction' || typeof session !== 'object' || session === null) return { ...rest, session }
  const { cookie: ___, ...known } = session as Payload
  return { ...rest, session: known }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The adapter for one model. An id that is a secret is stored as its hash and put back when it is asked for by id. */
export function itemAdapter(parts: ItemAdapterParts, model: string): ItemAdapter {
  const { sql } = parts
  const restore = ({ payload, consumed_at }: Item, id?: string): Payload => ({
    ...payload,
    ...(model === 'Interaction' && id !== undefined && { returnTo: parts.resumeUrl(id) }),
    ...(model !== 'Client' && id !== undefined && { jti: id }),
    ...(consumed_at && { consumed: Math.floor(consumed_at.getTime() / 1000) }),
  })
  return {
    async upsert(id, payload, expires_in) {
      const expires_at = expires_in ? secondsFrom(new Date(systemNow()), expires_in) : null
      const grant_id = model === 'Grant' ? id : textOf(payload.grantId)
      const uid = model === 'Session' ? textOf(payload.uid) : null
      await upsertItem(sql, { model, id, uid, grant_id, payload: withoutSecrets(model, payload), expires_at })
    },
    async find(id) {
      const found = await findItem(sql, model, { id })
      return found ? restore(found, id) : undefined
    },
    async findByUid(uid) {
      const found = await findItem(sql, model, { uid })
      return found ? restore(found) : undefined
    },
    // There is no device flow, so nothing has such a code.
    findByUserCode: async () => undefined,
    async consume(id) {
      if (await consumeItem(sql, model, id, new Date(systemNow()))) return
      // Two used it in the same moment, as two would one after the other: one of them may have stolen it.
      const grant_id = await findGrantOf(sql, model, id)
      if (grant_id !== null) await parts.revoke(grant_id)
      throw parts.alreadyUsed()
    },
    async destroy(id) {
      if (model === 'Grant') return parts.revoke(id)
      const grant_id = await deleteItem(sql, model, id)
      if (model === 'AccessToken' && grant_id !== null) await parts.invalidate(grant_id)
    },
    revokeByGrantId: (grant_id) => parts.revoke(grant_id),
  }
}

/** Deletes codes, tokens, sessions and clients that ended before an instant: nobody can use them. */
export async function deleteExpiredItems(sql: Sql, before: Date): Promise<void> {
  await sql`delete from oauth_item where expires_at < ${before}`
}
