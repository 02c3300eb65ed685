import { MAIL_SOURCES } from '../catalog/limits.ts'
import { findByReceptionEmail } from '../domain/platform/empresa/lookup.ts'
import { receiveMail } from '../domain/receiving/received-document/ingest-mail.ts'
import { excuseFor, type SourceKind } from '../domain/receiving/received-document/mail-sources.ts'
import { REAL_TIME, systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import { unlessOwnerGone } from '../kernel/owner.ts'
import type { RateLimiter } from '../kernel/rate-limit.ts'
import type { EmpresaScope } from '../kernel/scope.ts'
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
  /** Counts a mail of this address. Tells why its sender is not heard for now; null when it is. */
  hear(sender: MailSender): Promise<string | null>
  /** Whether somebody has this mailbox, or why it takes nothing for now. */
  accepts(mailbox: string): Promise<boolean | { readonly busy: string }>
  /** Counts the mail for its sender and its mailboxes, and keeps it. Tells why it is not kept for now; null when it is. */
  receive(mail: IncomingMail): Promise<string | null>
}

interface ReceiverParts {
  readonly sql: Sql
  readonly transactor: Transactor
  readonly limiter: RateLimiter
}

export function mailReceiver({ sql: reading, transactor, limiter }: ReceiverParts): MailReceiver {
  const now = () => new Date(systemNow())

  /** Counts one mail in the minute of each source, or in none where one of them is full. */
  async function tooMany(sources: readonly (readonly [kind: SourceKind, key: string])[]): Promise<string | null> {
    const windows = sources.map(([kind, key]) => ({
      key: `mail.${kind}|${key}`,
      max: MAIL_SOURCES[kind].mails_per_minute,
      window_ms: 60_000,
    }))
    const { allowed, reset_seconds } = await limiter.take(windows)
    return allowed ? null : `Too many mails a minute, try again in ${reset_seconds} s`
  }

  async function mailboxesOf(to: readonly string[]) {
    const scopes = new Map<string, EmpresaScope>()
    for (const mailbox of new Set(to)) {
      const scope = await findByReceptionEmail(reading, mailbox)
      if (scope) scopes.set(scope.empresa_id, scope)
    }
    return [...scopes.values()]
  }

  return {
    // The address is no word of the sender's: it alone pays for a mail that never comes.
    hear: async ({ address, from }) =>
      (await tooMany([['address', address]])) ??
      (await excuseFor(reading, { address }, now())) ??
      (from === null ? null : await excuseFor(reading, { sender: from }, now())),
    async accepts(mailbox) {
      const scope = await findByReceptionEmail(reading, mailbox)
      if (!scope) return false
      const busy = await excuseFor(reading, { mailbox: scope }, now())
      return busy === null || { busy }
    },
    // Whoever names a mailbox or a sender has sent nothing yet: their minutes count what came.
    async receive({ to, from, address, raw }) {
      const mailboxes = await mailboxesOf(to)
      if (mailboxes.length === 0) return null
      const excuse = await tooMany([
        ...mailboxes.map(({ empresa_id }) => ['mailbox', empresa_id] as const),
        ...(from === null ? [] : [['sender', from] as const]),
      ])
      if (excuse !== null) return excuse
      for (const scope of mailboxes) {
        const kept = transactor.transact({ ...scope, clock: REAL_TIME }, (sql, unit) =>
          receiveMail({ sql, now, enqueue: unit.enqueue.bind(unit, sql) }, scope, { sender: from, address, raw }),
        )
        await kept.catch(unlessOwnerGone)
      }
      return null
    },
  }
}
