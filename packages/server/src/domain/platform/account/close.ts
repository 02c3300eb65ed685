import { AccountProblem } from '../../../kernel/problem.ts'
import type { SessionContext } from '../../context.ts'
import { purgeCertificatesOf } from '../certificate/purge.ts'
import { deleteSandboxEmpresas, hasActiveEmpresas, holdRuts } from '../empresa/delete.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { purgeSfgCredentialsOf } from '../sfg-credential/sfg-credential.ts'
import { deleteAccountEndpoints } from '../webhook/endpoint.ts'
import { accountClosedLetter } from './copy.ts'
import { type Proof, requireProof } from './password.ts'
import { endPending } from './recover.ts'
import { changeAccount, hasWayBack, lockAccount } from './store.ts'

/** Ends keys, sessions, webhooks, custody and the sandbox at once. Documents issued in production are kept by law. */
export async function closeAccount(ctx: SessionContext, input: Proof): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  requireProof(input, account)
  // Closing ends every link: whoever moved the account away could close it on the owner who is about to call it back.
  if (await hasWayBack(ctx.sql, account.id, ctx.now())) throw new AccountProblem('email_changed_recently')
  if (await hasActiveEmpresas(ctx.sql, account.id)) throw new AccountProblem('account_has_live_empresas')
  await deleteSandboxEmpresas(ctx, account.id)
  await holdRuts(ctx.sql, account.id, ctx.now())
  await purgeCertificatesOf(ctx.sql, account.id)
  await purgeSfgCredentialsOf(ctx.sql, account.id)
  await deleteAccountEndpoints(ctx.sql, account.id)
  await endPending(ctx, account.id)
  await changeAccount(ctx.sql, account.id, { closed_at: ctx.now() })
  ctx.invalidate(account.id)
  await enqueueLetter(ctx, composeLetter(accountClosedLetter(account)))
  return null
}
