interface Summand {
  readonly total: number
}

/** From each place on, the most and the least that the rest of a list can add. */
function reachOf(all: readonly Summand[]): { readonly most: number[]; readonly least: number[] } {
  const [most, least] = [[0], [0]]
  for (const { total } of all.toReversed()) {
    most.unshift((most[0] ?? 0) + Math.max(0, total))
    least.unshift((least[0] ?? 0) + Math.min(0, total))
  }
  return { most, least }
}

/** Sets of two or more whose sum is the amount; no more than two, since two are already one too many to choose from. */
export function sumsTo<S extends Summand>(amount: number, all: readonly S[]): S[][] {
  const found: S[][] = []
  const chosen: S[] = []
  const { most, least } = reachOf(all)
  const look = (from: number, missing: number): void => {
    if (missing === 0 && chosen.length > 1) found.push([...chosen])
    for (let i = from; i < all.length && found.length < 2; i++) {
      // Whatever is left cannot reach it any more, or cannot help passing it.
      if (missing > (most[i] as number) || missing < (least[i] as number)) return
      chosen.push(all[i] as S)
      look(i + 1, missing - (all[i] as S).total)
      chosen.pop()
    }
  }
  look(0, amount)
  return found
}
