import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Mode } from '../catalog/modes.ts'
import type { Operation } from '../domain/operation.ts'
import type { Answer } from '../kernel/answer.ts'
import type { AccountScope } from '../kernel/scope.ts'
import type { SessionServes } from '../ports/sessions.ts'
import type { Api } from './call.ts'

/** The path of an operation in one API, such as `/v1/empresas/{empresa_id}`. */
export interface OperationRoute {
  readonly operation: Operation
  readonly api: Api
  readonly path: string
}

/** Routes of each operation: under /v1, and for sessions under /dashboard and /v1/dashboard; /account stands alone. */
export function routesOf(operations: readonly Operation[]): OperationRoute[] {
  return operations.flatMap((operation): OperationRoute[] => {
    const { path } = operation
    if (operation.api === 'bootstrap') return [{ operation, api: 'bootstrap', path }]
    const main: OperationRoute = { operation, api: 'v1', path: `/v1${path}` }
    if (!operation.dashboard) return [main]
    const mirrors = ['/dashboard', '/v1/dashboard'].map(
      (root): OperationRoute => ({ operation, api: 'dashboard', path: root + path }),
    )
    return [main, ...mirrors]
  })
}

/** A route that is no operation: a page, a document, a health check. */
export interface PlainRoute {
  readonly path: string
  /** A POST takes a small form, as a browser without script sends it, or JSON whose bytes are signed. */
  readonly method?: 'GET' | 'POST' | 'OPTIONS'
  /** The largest body it takes, where that is not the usual one of a form. */
  readonly body_bytes?: number
  /** A form with a file in it (multipart/form-data): the field of a file is its base64. */
  readonly takes_file?: true
  /**
   * Programs send to it, and what they send speaks for itself: a signature, a token. Any other POST is a form of a page of ours:
   * one from another site is refused, and every refusal is a page for a person.
   */
  readonly for_programs?: true
  /** Whose body it is, where a credential in the headers tells before the body is read; else it is that of a stranger. */
  readonly account?: (header: PlainRequest['header']) => Promise<AccountScope | null>
  readonly answer: (request: PlainRequest) => Promise<Answer> | Answer
}

export interface PlainRequest {
  readonly params: Readonly<Record<string, string>>
  /** A list where the same parameter was sent several times. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly form: Readonly<Record<string, string | undefined>>
  /** The very bytes of a JSON body, for what is signed; empty where there is none. */
  readonly raw: Uint8Array
  readonly header: (name: string) => string | undefined
  readonly ip: string
  readonly request_id: string
  /** Request and response as Node has them, for a library that reads cookies by itself; nothing is written to them. */
  readonly node: NodeExchange
  /** Performs a public operation as a call of its own would be: counted, checked, logged. */
  readonly callOperation: (operation_id: string, body: object) => Promise<Answer>
  /** Performs an operation of the operator for whom the token of its pages belongs to, as a call with the secret would be. */
  readonly callAsOperator: (token: string, operation_id: string, input: PageInput) => Promise<Answer>
  /** Performs an operation for the person whose session it is, as their call to /dashboard or /account would be. */
  readonly callAsSession: (
    session: PageSession,
    operation_id: string,
    input?: Omit<PageInput, 'body'>,
  ) => Promise<Answer>
}

/** The session that a page acts for, and in which mode, where its operation has one. */
export interface PageSession {
  readonly token: string
  readonly serves: SessionServes
  readonly mode?: Mode
}

/** What a page calls an operation with. */
export interface PageInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

/** A route that another library serves: it reads the body, which is left unread here, and answers by itself. */
export interface RawRoute {
  readonly path: string
  readonly methods: readonly ('GET' | 'POST' | 'DELETE' | 'OPTIONS')[]
  readonly handle: (
    exchange: NodeExchange,
    about: { readonly ip: string; readonly request_id: string },
  ) => Promise<void>
}

export interface NodeExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}
