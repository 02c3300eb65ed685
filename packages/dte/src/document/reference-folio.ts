const FOLIO_DIGITS = 10

/**
 * The folio that a reference to an electronic document names: such a folio is a number of at most ten digits (SII,
 * Formato DTE, FolioRef), so blanks around it and zeros before it are no part of it, and any other text names none.
 */
export function folioNumber(written: string | number | undefined): number | null {
  const [, digits] = /^0*(\d+)$/.exec(String(written ?? '').trim()) ?? []
  return digits === undefined || digits.length > FOLIO_DIGITS ? null : Number(digits)
}
