import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { dropItem, findItem, type Item, putItem, useItem } from './oauth-items-store.ts'

/** What the library hands over and asks for: a bag of claims. */
export type Payload = Record<string, unknown>

/** What the authorization server asks of whoever keeps its things. */
export interface ItemKeeper {
  upsert(id: string, payload: Payload, expires_in: number): Promise<void>
  find(id: string): Promise<Payload | undefined>
  findByUid(uid: string): Promise<Payload | undefined>
  findByUserCode(user_code: string): Promise<Payload | undefined>
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  revokeByGrantId(grant_id: string): Promise<void>
}

export interface ItemParts {
  readonly sql: Sql
  /** Where a person comes back to once a question is answered; its id is in the address, so it is not kept. */
  readonly resumeUrl: (id: string) => string
  /** Ends the grant itself, with all its things. */
  readonly end: (grant_id: string) => Promise<void>
  /** What is remembered of a grant anywhere is stale. */
  readonly forget: (grant_id: string) => Promise<void>
  /** What to throw where a code or a token was used by somebody else in the same moment. */
  readonly alreadyUsed: () => Error
}

/** What is kept of a payload: everything but what would let its reader act as its owner. */
function safe(model: string, { jti: _, returnTo: __, session, ...rest }: Payload): Payload {
  if (model !== 'Interaction' || typeof session !== 'object' || session === null) return { ...rest, session }
  const { cookie: ___, ...known } = session as Payload
  return { ...rest, session: known }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Keeps one kind of thing. A name that is a secret is kept as its hash and put back when it is asked for by name. */
export function itemKeeper(parts: ItemParts, model: string): ItemKeeper {
  const { sql } = parts
  const again = ({ payload, consumed_at }: Item, id?: string): Payload => ({
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
      await putItem(sql, { model, id, uid, grant_id, payload: safe(model, payload), expires_at })
    },
    async find(id) {
      const found = await findItem(sql, model, { id })
      return found ? again(found, id) : undefined
    },
    async findByUid(uid) {
      const found = await findItem(sql, model, { uid })
      return found ? again(found) : undefined
    },
    // There is no device flow, so nothing has such a code.
    findByUserCode: async () => undefined,
    async consume(id) {
      if (!(await useItem(sql, model, id, new Date(systemNow())))) throw parts.alreadyUsed()
    },
    async destroy(id) {
      if (model === 'Grant') return parts.end(id)
      const grant_id = await dropItem(sql, model, id)
      if (model === 'AccessToken' && grant_id !== null) await parts.forget(grant_id)
    },
    revokeByGrantId: (grant_id) => parts.end(grant_id),
  }
}
