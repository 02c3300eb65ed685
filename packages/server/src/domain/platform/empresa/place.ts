import type { EmpresaRow } from './row.ts'

/** Recinto of a receipt takes no more (Recibos_v10.xsd). */
const MAX_CHARS = 80

/** The place where goods are received by default: the address of the empresa. */
export function placeOf({ street, comuna }: Pick<EmpresaRow, 'street' | 'comuna'>): string {
  return (
    [street, comuna]
      .filter((word) => word)
      .join(', ')
      .slice(0, MAX_CHARS) || 'Casa matriz'
  )
}
