import { AccountProblem } from '../../../kernel/problem.ts'
import type { BaseContext } from '../../context.ts'
import { isEmailReserved } from './store.ts'

/**
 * An address that an account left stays free for it while its way back is open: whoever moved it away could otherwise
 * register the address anew and close that way. Asked after the row was written, so that of two at once one sees the other.
 */
export async function requireFreeEmail(
  { sql, now }: Pick<BaseContext, 'sql' | 'now'>,
  email: string,
  account_id: string,
): Promise<void> {
  if (await isEmailReserved(sql, email, account_id, now())) throw new AccountProblem('email_taken', { param: 'email' })
}
