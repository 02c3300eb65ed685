export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mail {
  /** Hands the letter over; an error means it was not taken and may be tried again. */
  send(letter: Letter): Promise<void>
  /** What `npm start` tells about it. */
  readonly describe: string
}
