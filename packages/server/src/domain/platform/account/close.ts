import { AccountProblem } from '../../../kernel/problem.ts'
import type { SessionContext } from '../../context.ts'
import { eraseSandboxEmpresas, hasActiveEmpresas } from '../empresa/of-account.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { dropEndpointsOf } from '../webhook/delete.ts'
import { accountClosedLetter } from './copy.ts'
import { dropLinks } from './link-store.ts'
import { type Proof, requireProof } from './password.ts'
import { changeAccount, endSessions, lockAccount } from './store.ts'

/** Ends the account at once: its keys, its sessions, its webhooks, its sandbox. What was issued in production is kept by law. */
export async function closeAccount(ctx: SessionContext, input: Proof): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  requireProof(input, account)
  if (await hasActiveEmpresas(ctx.sql, account.id)) throw new AccountProblem('account_has_live_empresas')
  await eraseSandboxEmpresas(ctx, account.id)
  await dropEndpointsOf(ctx.sql, account.id)
  await endSessions(ctx.sql, account.id, ctx.now())
  await dropLinks(ctx.sql, account.id, ['verify_email', 'change_email', 'reset_password'])
  await changeAccount(ctx.sql, account.id, { closed_at: ctx.now() })
  ctx.invalidate(account.id)
  await postLetter(ctx, composeLetter(accountClosedLetter(account)))
  return null
}
