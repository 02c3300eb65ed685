import { isoStamp } from '../clock.ts'
import { json } from '../door.ts'
import type { Settings, Simulator } from '../simulator.ts'
import type { Store } from '../state/state.ts'
import { releaseUploads } from '../uploads/receive.ts'
import { flag, nullable, optional, readInput, whole } from './input.ts'
import type { ControlRoute } from './route.ts'

const PAGE = 200
const MOST = 1_000
const TEN_YEARS_MS = 3_650 * 86_400_000
const CHANGES = {
  open_registration: optional(flag),
  verdict_delay_ms: optional(whole(0, TEN_YEARS_MS)),
  session_cap: optional(whole(0, 1_000)),
  folio_cap: nullable(whole(1, 1_000_000)),
  review_delay_ms: optional(whole(0, TEN_YEARS_MS)),
  resolution_delay_ms: optional(whole(0, TEN_YEARS_MS)),
}

export const STATE_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/control', handle: (ctx) => json(summary(ctx)) },
  { method: 'GET', path: '/control/addresses', handle: ({ addresses }) => json(addresses) },
  {
    method: 'GET',
    path: '/control/uploads',
    handle: ({ state }, { query }) => json(latest(state.uploads, query)),
  },
  {
    method: 'POST',
    path: '/control/uploads/release',
    handle(ctx, { input }) {
      readInput(input, {})
      return json({ released: releaseUploads(ctx) })
    },
  },
  {
    method: 'GET',
    path: '/control/documents',
    handle: ({ state }, { query }) => json(latest(state.documents, query)),
  },
  {
    method: 'GET',
    path: '/control/mails',
    handle: ({ state }, { query }) => json(latest(state.mails, query)),
  },
  {
    method: 'GET',
    path: '/control/calls',
    handle: ({ calls }) => json({ data: calls.list(), counts: calls.counts() }),
  },
  { method: 'GET', path: '/control/settings', handle: (ctx) => json(ctx.settings()) },
  {
    method: 'POST',
    path: '/control/settings',
    handle(ctx, { input }) {
      const { folio_cap, ...others } = readInput(input, CHANGES)
      const changes: Partial<Settings> = Object.fromEntries(
        Object.entries(others).filter(([, value]) => value !== null),
      )
      if (folio_cap !== undefined) changes.folio_cap = folio_cap
      return json(ctx.change(changes))
    },
  },
  {
    method: 'POST',
    path: '/control/reset',
    handle(ctx, { input }) {
      readInput(input, {})
      ctx.state.reset()
      ctx.calls.clear()
      ctx.clock.set(ctx.options.now?.() ?? Date.now())
      return json(summary(ctx))
    },
  },
]

export function summary({ state, clock, scripts, settings }: Simulator) {
  const now = clock.now()
  return {
    now: new Date(now).toISOString(),
    santiago: isoStamp(now),
    settings: settings(),
    taxpayers: state.taxpayers.count(),
    certificates: state.certificates.count(),
    tokens: state.tokens.count(),
    sessions: state.store('sessions').count(),
    uploads: state.uploads.count(),
    pending_uploads: state.pending.count(),
    documents: state.documents.count(),
    cafs: state.cafs.count(),
    mails: state.mails.count(),
    scripts: scripts.list().length,
  }
}

/**
 * The last ones by key, newest first; `prefix` narrows them (keys begin with the ambiente). `next` is there where more
 * follow, and is what `after` takes to go on.
 */
function latest<T>(store: Pick<Store<T>, 'entries'>, query: URLSearchParams): { data: T[]; next?: string } {
  const asked = Number(query.get('limit') ?? PAGE)
  const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, MOST) : PAGE
  const after = query.get('after')
  const range = { reverse: true, limit: limit + 1, ...(after && { after }) }
  const found = Array.from(store.entries(query.get('prefix') ?? '', range))
  const data = found.slice(0, limit).map(([, value]) => value)
  const last = found.length > limit ? found[limit - 1] : undefined
  return last ? { data, next: last[0] } : { data }
}
