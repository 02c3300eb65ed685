import { json } from '../door.ts'
import { DOORS } from '../doors/registry.ts'
import { HOSTS } from '../hosts.ts'
import { LAST_FOLIO } from '../tipos.ts'
import { type ScriptKind, VERDICT_KINDS, WIRE_KINDS } from '../weather/scripts.ts'
import { object, oneOf, optional, readInput, text, whole } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

const KINDS: readonly ScriptKind[] = [...WIRE_KINDS, ...VERDICT_KINDS]
/** Every request is compared with every script. */
const MOST_SCRIPTS = 500
const HOUR_MS = 3_600_000
const TEN_YEARS_MS = 3_650 * 24 * HOUR_MS

const SCRIPT = {
  kind: oneOf(KINDS),
  door: optional(text(60)),
  times: optional(whole(1, 1_000_000)),
  match: optional(text(1_000)),
  ms: optional(whole(0, TEN_YEARS_MS)),
  status: optional(whole(0, 599)),
  finding: optional(object({ code: text(40), glosa: text(500), detail: optional(text(500)) })),
  folio: optional(whole(1, LAST_FOLIO)),
}

export const SCRIPT_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/control/scripts', handle: (ctx) => json({ data: ctx.scripts.list() }) },
  {
    method: 'POST',
    path: '/control/scripts',
    handle(ctx, { input }) {
      const asked = readInput(input, SCRIPT)
      const { kind, times } = asked
      checkScript(asked)
      if (kind === 'expire_tokens' && times === null) {
        const expired = ctx.state.tokens.count()
        ctx.state.tokens.clear()
        return json({ kind, expired })
      }
      if (ctx.scripts.list().length >= MOST_SCRIPTS)
        throw new ControlRefusal(`There are ${MOST_SCRIPTS} scripts already, which is the most: delete some.`)
      return json(ctx.scripts.add({ ...asked, door: asked.door ?? '*' }), 201)
    },
  },
  {
    method: 'DELETE',
    path: '/control/scripts',
    handle(ctx) {
      ctx.scripts.clear()
      return json({ data: [] })
    },
  },
  {
    method: 'DELETE',
    path: /\/control\/scripts\/(?<id>\d+)/,
    handle(ctx, { params }) {
      ctx.scripts.remove(params.id ?? '')
      return json({ data: ctx.scripts.list() })
    },
  },
]

/** What one kind of script takes and another does not. */
function checkScript({
  kind,
  door,
  ms,
  status,
}: {
  kind: ScriptKind
  door: string | null
  ms: number | null
  status: number | null
}) {
  if (door !== null && door !== '*' && !PLACES.has(door))
    throw new ControlRefusal(`door must be *, a host of the SII, or one of ${DOOR_NAMES.join(', ')}.`)
  if (kind === 'slow' && ms !== null && ms > HOUR_MS)
    throw new ControlRefusal(`ms must be at most ${HOUR_MS} where an answer is slow.`)
  if (kind === 'http_status' && status !== null && status < 200)
    throw new ControlRefusal('status must be a number from 200 to 599 where HTTP says it.')
}

const DOOR_NAMES = [...new Set(DOORS.map(({ name }) => name))]
const PLACES: ReadonlySet<string> = new Set([...HOSTS, ...DOOR_NAMES])
