import { createTransport } from 'nodemailer'
import { isLoopback } from '../../kernel/loopback.ts'
import { type Mail, MailRefused } from '../../ports/mail.ts'
import { messageOf } from './message.ts'

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** A 5xx to the recipient or to the message is final; to anything before them it is about us and may be mended. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  return responseCode >= 500 && responseCode < 600 && /^(RCPT TO|DATA)/.test(command)
}

/**
 * Hands letters to an SMTP server: `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. Letters
 * carry links that open accounts, so they cross a network only under TLS unless the URL ends in `?requireTLS=false`.
 */
export function smtpMail({ url, from }: { url: string; from: string }): Mail {
  const { host, hostname } = new URL(url)
  const transport = createTransport({ url, requireTLS: !isLoopback(hostname), ...TIMEOUTS })
  return {
    describe: `SMTP server ${host}`,
    async send(letter) {
      try {
        await transport.sendMail(messageOf(letter, from))
      } catch (error) {
        if (isFinal(error)) throw new MailRefused(`the mail server refused the letter: ${(error as Error).message}`)
        throw error
      }
    },
  }
}
