import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { randomSecret } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { BaseContext } from '../../context.ts'
import type { CreateEmpresa } from '../empresa/schema.ts'
import { insertClaim } from './store.ts'

export interface NewClaim {
  /** What the refusal tells: where to prove it, until when, and nothing of who holds the RUT. */
  readonly details: { readonly takeover_url: string; readonly expires_at: string }
  record(sql: Sql): Promise<void>
}

/**
 * A page where the taxpayer of a RUT that another account holds takes it over for the account that asked. It is the same
 * whoever holds the RUT and however well it is proven: only who brings the certificate learns more.
 */
export function newClaim(
  { addresses }: Pick<BaseContext, 'addresses'>,
  { account_id, mode }: AccountScope,
  input: CreateEmpresa,
): NewClaim {
  const slug = randomSecret()
  const created_at = new Date(systemNow())
  const expires_at = daysFrom(created_at, RETENTION.rut_claim_days)
  return {
    details: { takeover_url: `${addresses.public_url}/rut/${slug}`, expires_at: expires_at.toISOString() },
    record: (sql) =>
      insertClaim(sql, {
        slug_hash: hashSecret(slug),
        account_id,
        mode,
        rut: input.rut,
        input,
        created_at,
        expires_at,
      }),
  }
}
