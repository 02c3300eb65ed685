/** The name a file is saved under: whose, which kind, which number. Letters, digits, dots and dashes only. */
export function filenameOf(rut: string, document: { tipo_dte: number; folio: number | null }, ending: string): string {
  return `${rut}-T${document.tipo_dte}-F${document.folio}${ending}`
}
