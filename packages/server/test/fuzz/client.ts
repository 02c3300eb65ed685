// Requests over a real socket, with what each of them cost.

import { Agent, request } from 'node:http'
import { connect } from 'node:net'

export interface Message {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** Nobody answered: the connection broke, or nothing came. */
export class NoAnswer extends Error {}

const PATIENCE_MS = 120_000

export interface Client {
  send(message: Message): Promise<Received>
  /** Bytes as they are, for what no client would send. Null when the connection was closed without a word. */
  sendRaw(bytes: Buffer): Promise<number | null>
  close(): void
}

export function openClient(port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const once = (message: Message) =>
    new Promise<Received>((resolve, reject) => {
      const { method, path, headers, body } = message
      const sending = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers as Received['headers'],
            body: Buffer.concat(chunks),
          }),
        )
      })
      sending.setTimeout(PATIENCE_MS, () => sending.destroy(new NoAnswer(`nothing came in ${PATIENCE_MS} ms`)))
      sending.on('error', (error) =>
        reject(Object.assign(new NoAnswer(String(error)), { reused: sending.reusedSocket })),
      )
      sending.end(body)
    })
  return {
    // A kept connection may be closed by the server just as it is used again: such a request was never read.
    send: (message) =>
      once(message).catch((error: { reused?: boolean }) => (error.reused ? once(message) : Promise.reject(error))),
    sendRaw: (bytes) =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
        const done = (status: number | null) => {
          socket.destroy()
          resolve(status)
        }
        socket.setTimeout(2_000, () => done(null))
        socket.once('data', (chunk) => done(Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 0)))
        socket.once('close', () => done(null))
        socket.on('error', () => done(null))
      }),
    close: () => agent.destroy(),
  }
}
