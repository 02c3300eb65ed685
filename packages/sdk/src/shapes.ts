import type { FileAnswer } from './file-answer.ts'

export type { FileAnswer }

/** What a single call may say for itself. */
export interface CallOptions {
  /** RUT of the empresa, in place of the client's. Operations of the account leave it out by themselves; null never sends one. */
  readonly empresa?: string | null | undefined
  /** Your own key for this logical operation. One is made for each call otherwise, and kept over its retries. */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that one attempt may take. */
  readonly timeout?: number | undefined
  readonly maxRetries?: number | undefined
}

/** The list envelope of the contract. */
export interface List<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
  next_cursor: string | null
}

/** The envelope of /account; `message` is Chilean Spanish, for the person who is there. */
export interface AccountAnswer<Data> {
  status: 'success'
  message: string
  data: Data
  errors: []
}

export type ItemOf<Answer extends List<unknown>> = Answer['data'][number]

/** A page as the contract has it, which also knows the next one. Looping over it gives the items of this page and of all that follow. */
export type Page<Answer extends List<unknown>> = Answer & {
  /** The page after this one, or null. */
  next(): Promise<Page<Answer>> | null
  [Symbol.asyncIterator](): AsyncIterator<ItemOf<Answer>, undefined>
}

/** A list that was asked for: await it for its first page, or loop over it with `for await` for every item of every page. */
export interface PageCall<Answer extends List<unknown>> extends Promise<Page<Answer>> {
  [Symbol.asyncIterator](): AsyncIterator<ItemOf<Answer>, undefined>
}
