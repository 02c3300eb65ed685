import { type Automaton, automataOf, Undecided } from './regex-automaton.ts'

const MOST_STEPS = 4_000_000

/** Letters that no state tells apart become one bit, so that sets of them stay small. */
function compressed(takes: readonly bigint[]): bigint[] {
  const kinds = new Map<string, bigint>()
  // As digits, the last of them for the first letter: shifting a number of so many bits takes as long as they are many.
  const digits = takes.map((one) => one.toString(2))
  const letters = digits[0]?.length ?? 0
  const small = takes.map(() => 0n)
  for (let letter = 1; letter <= letters; letter++) {
    const takers = digits.flatMap((one, at) => (one[one.length - letter] === '1' ? [at] : []))
    const key = takers.join()
    if (kinds.has(key)) continue
    const bit = 1n << BigInt(kinds.size)
    kinds.set(key, bit)
    for (const at of takers) small[at] = (small[at] as bigint) | bit
  }
  return small
}

function reachable(next: Automaton['next'], from: number): Set<number> {
  const seen = new Set<number>()
  const open = [from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const one of next[at] as ReadonlySet<number>) {
      if (seen.has(one)) continue
      seen.add(one)
      open.push(one)
    }
  }
  return seen
}

/**
 * Whether a text leads from p back to p, from p to q, and from q back to q: then every place of its repetitions is one
 * where the engine may change from the first loop to the second, and a failure at the end makes it try them all
 * (Weber and Seidl, On the degree of ambiguity of finite automata, 1991). With p the search itself, this is a scan that
 * begins anew at every character.
 */
function meet(
  next: Automaton['next'],
  takes: readonly bigint[],
  loops: readonly ReadonlySet<number>[],
  p: number,
  q: number,
): boolean {
  const home = (at: number, of: number) =>
    at === of || ((loops[of] as ReadonlySet<number>).has(at) && (loops[at] as ReadonlySet<number>).has(of))
  const size = takes.length
  const key = (x: number, y: number, z: number) => (x * size + y) * size + z
  const target = key(p, q, q)
  const seen = new Set<number>()
  const open: [number, number, number][] = [[p, p, q]]
  for (let triple = open.pop(); triple !== undefined; triple = open.pop()) {
    const [x, y, z] = triple
    for (const x2 of next[x] as ReadonlySet<number>) {
      if (!home(x2, p)) continue
      for (const z2 of next[z] as ReadonlySet<number>) {
        const both = (takes[x2] as bigint) & (takes[z2] as bigint)
        if (both === 0n || !home(z2, q)) continue
        for (const y2 of next[y] as ReadonlySet<number>) {
          if ((both & (takes[y2] as bigint)) === 0n || !(y2 === q || (loops[y2] as ReadonlySet<number>).has(q)))
            continue
          const k = key(x2, y2, z2)
          if (k === target) return true
          if (seen.has(k)) continue
          seen.add(k)
          if (seen.size > MOST_STEPS) throw new Undecided('it has too many loops to be judged')
          open.push([x2, y2, z2])
        }
      }
    }
  }
  return false
}

function growsIn({ takes, next, matched, doubled }: Automaton): boolean {
  const loops = next.map((_, at) => reachable(next, at))
  const reaches = (from: number, to: number) => (loops[from] as ReadonlySet<number>).has(to)
  if (doubled.some(([from, to]) => reaches(to, from) && !matched.has(to))) return true
  const small = compressed(takes)
  const looping = next.flatMap((_, at) => (reaches(at, at) ? [at] : []))
  return looping.some(
    (q) => !matched.has(q) && looping.some((p) => p !== q && reaches(p, q) && meet(next, small, loops, p, q)),
  )
}

/** Why a pattern may take longer than its text is long; null where it cannot. A pattern that is not understood counts as one that may. */
export function superlinear(source: string, flags: string): string | null {
  try {
    return automataOf(source, flags).some(growsIn) ? 'its time grows faster than the text' : null
  } catch (error) {
    if (error instanceof Undecided) return error.message
    throw error
  }
}
