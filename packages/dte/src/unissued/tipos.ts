import { DOCUMENTS } from '../tables/documents.ts'

/**
 * Tipos that the service does not issue, and that suppliers and other systems do: the engine reads them, prints them and
 * builds them. Names as printed: SII, Manual de Muestras Impresas v4.0, section 1; bodies: DTE_v10.xsd.
 */
export interface UnissuedFacts {
  readonly name: string
  readonly printed_name: string
  readonly body: 'Liquidacion' | 'Exportaciones'
  readonly taxed: boolean
  readonly cedible: 'always' | 'never'
  /** Months a CAF may be used for; null when it does not lapse. */
  readonly caf_months: number | null
}

const nameOf = (tipo_dte: number) => DOCUMENTS[tipo_dte]?.name ?? ''

// biome-ignore format: one tipo per line keeps the columns readable
export const UNISSUED_TIPOS = {
  43: { name: nameOf(43), printed_name: 'LIQUIDACIÓN FACTURA ELECTRÓNICA', body: 'Liquidacion', taxed: true, cedible: 'always', caf_months: 6 },
  110: { name: nameOf(110), printed_name: 'FACTURA DE EXPORTACIÓN ELECTRÓNICA', body: 'Exportaciones', taxed: false, cedible: 'never', caf_months: null },
  111: { name: nameOf(111), printed_name: 'NOTA DE DÉBITO DE EXPORTACIÓN ELECTRÓNICA', body: 'Exportaciones', taxed: false, cedible: 'never', caf_months: null },
  112: { name: nameOf(112), printed_name: 'NOTA DE CRÉDITO DE EXPORTACIÓN ELECTRÓNICA', body: 'Exportaciones', taxed: false, cedible: 'never', caf_months: null },
} as const satisfies Record<number, UnissuedFacts>

export type UnissuedTipo = keyof typeof UNISSUED_TIPOS

export function isUnissuedTipo(value: unknown): value is UnissuedTipo {
  return typeof value === 'number' && Object.hasOwn(UNISSUED_TIPOS, value)
}

export function unissuedTipo(tipo_dte: UnissuedTipo): UnissuedFacts {
  return UNISSUED_TIPOS[tipo_dte]
}
