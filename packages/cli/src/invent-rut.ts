/** A RUT that nobody was given, of the range of companies, with its check digit (modulo 11). */
export function inventRut(chance: number): string {
  const number = 50_000_000 + (chance % 40_000_000)
  let sum = 0
  for (let rest = number, factor = 2; rest > 0; rest = Math.floor(rest / 10), factor = factor === 7 ? 2 : factor + 1) {
    sum += (rest % 10) * factor
  }
  const digit = 11 - (sum % 11)
  return `${number}-${digit === 11 ? '0' : digit === 10 ? 'K' : digit}`
}
