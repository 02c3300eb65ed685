import type { Agent } from 'undici'
import type { Identity } from './identity.ts'
import type { CallLimits } from './limits.ts'
import type { Headers } from './redact.ts'

/** One request, as bytes. */
export interface HttpRequest {
  /** Origin, or an origin with a path in front of every path (a simulator). */
  readonly base: string
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  /** Who shows its certificate in the TLS handshake; null for nobody. */
  readonly client_certificate: Identity | null
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** No whole answer came. `sent` is false only while not one byte of the request had been written. */
export class NoAnswer extends Error {
  readonly code: string
  readonly sent: boolean

  constructor(code: string, sent: boolean) {
    super(code)
    this.code = code
    this.sent = sent
  }
}

export interface Http {
  exchange(request: HttpRequest, limits: CallLimits): Promise<HttpAnswer>
  close(): Promise<void>
}

export interface HttpOptions {
  /** PEM of the authority to trust in place of the well-known ones: a simulator's, where those vouch for nobody. */
  readonly ca?: string | undefined
  readonly connect_ms: number
  /**
   * Lets the handshake go on with a server that does not know RFC 5746. Some clients need it for maullin and palena
   * (see UNVERIFIED). The server's certificate is verified all the same.
   */
  readonly legacy_renegotiation?: boolean | undefined
}

const load = () => import('./http-agent.ts')

/** Undici is a megabyte of program: only a process that calls the SII loads it, with its first call. */
export function openHttp(options: HttpOptions): Http {
  let loaded: ReturnType<typeof load> | undefined
  let plain: Agent | undefined
  const mutual = new Set<Agent>()
  return {
    exchange: async (request, limits) => {
      // Kept: the loader of modules remembers too, but finds its way to a module anew each time it is asked.
      loaded ??= load()
      const { exchange, newAgent } = await loaded
      if (request.client_certificate === null) {
        plain ??= newAgent(options)
        return exchange(plain, request, limits)
      }
      // Whoever shows a certificate logs in, once in an hour and a half: its key is not kept here for the next time.
      const agent = newAgent(options, request.client_certificate.tls)
      mutual.add(agent)
      try {
        return await exchange(agent, request, limits)
      } finally {
        mutual.delete(agent)
        void agent.destroy()
      }
    },
    close: async () => {
      await Promise.all([plain, ...mutual].map((agent) => agent?.destroy()))
    },
  }
}
