// A valid value with something in it that is not.

import type { Draw } from './chance.ts'
import { hostileString, hostileValue, type Sizes } from './hostile-text.ts'

type Path = readonly (string | number)[]

function paths(value: unknown, at: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [at]
  const inner = Object.keys(value).flatMap((key) => paths((value as Record<string, unknown>)[key], [...at, key]))
  return at.length === 0 ? inner : [at, ...inner]
}

function replaced(value: unknown, [first, ...rest]: Path, by: (old: unknown) => unknown): unknown {
  if (first === undefined) return by(value)
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === String(first) ? replaced(item, rest, by) : item))
  const object = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => [key, key === String(first) ? replaced(item, rest, by) : item]),
  )
}

function near(old: unknown, draw: Draw, sizes: Sizes): unknown {
  if (typeof old === 'number') return draw.one([-old, old + 1, old * 1e9, old + 0.5, String(old), [old], -0])
  if (typeof old === 'string')
    return draw.one([`${old}\u0000`, old.repeat(50), `${old} `, hostileString(draw, sizes), [old]])
  if (Array.isArray(old))
    return draw.one([[], [...old, ...old], Array.from({ length: 1_001 }, () => old[0] ?? 1), old[0]])
  if (typeof old === 'boolean') return draw.one(['true', 0, null])
  return hostileValue(draw, sizes)
}

/** One or two places of a value, hit. */
export function mutate(value: unknown, draw: Draw, sizes: Sizes): unknown {
  let out = value
  for (let hits = 1 + draw.below(2); hits > 0; hits--) {
    const places = paths(out)
    if (places.length === 0 || draw.often(0.1)) {
      const more = {
        [draw.one(['x', 'toString', 'hasOwnProperty', '', 'ñ', 'id', 'account_id'])]: hostileValue(draw, sizes),
      }
      out = typeof out === 'object' && out !== null && !Array.isArray(out) ? { ...out, ...more } : more
      continue
    }
    out = replaced(out, draw.one(places), (old) =>
      draw.often(0.5) ? near(old, draw, sizes) : hostileValue(draw, sizes),
    )
  }
  return out
}
