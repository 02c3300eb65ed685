import type { SendMailOptions } from 'nodemailer'
import type { Letter } from '../../ports/mail.ts'

/** The bare address of `Timbre <no-responder@timbre.cl>`. */
function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
}

/** A letter as both adapters send it. What it holds is in our hands already: nothing in it may open a file or a URL. */
export function messageOf(letter: Letter, from: string): SendMailOptions {
  const address = addressIn(from)
  return {
    from: letter.from_name === undefined ? from : { name: letter.from_name, address },
    ...(letter.reply_to !== undefined && { replyTo: { name: '', address: letter.reply_to } }),
    to: { name: '', address: letter.to },
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    attachments: (letter.attachments ?? []).map(({ filename, media_type, bytes }) => ({
      filename,
      contentType: media_type,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
    messageId: `<${letter.id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
