interface Ruts {
  readonly cedente: string
  readonly cesionario: string
  readonly debtor: string
}

/** The sworn statement of an AEC without an electronic receipt, for names too long to stand in it: RUTs say the same. */
export function shortStatement({ cedente, cesionario, debtor }: Ruts): string {
  return (
    `Se declara bajo juramento que el cedente, RUT ${cedente}, ha puesto a disposición del cesionario, RUT ` +
    `${cesionario}, el o los documentos donde constan los recibos de las mercaderías entregadas o servicios ` +
    `prestados, entregados por parte del deudor de la factura, RUT ${debtor}, de acuerdo a lo establecido en la Ley ` +
    'N° 19.983.'
  )
}
