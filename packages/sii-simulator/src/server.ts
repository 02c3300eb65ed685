import { X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { TLSSocket } from 'node:tls'
import { addressOf } from './address.ts'
import { answerControl } from './control/answer.ts'
import { type Answer, type Door, text } from './door.ts'
import { answerDoor } from './doors/answer.ts'
import { DOORS } from './doors/registry.ts'
import { NoAnswer } from './no-answer.ts'
import type { Simulator } from './simulator.ts'

export type Listening = { http: string; https: string | null; close(): Promise<void> }

export type ListenOptions = { host?: string; port: number; https_port: number | null; doors?: readonly Door[] }

/** Longer than a client on a busy machine pauses: one that is closed while it asks hears nothing. */
const KEEP_ALIVE_MS = 60_000

/** A name or an address, and a port. What it says stands in pages and in WSDLs. */
const HOST = /^[\w.-]*(?::\d{1,5})?$|^\[[\da-fA-F:]+\](?::\d{1,5})?$/

/** HTTP, and HTTPS with optional client certificates, over the same doors. Port 0 takes any that is free. */
export async function listen(ctx: Simulator, options: ListenOptions): Promise<Listening> {
  const host = options.host ?? '127.0.0.1'
  const doors = options.doors ?? DOORS
  const plain = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener(ctx, 'http', doors))
  const secure =
    options.https_port === null
      ? null
      : createTlsServer(
          {
            keepAliveTimeout: KEEP_ALIVE_MS,
            key: ctx.authority.tls.key,
            cert: ctx.authority.tls.cert + ctx.authority.ca.pem,
            ca: [...ctx.trusted],
            minVersion: 'TLSv1.2',
            // A caller may come without one; whether one that comes is good is judged by the simulator's own clock.
            requestCert: true,
            rejectUnauthorized: false,
          },
          listener(ctx, 'https', doors),
        )
  const http = await bind(plain, host, options.port)
  const https = secure && (await bind(secure, host, options.https_port ?? 0))
  const addresses = { http: `http://${host}:${http}`, https: https === null ? null : `https://${host}:${https}` }
  ctx.addresses = addresses
  return {
    ...addresses,
    async close() {
      await Promise.all([plain, ...(secure ? [secure] : [])].map(shut))
    },
  }
}

function listener(ctx: Simulator, scheme: 'http' | 'https', doors: readonly Door[]): RequestListener {
  return (incoming, response) => {
    route(ctx, scheme, doors, incoming)
      .then((answer) => send(response, answer))
      .catch((failure) => fail(response, failure))
  }
}

/** Our own mistakes are a 500 that says so. Nothing that one caller sends may end the process for the others. */
function fail(response: ServerResponse, failure: unknown): void {
  if (failure instanceof NoAnswer) {
    cut(response, failure.partial)
    return
  }
  // The caller went away in the middle of its request.
  if (response.destroyed || response.socket?.destroyed) return
  console.error(failure)
  if (response.headersSent) response.destroy()
  else send(response, { status: 500, type: 'text/plain', body: `The simulator failed: ${failure}` })
}

async function route(
  ctx: Simulator,
  scheme: 'http' | 'https',
  doors: readonly Door[],
  incoming: IncomingMessage,
): Promise<Answer> {
  if (!HOST.test(incoming.headers.host ?? '')) return text('Bad Host header', 400)
  const address = addressOf(incoming.url ?? '/', incoming.headers.host ?? '', scheme)
  if (address.kind === 'own') return answerControl(ctx, incoming, address)
  return answerDoor(ctx, doors, incoming, address, peerCertificate(incoming))
}

function peerCertificate(incoming: IncomingMessage): X509Certificate | null {
  if (!(incoming.socket instanceof TLSSocket)) return null
  const { raw } = incoming.socket.getPeerCertificate()
  return raw ? new X509Certificate(raw) : null
}

function send(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body)
  response.writeHead(answer.status ?? 200, {
    'Content-Type': answer.type ?? 'text/html',
    'Content-Length': body.length,
    ...answer.headers,
  })
  response.end(body)
}

/** Cuts the connection, after half of an answer where one was begun. */
function cut(response: ServerResponse, partial: Answer | null): void {
  if (!partial) {
    response.socket?.destroy()
    return
  }
  const body = Buffer.from(partial.body)
  response.writeHead(partial.status ?? 200, {
    'Content-Type': partial.type ?? 'text/html',
    'Content-Length': body.length,
    ...partial.headers,
  })
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function shut(server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
