import { openTokens } from './auth.ts'
import { type BoletaService, openBoletaService } from './boleta.ts'
import { type CesionService, openCesionService } from './cesion.ts'
import { type ClaimsService, openClaimsService } from './claims.ts'
import { type DteService, openDteService } from './dte.ts'
import type { Caller } from './identity.ts'
import { memoryTurns, type TurnStore } from './portal/pace.ts'
import type { SessionStore } from './portal/session-store.ts'
import { openPortal, type SiiPortal } from './portal.ts'
import type { TokenStore } from './tokens.ts'
import { openWire, type WireOptions } from './wire.ts'

export interface SiiClientOptions extends WireOptions {
  readonly tokens: TokenStore
  readonly sessions: SessionStore
  /** Turns of the portal, where several processes share them; else each process has its own. */
  readonly turns?: TurnStore | undefined
}

/** The SII, asked in its own protocols. One for a process; it keeps connections and nothing else. */
export interface SiiClient extends SiiPortal {
  readonly dte: DteService
  readonly boleta: BoletaService
  readonly claims: ClaimsService
  readonly cesion: CesionService
  /** A token of the DTE channel, for the portal's services that take it in place of a session. */
  withDteToken<T>(caller: Caller, ask: (token: string) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openSiiClient(options: SiiClientOptions): SiiClient {
  const wire = openWire(options)
  const tokens = openTokens(wire, options.tokens)
  const access = { wire, tokens }
  return {
    ...openPortal(wire, tokens, options.sessions, options.turns ?? memoryTurns(wire.now)),
    dte: openDteService(access),
    boleta: openBoletaService(access),
    claims: openClaimsService(access),
    cesion: openCesionService(access),
    withDteToken: (caller, ask) => tokens.withToken(caller, 'dte', ask),
    close: () => wire.close(),
  }
}
