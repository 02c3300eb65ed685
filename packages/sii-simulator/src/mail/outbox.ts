import type { Simulator } from '../simulator.ts'
import { wide } from '../state/state.ts'
import type { Mail } from '../state/types.ts'

const FROM = 'siidte@simulador.sii.cl'

/** Keeps an e-mail for the control surface, and for the SMTP server where one was named and somebody is to get it. */
export function queueMail(ctx: Simulator, mail: Pick<Mail, 'to' | 'subject' | 'text' | 'attachment'>): Mail {
  const { state } = ctx
  const id = wide(state.next('mails', 1), 10)
  const kept: Mail = { id, at: ctx.clock.now(), ...mail, sent_at: null, error: null }
  state.mails.put(id, kept)
  if (ctx.options.smtp && mail.to) state.store<string>('unsent_mails').put(id, id)
  return kept
}

/** Those who are handing e-mails over: nobody else does meanwhile, or one would leave twice. */
const delivering = new WeakSet<Simulator>()

/** Hands the waiting e-mails over, once each: what the server refuses is told beside the e-mail and not tried again. */
export async function deliverMails(ctx: Simulator): Promise<void> {
  if (delivering.has(ctx)) return
  delivering.add(ctx)
  try {
    await deliverWaiting(ctx)
  } finally {
    delivering.delete(ctx)
  }
}

async function deliverWaiting(ctx: Simulator): Promise<void> {
  const unsent = ctx.state.store<string>('unsent_mails')
  const waiting = unsent.values()
  if (waiting.length === 0 || !ctx.options.smtp) return
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(ctx.options.smtp)
  for (const id of waiting) {
    const mail = ctx.state.mails.get(id)
    unsent.remove(id)
    if (!mail?.to) continue
    const { name = '', xml = '' } = mail.attachment ?? {}
    const attachments = mail.attachment
      ? [{ filename: name, content: Buffer.from(xml, 'latin1'), contentType: 'text/xml' }]
      : []
    const error = await transport
      .sendMail({ from: FROM, to: mail.to, subject: mail.subject, text: mail.text, attachments })
      .then(() => null, String)
    ctx.state.mails.put(id, { ...mail, sent_at: error === null ? ctx.clock.now() : null, error })
  }
  transport.close()
}
