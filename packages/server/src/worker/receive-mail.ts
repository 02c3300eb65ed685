import { MAIL_SOURCES } from '../catalog/limits.ts'
import { findByReceptionEmail } from '../domain/platform/empresa/lookup.ts'
import { receiveMail } from '../domain/receiving/received-document/ingest-mail.ts'
import { excuseFor, kindOf, type MailSource } from '../domain/receiving/received-document/mail-sources.ts'
import { REAL_TIME, systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import { unlessOwnerGone } from '../kernel/owner.ts'
import type { RateLimiter } from '../kernel/rate-limit.ts'
import type { Transactor } from '../kernel/transactor.ts'

/** Whom a mail comes from: the network it was sent from, and who it says it is. */
export interface MailSender {
  readonly address: string
  /** Null for a bounce, which no person sends. */
  readonly from: string | null
}

/** A mail as the mail server received it. */
export interface IncomingMail extends MailSender {
  readonly to: readonly string[]
  readonly raw: Buffer
}

/** The mail server's view of the domain: whom it hears, which mailboxes it has, and who stores a mail before its sender is told so. */
export interface MailReceiver {
  /** Counts a mail of this sender. Tells why it is not heard for now; null when it is. */
  hear(sender: MailSender): Promise<string | null>
  /** Whether somebody has this mailbox, or why it takes nothing for now. */
  accepts(mailbox: string): Promise<boolean | { readonly busy: string }>
  receive(mail: IncomingMail): Promise<void>
}

interface ReceiverParts {
  readonly sql: Sql
  readonly transactor: Transactor
  readonly limiter: RateLimiter
}

export function mailReceiver({ sql: reading, transactor, limiter }: ReceiverParts): MailReceiver {
  const now = () => new Date(systemNow())

  async function excuse(sources: readonly { readonly source: MailSource; readonly key: string }[]) {
    const windows = sources.map(({ source, key }) => {
      const kind = kindOf(source)
      return { key: `mail.${kind}|${key}`, max: MAIL_SOURCES[kind].mails_per_minute, window_ms: 60_000 }
    })
    const { allowed, reset_seconds } = await limiter.take(windows)
    if (!allowed) return `Too many mails a minute, try again in ${reset_seconds} s`
    for (const { source } of sources) {
      const why = await excuseFor(reading, source, now())
      if (why !== null) return why
    }
    return null
  }

  return {
    hear: ({ address, from }) =>
      excuse([
        { source: { address }, key: address },
        ...(from === null ? [] : [{ source: { sender: from }, key: from }]),
      ]),
    async accepts(mailbox) {
      const scope = await findByReceptionEmail(reading, mailbox)
      if (!scope) return false
      const busy = await excuse([{ source: { mailbox: scope }, key: scope.empresa_id }])
      return busy === null || { busy }
    },
    async receive({ to, from, address, raw }) {
      for (const mailbox of new Set(to)) {
        const scope = await findByReceptionEmail(reading, mailbox)
        if (!scope) continue
        const kept = transactor.transact({ ...scope, clock: REAL_TIME }, (sql, unit) =>
          receiveMail({ sql, now, enqueue: unit.enqueue.bind(unit, sql) }, scope, { sender: from, address, raw }),
        )
        await kept.catch(unlessOwnerGone)
      }
    },
  }
}
