import type { JobOutcome } from '../../../kernel/job.ts'
import type { PublicContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { normalEmail } from './bootstrap-schema.ts'
import { resetPasswordLetter } from './copy.ts'
import { sendResetLink } from './jobs.ts'
import { mintLink } from './link.ts'
import { lockAccountByEmail } from './store.ts'

/** Writes to the address if it has an account, and ends quietly if it has none. */
export async function runSendResetLink(ctx: JobContext, { email }: { email: string }): Promise<JobOutcome> {
  await ctx.transact(async (tx) => {
    const account = await lockAccountByEmail(tx.sql, email)
    if (!account) return
    const url = await mintLink(tx, { account_id: account.id, kind: 'reset_password', email })
    await postLetter(tx, composeLetter(resetPasswordLetter(account, url)))
  })
  return 'done'
}

/** The account is looked up by a job, so that neither the answer nor the time it takes tells whether there is one. */
export async function forgotPassword(ctx: PublicContext, { email }: { email: string }): Promise<null> {
  await ctx.enqueue(sendResetLink, { payload: { email: normalEmail(email) }, real_time: true })
  return null
}
