import { openTokens } from './auth.ts'
import type { Caller } from './identity.ts'
import type { SessionStore } from './portal/session-store.ts'
import { openPortal, type SiiPortal } from './portal.ts'
import type { TokenStore } from './tokens.ts'
import { openWire, type WireOptions } from './wire.ts'

export interface SiiClientOptions extends WireOptions {
  readonly tokens: TokenStore
  readonly sessions: SessionStore
}

/** The SII, asked in its own protocols. One for a process; it keeps connections and nothing else. */
export interface SiiClient extends SiiPortal {
  /** A token of the DTE channel, for the portal's services that take it in place of a session. */
  withDteToken<T>(caller: Caller, ask: (token: string) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openSiiClient(options: SiiClientOptions): SiiClient {
  const wire = openWire(options)
  const tokens = openTokens(wire, options.tokens)
  return {
    ...openPortal(wire, options.sessions),
    withDteToken: (caller, ask) => tokens.withToken(caller, 'dte', ask),
    close: () => wire.close(),
  }
}
