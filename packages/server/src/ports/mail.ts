export interface Letter {
  /** The same on every try, so that a receiver can tell a repeated letter from a new one. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mail {
  /** Hands the letter over; an error means it was not taken and may be tried again, unless it is a `MailRefused`. */
  send(letter: Letter): Promise<void>
  /** What `npm start` tells about it. */
  readonly describe: string
}

/** The receiving side will never take this letter: no such mailbox, or it does not want it. */
export class MailRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'MailRefused'
  }
}
