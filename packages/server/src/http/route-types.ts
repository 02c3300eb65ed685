import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '../kernel/answer.ts'

/** A plain answer of ours that is not an operation: a page, a document, a health check. */
export interface PlainRoute {
  readonly path: string
  /** A POST takes a small form, as a browser without script sends it, or JSON whose bytes are signed. */
  readonly method?: 'GET' | 'POST' | 'OPTIONS'
  readonly answer: (request: PlainRequest) => Promise<Answer> | Answer
}

export interface NodeExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** A door behind which another library reads and answers by itself. The body is left unread. */
export interface RawRoute {
  readonly path: string
  readonly methods: readonly ('GET' | 'POST' | 'DELETE' | 'OPTIONS')[]
  readonly take: (exchange: NodeExchange, about: { readonly ip: string; readonly request_id: string }) => Promise<void>
}

export interface PlainRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly form: Readonly<Record<string, string | undefined>>
  /** The very bytes of a JSON body, for what is signed; empty where there is none. */
  readonly raw: Uint8Array
  readonly header: (name: string) => string | undefined
  readonly ip: string
  readonly request_id: string
  /** The request and its answer as Node has them, for a library that reads cookies by itself; nothing is written to it. */
  readonly node: NodeExchange
  /** Has a public operation performed as a call of its own would be. */
  readonly ask: (operation_id: string, body: object) => Promise<Answer>
}
