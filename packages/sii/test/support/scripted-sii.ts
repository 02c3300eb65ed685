import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CallFact,
  memorySessions,
  memoryTokens,
  openSiiClient,
  type SiiClientOptions,
  simulatedHosts,
} from '../../src/index.ts'

export interface Heard {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A text, or a function that answers by itself (or never). */
export type Reply = string | { readonly status?: number; readonly body: string | Buffer } | Answering
export type Answering = (response: ServerResponse, heard: Heard) => void

export interface ScriptedSii {
  readonly base: string
  readonly heard: Heard[]
  /** Answers for paths that end so, in the order they are given; the last one stays. */
  on(path: string, ...replies: readonly Reply[]): void
  close(): Promise<void>
}

/** An HTTP server that answers what a test tells it to, in place of every host of the SII. */
export async function openScriptedSii(): Promise<ScriptedSii> {
  const heard: Heard[] = []
  const scripts = new Map<string, Reply[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString('latin1') }
      heard.push(one)
      const script = [...scripts].find(([path]) => url.split('?')[0]?.endsWith(path))?.[1] ?? []
      const reply = script.length > 1 ? script.shift() : script[0]
      if (typeof reply === 'function') reply(response, one)
      else if (typeof reply === 'string') response.end(reply)
      else response.writeHead(reply?.status ?? (reply ? 200 : 404)).end(reply?.body ?? 'nothing is scripted here')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    on: (path, ...replies) => scripts.set(path, [...replies]),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A client of it that never waits, with the record of what it did. */
export function openTestClient(sii: ScriptedSii, options: Partial<SiiClientOptions> = {}) {
  const facts: CallFact[] = []
  const waits: number[] = []
  const client = openSiiClient({
    hosts: simulatedHosts(sii.base),
    tokens: memoryTokens(),
    sessions: memorySessions(),
    onCall: (fact) => facts.push(fact),
    sleep: async (ms) => {
      waits.push(ms)
    },
    ...options,
  })
  return { client, facts, waits }
}
