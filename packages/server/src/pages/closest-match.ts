/** Levenshtein distance of two words, one row of the table at a time. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(swap, (above[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    above = row
  }
  return above[b.length] as number
}

const LONGEST = 64

/** The candidates that a misspelt word may mean: few edits away, or sharing a part. */
export function closestMatches<T extends string>(word: string, candidates: readonly T[], most: number): T[] {
  const given = word.toLowerCase().slice(0, LONGEST)
  const words = new Set(given.split(/[^a-z0-9]+/).filter((one) => one.length > 3))
  return candidates
    .map((candidate) => {
      const shared = candidate.split('_').filter((one) => words.has(one)).length
      return { candidate, away: editDistance(given, candidate), shared }
    })
    .filter(({ candidate, away, shared }) => shared > 0 || away <= Math.ceil(candidate.length / 3))
    .sort((a, b) => a.away - a.shared * 3 - (b.away - b.shared * 3))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}
