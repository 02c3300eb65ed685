import { newId } from '../../../kernel/id.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { type Letter, MailRefused } from '../../../ports/mail.ts'
import type { BaseContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { type SealedLetter, sendLetter } from './jobs.ts'

/** A letter waits in the queue sealed: it may carry a link that would open an account to a reader of the table. */
export function letterOwner(letter_id: string): string {
  return `mail.send/${letter_id}`
}

export async function deliverLetter(ctx: JobContext, { letter_id, sealed }: SealedLetter): Promise<JobOutcome> {
  const clear = ctx.ports.vault.open(letterOwner(letter_id), Buffer.from(sealed, 'base64'))
  const letter = JSON.parse(Buffer.from(clear).toString('utf8')) as Letter
  try {
    await ctx.ports.mail.send(letter)
  } catch (error) {
    if (error instanceof MailRefused) throw new GiveUp('mail_refused', error.message)
    throw error
  }
  return 'done'
}

/** Enqueues a letter: it leaves once the transaction has committed, and only if it does. */
export async function enqueueLetter(
  ctx: Pick<BaseContext, 'ports' | 'enqueue'>,
  draft: Omit<Letter, 'id' | 'attachments'>,
): Promise<void> {
  const letter: Letter = { id: newId('letter'), ...draft }
  const sealed = ctx.ports.vault.seal(letterOwner(letter.id), Buffer.from(JSON.stringify(letter), 'utf8'))
  const payload = { letter_id: letter.id, sealed: Buffer.from(sealed).toString('base64') }
  // People read mail by the clock on the wall, whatever the test clock of their account says.
  await ctx.enqueue(sendLetter, { payload, empresa_id: null, real_time: true })
}
