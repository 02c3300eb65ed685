import { randomBytes } from 'node:crypto'
import type { DoorRequest } from '../door.ts'
import type { Simulator } from '../simulator.ts'

/** A person's session at the portal. It is the SII's own memory: the working company of the free portal is in it. */
export type PortalSession = {
  token: string
  rut: string
  by: 'certificate' | 'clave'
  opened_at: number
  seen_at: number
  /** The first page of the folios was fetched: what is posted before that is out of context. */
  folios_opened: boolean
  /** Free portal: the company that was chosen, and the document under way. */
  company: string | null
  draft: SfgState | null
}

export type SfgState = {
  tipo: number
  /** What the preview took. */
  form: Record<string, string> | null
  folio: number | null
  plain: string | null
  signed: string | null
}

/** A session dies after two hours in which nobody used it. */
const IDLE_MS = 2 * 3_600_000

type World = Pick<Simulator, 'state' | 'clock' | 'settings'>

const sessionsOf = (ctx: World) => ctx.state.store<PortalSession>('sessions')

/** Null where the RUT has as many live sessions as the SII allows. */
export function openSession(ctx: World, rut: string, by: PortalSession['by']): PortalSession | null {
  const now = ctx.clock.now()
  return ctx.state.atomically(() => {
    const sessions = sessionsOf(ctx)
    let live = 0
    for (const session of sessions.values()) {
      if (isDead(session, now)) sessions.remove(session.token)
      else if (session.rut === rut) live++
    }
    if (live >= ctx.settings().session_cap) return null
    const token = randomBytes(10).toString('hex').toUpperCase().slice(0, 13)
    const session: PortalSession = {
      token,
      rut,
      by,
      opened_at: now,
      seen_at: now,
      folios_opened: false,
      company: null,
      draft: null,
    }
    sessions.put(token, session)
    return session
  })
}

/** The live session of a request, touched; null where there is none. */
export function sessionOf(ctx: World, request: DoorRequest): PortalSession | null {
  const token = request.cookies.TOKEN
  const session = token === undefined || token === '' ? undefined : sessionsOf(ctx).get(token)
  if (session === undefined) return null
  const now = ctx.clock.now()
  if (isDead(session, now)) {
    sessionsOf(ctx).remove(session.token)
    return null
  }
  return changeSession(ctx, session, {})
}

export function changeSession(ctx: World, session: PortalSession, changes: Partial<PortalSession>): PortalSession {
  const changed = { ...session, ...changes, seen_at: ctx.clock.now() }
  sessionsOf(ctx).put(session.token, changed)
  return changed
}

export function closeSession(ctx: World, token: string): void {
  sessionsOf(ctx).remove(token)
}

function isDead(session: PortalSession, now: number): boolean {
  return now - session.seen_at > IDLE_MS
}

/** The cookies by which clients tell a login that went well. They name no domain, which here is not the SII's. */
export function sessionCookies({ token, rut, opened_at }: PortalSession): string[] {
  const [number = '', dv = ''] = rut.split('-')
  const expires = new Date(opened_at + IDLE_MS).toISOString().replace(/\D/g, '').slice(0, 14)
  const cookies = {
    'NETSCAPE_LIVEWIRE.rut': number,
    'NETSCAPE_LIVEWIRE.rutm': number,
    'NETSCAPE_LIVEWIRE.dv': dv,
    'NETSCAPE_LIVEWIRE.dvm': dv,
    'NETSCAPE_LIVEWIRE.clave': token,
    'NETSCAPE_LIVEWIRE.mac': token.toLowerCase(),
    'NETSCAPE_LIVEWIRE.exp': expires,
    'NETSCAPE_LIVEWIRE.sec': '0000',
    'NETSCAPE_LIVEWIRE.lms': '120',
    TOKEN: token,
    CSESSIONID: token,
    RUT_NS: number,
    DV_NS: dv,
  }
  return Object.entries(cookies).map(([name, value]) => `${name}=${value}; Path=/`)
}
