/** How many letters must change to come from one word to the other. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    for (let column = 1; column <= other.length; column++) {
      const changed = (before[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1)
      now.push(Math.min(changed, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1))
    }
    before = now
  }
  return before[other.length] ?? 0
}

/** The word that was probably meant, or null when none is near. */
export function closest(typed: string, words: readonly string[]): string | null {
  const short = typed.slice(0, 60)
  const ranked = words.map((word) => ({ word, far: distance(short, word) })).sort((a, b) => a.far - b.far)
  const [best] = ranked
  return best && best.far <= Math.max(2, Math.floor(short.length / 3)) ? best.word : null
}
