export interface FolioRange {
  readonly tipo_dte: number
  readonly first: number
  readonly last: number
}

/** Folios written as `tipo:folio`, as the ranges that they make. */
export function rangesOf(folios: readonly string[]): FolioRange[] {
  const numbers = folios.map((text) => text.split(':').map(Number) as [number, number])
  const ranges: { tipo_dte: number; first: number; last: number }[] = []
  for (const [tipo_dte, folio] of numbers.sort(([a, x], [b, y]) => a - b || x - y)) {
    const open = ranges.at(-1)
    if (open && open.tipo_dte === tipo_dte && folio <= open.last + 1) open.last = folio
    else ranges.push({ tipo_dte, first: folio, last: folio })
  }
  return ranges
}
