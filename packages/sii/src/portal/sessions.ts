import { randomUUID } from 'node:crypto'
import { SiiFailure } from '../failure.ts'
import type { Ambiente } from '../hosts.ts'
import type { Wire } from '../wire.ts'
import { logIn, logOut, type PortalUser, SESSION_CAP, type SessionOwner, sessionKey } from './log-in.ts'
import type { Pace } from './pace.ts'
import { type PortalSession, sessionOver } from './session.ts'
import type { HeldSession, SessionStore } from './session-store.ts'

/** The SII ends a session after about two hours without use (PROTOCOLS 9); we leave it well before. */
const IDLE_MS = 90 * 60_000
/** After the cap was met nobody asks for this long (PROTOCOLS 17). */
const CAP_MS = 30 * 60_000
/** Use is noted this coarsely: a note is a write to what processes share. */
const NOTE_MS = 5 * 60_000

export interface SessionOrder {
  readonly user: PortalUser
  readonly ambiente: Ambiente
  /** The page it is opened for, whole. */
  readonly target: string
  /** The flow keeps state in the session at the SII (folios, free invoicing): nobody else may use it meanwhile. */
  readonly alone: boolean
}

export interface Sessions {
  /**
   * Runs a flow in the person's session, which is opened when there is none. Where the SII has lost it, it is opened
   * anew and the flow begins again, once. A flow must not let that happen after the act that it exists for.
   */
  use<T>(order: SessionOrder, flow: (session: PortalSession) => Promise<T>): Promise<T>
  /** Forgets the session once it is over: where the SII could not be told, it can be told again. */
  logOut(user: SessionOwner, ambiente: Ambiente): Promise<void>
}

export function openSessions(wire: Wire, store: SessionStore, pace: Pace): Sessions {
  const isFresh = ({ used_at }: HeldSession) => wire.now().getTime() - used_at.getTime() < IDLE_MS

  /** The session to use; only ever called alone. `lost` is one that the SII no longer knows. */
  const obtain = async (order: SessionOrder, lost: string | null): Promise<HeldSession> => {
    const key = sessionKey(order.user)
    const held = await store.get(key)
    if (held?.kind === 'capped' && held.until > wire.now()) throw capFailure(order, held.glosa)
    if (held?.kind === 'open') {
      if (held.id !== lost && isFresh(held)) return held
      // An idle one may still count against the cap for half an hour, and so does one that we only took for lost.
      await logOut(wire, order.ambiente, order.user, held.cookies).catch(() => undefined)
      await store.put(key, null)
    }
    return openNew(order, key)
  }

  const openNew = async (order: SessionOrder, key: string): Promise<HeldSession> => {
    try {
      const cookies = await logIn(wire, order.ambiente, order.user, order.target)
      const opened: HeldSession = { kind: 'open', id: randomUUID(), cookies, used_at: wire.now() }
      await store.put(key, opened)
      return opened
    } catch (failure) {
      if (failure instanceof SiiFailure && failure.kind === 'session_cap') {
        const until = new Date(wire.now().getTime() + CAP_MS)
        await store.put(key, { kind: 'capped', until, glosa: failure.glosa })
      }
      throw failure
    }
  }

  const run = async <T>(order: SessionOrder, held: HeldSession, flow: (session: PortalSession) => Promise<T>) => {
    const session = sessionOver(wire, pace, order.ambiente, order.user, held.cookies)
    try {
      return await flow(session)
    } finally {
      const cookies = session.jar()
      const used_at = wire.now()
      if (cookies !== held.cookies || used_at.getTime() - held.used_at.getTime() > NOTE_MS) {
        // Only a note: what the flow brought, folios perhaps, is not lost because it could not be written.
        await store.touch(sessionKey(order.user), { ...held, cookies, used_at }).catch(() => undefined)
      }
    }
  }

  return {
    use: async (order, flow) => {
      const key = sessionKey(order.user)
      const alone = <R>(act: () => Promise<R>) => store.alone(key, act)
      const once = async (lost: string | null, tried: (held: HeldSession) => void) => {
        if (order.alone) {
          return alone(async () => {
            const held = await obtain(order, lost)
            tried(held)
            return run(order, held, flow)
          })
        }
        const known = await store.get(key)
        const usable = known?.kind === 'open' && known.id !== lost && isFresh(known)
        const held = usable ? known : await alone(() => obtain(order, lost))
        tried(held)
        return run(order, held, flow)
      }
      let tried: string | null = null
      try {
        return await once(null, ({ id }) => {
          tried = id
        })
      } catch (failure) {
        if (tried === null || !isLost(failure)) throw failure
        return once(tried, () => undefined)
      }
    },
    logOut: (user, ambiente) =>
      store.alone(sessionKey(user), async () => {
        const held = await store.get(sessionKey(user))
        if (held?.kind !== 'open') return
        await logOut(wire, ambiente, user, held.cookies)
        await store.put(sessionKey(user), null)
      }),
  }
}

function isLost(failure: unknown): boolean {
  return failure instanceof SiiFailure && failure.token_refused
}

/** Nothing was asked: the answer of half an hour ago still stands. */
function capFailure({ user, ambiente }: SessionOrder, glosa: string | null): SiiFailure {
  const service = user.kind === 'certificate' ? 'login_certificate' : 'login_clave'
  return new SiiFailure(
    { service, ambiente, operation: service },
    { kind: 'session_cap', retry: 'minutes', estado: SESSION_CAP, glosa, sent: false },
  )
}
