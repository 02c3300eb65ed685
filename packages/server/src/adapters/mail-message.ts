import type { SendMailOptions } from 'nodemailer'
import type { Letter } from '../ports/mail.ts'

/** A letter as both adapters send it. What it holds is text alone: nothing in it may make us open a file or a URL. */
export function messageOf(letter: Letter, from: string): SendMailOptions {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace('>', '')
  return {
    from,
    to: { name: '', address: letter.to },
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    messageId: `<${letter.id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
