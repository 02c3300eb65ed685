/** Whole pesos times a fraction, rounded half up, without ever leaving the integers. */
export function timesFraction(pesos: number, numerator: number, denominator: number): number {
  const [top, bottom] = [BigInt(pesos) * BigInt(numerator), BigInt(denominator)]
  return Number((top * 2n + bottom) / (bottom * 2n))
}

/** A decimal of few places as an integer of that many places: 0.125 with three is 125. */
export function scaled(value: number, places: number): number {
  return Math.round(value * 10 ** places)
}

/** Whether a decimal has no more places than these. */
export function hasPlaces(value: number, places: number): boolean {
  return Math.abs(value - scaled(value, places) / 10 ** places) < 1e-9
}
