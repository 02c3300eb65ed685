import type { SessionContext } from '../../context.ts'
import { type Proof, provePassword } from './password.ts'
import { findAccount } from './store.ts'

/** What cannot be undone asks for the password again, whatever session asks. */
export async function proveOwner(ctx: SessionContext, { password }: { password: string }): Promise<Proof> {
  return provePassword(password, await findAccount(ctx.sql, ctx.account_id))
}
