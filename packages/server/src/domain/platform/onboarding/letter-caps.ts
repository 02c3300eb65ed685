import { ONBOARDING_LETTERS } from '../../../catalog/limits.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import { LOCKS } from '../../../kernel/locks.ts'
import type { BaseContext } from '../../context.ts'

type Counting = Pick<BaseContext, 'sql' | 'now' | 'ports'>

/** One mailbox, however its address is written: capitals, a tag behind a + (RFC 5233) and, as at Gmail, dots do not matter. */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@')
  const [untagged = ''] = local.split('+')
  return `${untagged.replaceAll('.', '')}@${domain}`
}

/** When the oldest of the last `most` letters is a day old; null where there were fewer within it. */
async function freeFrom(sql: Sql, counted: Fragment, most: number, now: Date): Promise<Date | null> {
  const [row] = await sql<{ written_at: Date }>`
    select written_at from onboarding_letter_count where ${counted} and written_at > ${daysFrom(now, -1)}
    order by written_at desc offset ${most - 1} limit 1`
  return row ? daysFrom(row.written_at, 1) : null
}

/**
 * Counts a letter to a mailbox that is not the account's own. Where the mailbox or the account had its share for a day nothing is
 * counted, and it gives when to come again. One caller at a time, by the mailbox first and then by the account.
 */
export async function countLetter(ctx: Counting, account_id: string, to: string): Promise<Date | null> {
  const { sql, ports } = ctx
  const now = ctx.now()
  const mailbox = ports.cursors.mark(`onboarding letter to ${mailboxOf(to)}`)
  for (const counted of [mailbox, account_id])
    await sql`select pg_advisory_xact_lock(${LOCKS.onboarding_letters}::int, hashtext(${counted}))`
  const { to_one_mailbox, to_others_of_one_account } = ONBOARDING_LETTERS
  const free = [
    await freeFrom(sql, part`mailbox = ${mailbox}`, to_one_mailbox, now),
    await freeFrom(sql, part`account_id = ${account_id}`, to_others_of_one_account, now),
  ].flatMap((at) => at?.getTime() ?? [])
  if (free.length > 0) return new Date(Math.max(...free))
  await sql`
    insert into onboarding_letter_count (account_id, mailbox, written_at) values (${account_id}, ${mailbox}, ${now})`
  return null
}

/** Those that count no longer. */
export async function forgetLetterCounts(sql: Sql, now: Date): Promise<void> {
  await sql`delete from onboarding_letter_count where written_at < ${daysFrom(now, -1)}`
}
