import type { RpcRequest } from './json-rpc.ts'

/** A JSON-RPC request as the server behind the transport takes it. */
interface Request {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params?: Record<string, unknown>
}

interface Reply {
  readonly id?: string | number
  readonly error?: { readonly code: number; readonly message: string }
}

/**
 * One connection that all agents share. Each request goes through under a number of its own, so that two agents who count
 * alike never meet, and its answer goes back to its sender. Nothing else passes: a notification of one agent, such as
 * the cancelling of a number, could only ever concern another's.
 */
export class SharedTransport<Extra> {
  onmessage?: (message: Request, extra: Extra) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #last = 0

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  async send(message: Reply): Promise<void> {
    const id = Number(message.id)
    this.#waiting.get(id)?.(message)
    this.#waiting.delete(id)
  }

  /** The answer to one request, under the id its sender gave it. */
  request(sent: RpcRequest, extra: Extra) {
    const id = ++this.#last
    const params = sent.params === undefined ? {} : { params: sent.params as Record<string, unknown> }
    return new Promise<Reply>((resolve) => {
      this.#waiting.set(id, (reply) => resolve({ ...reply, id: sent.id }))
      this.onmessage?.({ jsonrpc: '2.0', id, method: sent.method, ...params }, extra)
    })
  }
}
