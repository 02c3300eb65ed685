/**
 * Money without floating point. Amounts are whole pesos; quantities and prices have at most 6 decimals and are
 * multiplied as scaled integers. Rounding is half away from zero: the SII's own examples round 7969.5 to 7970, and
 * banker's rounding would lose that peso ("monto total no cuadra").
 */

const SCALE_DIGITS = 6
const SCALE = 10n ** BigInt(SCALE_DIGITS)
const PERCENT_SCALE = 100n

/** Largest amount a document may carry: what a JavaScript number holds exactly (the schema allows 18 digits). */
export const MAX_PESOS = Number.MAX_SAFE_INTEGER

/** Division rounded half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n
  return dividend >= 0n ? (dividend + half) / divisor : -((-dividend + half) / divisor)
}

/** How many decimals the shortest text of a number has; Infinity when that text needs an exponent. */
export function decimalsOf(value: number): number {
  const text = String(value)
  if (text.includes('e')) return Number.isInteger(value) ? 0 : Number.POSITIVE_INFINITY
  const dot = text.indexOf('.')
  return dot < 0 ? 0 : text.length - dot - 1
}

/** The number as an integer count of millionths. Decimals past the sixth are a caller's mistake, refused before. */
function toScaled(value: number): bigint {
  if (Number.isInteger(value)) return BigInt(value) * SCALE
  const [whole = '0', decimals = ''] = String(value).split('.')
  if (decimals.length > SCALE_DIGITS || decimals.includes('e')) throw new RangeError(`${value} has too many decimals`)
  return BigInt(whole + decimals.padEnd(SCALE_DIGITS, '0'))
}

/** `quantity × unit_price` in whole pesos (SII, Formato DTE v2.4.2, Detalle, Monto Item). */
export function multiplyInPesos(quantity: number, unit_price: number): number {
  const product = quantity * unit_price
  const whole = Number.isInteger(quantity) && Number.isInteger(unit_price)
  if (whole && Math.abs(product) <= MAX_PESOS) return product
  return toPesos(divideRounded(toScaled(quantity) * toScaled(unit_price), SCALE * SCALE))
}

/** `amount × percent / 100` in whole pesos; `percent` has at most 2 decimals. */
export function percentOf(amount: number, percent: number): number {
  return shareOf(amount, percent, 1, 1)
}

/** `amount × numerator / denominator × percent / 100`, rounded once at the end. */
export function shareOf(amount: number, percent: number, numerator: number, denominator: number): number {
  const hundredths = BigInt(Math.round(percent * 100))
  const dividend = BigInt(amount) * BigInt(numerator) * hundredths
  return toPesos(divideRounded(dividend, PERCENT_SCALE * 100n * BigInt(denominator)))
}

/** The net that a gross amount holds; the tax is what remains, so that the two always add up to the gross. */
export function netOfGross(gross: number, percent: number): number {
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
