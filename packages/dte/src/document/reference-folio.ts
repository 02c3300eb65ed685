const FOLIO_DIGITS = 10

/**
 * The folio that a reference to an electronic document names: such a folio is a number of at most ten digits (SII,
 * Formato DTE, FolioRef), so blanks around it and zeros before it are no part of it, and any other text names none.
 */
export function folioNumber(written: string | number | undefined): number | null {
  const text = String(written ?? '').trim()
  if (!/^\d{1,40}$/.test(text)) return null
  const folio = Number(text)
  return folio < 10 ** FOLIO_DIGITS ? folio : null
}
