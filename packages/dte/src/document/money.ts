/**
 * Money without floating point. Amounts are whole pesos; quantities and prices have at most 6 decimals and are
 * multiplied as scaled integers. Rounding is half away from zero: the SII's own examples round 7969.5 to 7970, and
 * banker's rounding would lose that peso ("monto total no cuadra").
 */

const SCALE_DIGITS = 6

/** Largest amount that is reckoned with: what a JavaScript number holds exactly. */
export const MAX_PESOS = Number.MAX_SAFE_INTEGER

/** Largest amount a document may carry. The schema allows 18 digits (MontoType); the registers hold fifteen. */
export const MAX_DOCUMENT_PESOS = 999_999_999_999_999

/** Division rounded half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n
  return dividend >= 0n ? (dividend + half) / divisor : -((-dividend + half) / divisor)
}

/** How many decimals the shortest text of a number has; Infinity when that text needs an exponent. */
export function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0
  const text = String(value)
  if (text.includes('e')) return Number.POSITIVE_INFINITY
  const dot = text.indexOf('.')
  return dot < 0 ? 0 : text.length - dot - 1
}

/** The same with plain numbers, exact while the dividend is: `%` never rounds. Most documents need no more. */
function divideSafely(dividend: number, divisor: number): number {
  const magnitude = Math.abs(dividend)
  const rest = magnitude % divisor
  const quotient = (magnitude - rest) / divisor + (rest * 2 >= divisor ? 1 : 0)
  return dividend < 0 ? -quotient : quotient
}

/** The digits of a number without its decimal point, of which it has `decimals` and at most six. */
function unscaled(value: number, decimals: number): bigint {
  if (decimals > SCALE_DIGITS) throw new RangeError(`${value} has too many decimals`)
  return BigInt(decimals === 0 ? value : String(value).replace('.', ''))
}

/** `quantity × unit_price` in whole pesos (SII, Formato DTE v2.4.2, Detalle, Monto Item). */
export function multiplyInPesos(quantity: number, unit_price: number): number {
  const [left, right] = [decimalsOf(quantity), decimalsOf(unit_price)]
  if (left <= SCALE_DIGITS && right <= SCALE_DIGITS) {
    const product = Math.round(quantity * 10 ** left) * Math.round(unit_price * 10 ** right)
    if (Math.abs(product) <= MAX_PESOS) return divideSafely(product, 10 ** (left + right))
  }
  return toPesos(divideRounded(unscaled(quantity, left) * unscaled(unit_price, right), 10n ** BigInt(left + right)))
}

/** `amount × percent / 100` in whole pesos; `percent` has at most 2 decimals. */
export function percentOf(amount: number, percent: number): number {
  const product = amount * Math.round(percent * 100)
  return Math.abs(product) <= MAX_PESOS ? divideSafely(product, 10_000) : shareOf(amount, percent, 1, 1)
}

/** `amount × numerator / denominator × percent / 100`, rounded once at the end. */
export function shareOf(amount: number, percent: number, numerator: number, denominator: number): number {
  const hundredths = BigInt(Math.round(percent * 100))
  const dividend = BigInt(amount) * BigInt(numerator) * hundredths
  return toPesos(divideRounded(dividend, 10_000n * BigInt(denominator)))
}

/** The net that a gross amount holds; the tax is what remains, so that the two always add up to the gross. */
export function netOfGross(gross: number, percent: number): number {
  if (Math.abs(gross) * 100 <= MAX_PESOS) return divideSafely(gross * 100, 100 + percent)
  return toPesos(divideRounded(BigInt(gross) * 100n, 100n + BigInt(percent)))
}

function toPesos(amount: bigint): number {
  const pesos = Number(amount)
  if (!Number.isSafeInteger(pesos)) throw new RangeError('amount beyond what a document can carry')
  return pesos
}

/** IVA by date, newest first. 19 % since Ley 19.888; 18 % before it, since Ley 18.985. */
const IVA_PERCENTS = [
  { since: '2003-10-01', percent: 19 },
  { since: '1990-07-01', percent: 18 },
] as const

/** Percent of IVA in force on a civil date. */
export function ivaOn(date: string): number {
  return (IVA_PERCENTS.find(({ since }) => date >= since) ?? IVA_PERCENTS[1]).percent
}
