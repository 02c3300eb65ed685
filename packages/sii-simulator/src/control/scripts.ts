import { json } from '../door.ts'
import type { Finding } from '../state/types.ts'
import { type ScriptKind, VERDICT_KINDS, WIRE_KINDS } from '../weather/scripts.ts'
import { oneOf, optionalNumber, optionalObject, optionalText, requiredText } from './input.ts'
import type { ControlRoute } from './route.ts'

const KINDS: readonly ScriptKind[] = [...WIRE_KINDS, ...VERDICT_KINDS]

export const SCRIPT_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/control/scripts', handle: (ctx) => json({ data: ctx.scripts.list() }) },
  {
    method: 'POST',
    path: '/control/scripts',
    handle(ctx, { input }) {
      const kind = oneOf(input, 'kind', KINDS)
      const times = optionalNumber(input, 'times')
      if (kind === 'expire_tokens' && times === null) {
        const expired = ctx.state.tokens.count()
        ctx.state.tokens.clear()
        return json({ kind, expired })
      }
      const script = ctx.scripts.add({
        door: optionalText(input, 'door') ?? '*',
        kind,
        times,
        match: optionalText(input, 'match'),
        ms: optionalNumber(input, 'ms'),
        status: optionalNumber(input, 'status'),
        finding: findingOf(optionalObject(input, 'finding')),
        folio: optionalNumber(input, 'folio'),
      })
      return json(script, 201)
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

function findingOf(input: Record<string, unknown> | null): Finding | null {
  if (!input) return null
  return {
    code: requiredText(input, 'code'),
    glosa: requiredText(input, 'glosa'),
    detail: optionalText(input, 'detail'),
  }
}
