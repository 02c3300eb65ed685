import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext, EmpresaContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { findAccountEmail } from '../account/lookup.ts'
import { lockEmisor } from '../empresa/emisor.ts'
import { jobEmpresa } from '../empresa/job-empresa.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { recordEvidence } from '../evidence/record.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { mintLink } from '../onboarding-link/mint.ts'
import type { StepKey } from './lanes.ts'
import { countLetter, mailboxOf } from './letter-caps.ts'
import { stepWaitsLetter } from './letter-copy.ts'
import { dueAgain, findLetter, newsOf, saveLetter } from './letters.ts'
import { readBody } from './read.ts'
import { listSteps } from './store.ts'

type Writing = Pick<BaseContext, 'sql' | 'now' | 'addresses' | 'ports' | 'enqueue'>

/** A week: whoever reads their mail on Mondays still opens it. */
const HOURS = 168

/**
 * Writes to whoever acts in the step, with a page of its own; nothing where it waits for nobody or its account closed. A mailbox
 * that is not the account's own may have had enough for a day.
 */
async function write(
  ctx: Writing,
  scope: EmpresaScope,
  row: EmpresaRow,
  key: StepKey,
  news: string,
): Promise<JobOutcome> {
  const { pending_action: action } = await readBody(ctx, scope, row)
  const account = await findAccountEmail(ctx.sql, scope.account_id)
  if (action?.step !== key || !account) return 'done'
  const contact = action.performed_by.role === 'titular_cuenta' ? null : row.contact_email
  const to = contact ?? account.email
  const again_at = mailboxOf(to) === mailboxOf(account.email) ? null : await countLetter(ctx, scope.account_id, to)
  if (again_at) return { again_at }
  await saveLetter(ctx.sql, scope, key, { news, written_at: ctx.now() })
  const link = await mintLink(ctx, scope, { page: key, hours: HOURS, road: 'letter', made_by: '' })
  const letter = stepWaitsLetter({ to, to_account: contact === null, account, empresa: row, action, link })
  await enqueueLetter(ctx, composeLetter(letter))
  return 'done'
}

/** Tells the person once of each news, and waits where they were written to within a day. */
export async function writeAboutStep(ctx: JobContext, { step: key }: { step: StepKey }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  return ctx.transact(async (tx): Promise<JobOutcome> => {
    const row = await lockEmisor(tx.sql, scope)
    const step = (await listSteps(tx.sql, scope)).get(key)
    if (row?.status !== 'active' || step?.status !== 'action_required') return 'done'
    const last = await findLetter(tx.sql, scope, key)
    const news = newsOf(row, step)
    if (last?.news === news) return 'done'
    if (last && dueAgain(last) > tx.now()) return { again_at: dueAgain(last) }
    return write(tx, scope, row, key, news)
  })
}

/** Asks the titular to let the empresa go live; one letter a day, however often it is asked. */
export async function askTitular(ctx: EmpresaContext): Promise<void> {
  const row = await lockEmisor(ctx.sql, ctx.empresa)
  const step = (await listSteps(ctx.sql, ctx.empresa)).get('emitting')
  if (!row || !step) return
  const last = await findLetter(ctx.sql, ctx.empresa, 'emitting')
  const news = newsOf(row, step)
  const told = last?.news === news && dueAgain(last) > ctx.now()
  if (!told) await write(ctx, ctx.empresa, row, 'emitting', news)
  await recordEvidence(ctx, ctx.empresa, {
    step: 'emitting',
    act: 'go_live_requested',
    actor: null,
    document: null,
    ...ctx.origin,
  })
}
