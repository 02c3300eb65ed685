export interface Attachment {
  /** Letters, digits, dots and dashes only. */
  readonly filename: string
  readonly media_type: string
  readonly bytes: Uint8Array
}

export interface Letter {
  /** The same on every try, so that a receiver can tell a repeated letter from a new one. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** For whom it is sent, where that is not us. The address stays ours. */
  readonly from_name?: string
  /** Who reads the answers. */
  readonly reply_to?: string
  readonly attachments?: readonly Attachment[]
}

export interface Mail {
  /** Hands the letter over; an error means it was not taken and may be tried again, unless it is a `MailRefused`. */
  send(letter: Letter): Promise<void>
  /** What `npm start` tells about it. */
  readonly describe: string
  /** True where no letter ever leaves this machine. */
  readonly stays_here?: boolean
}

/** The receiving side will never take this letter: no such mailbox, or it does not want it. */
export class MailRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'MailRefused'
  }
}
