/**
 * Additional and withheld taxes by SII code (Formato DTE v2.4.2, section 4). `added` raises the total, `withheld` is
 * IVA or tax that the receptor keeps back, `stated` is a specific tax whose amount the emitter writes. Rate in percent;
 * `full` is the IVA of the day. `base` names the amount taxed when it is not the line's own.
 */
export interface AdditionalTax {
  readonly name: string
  readonly kind: 'added' | 'withheld' | 'stated'
  readonly rate: number | 'full' | null
  readonly base?: 'slaughter_base' | 'consumer_price'
}

// biome-ignore format: one tax per line keeps the columns readable
export const ADDITIONAL_TAXES = {
  14: { name: 'IVA margen de comercialización', kind: 'stated', rate: null },
  15: { name: 'IVA retenido total', kind: 'withheld', rate: 'full' },
  17: { name: 'IVA anticipado faenamiento de carne', kind: 'added', rate: 5, base: 'slaughter_base' },
  18: { name: 'IVA anticipado carne', kind: 'added', rate: 5 },
  19: { name: 'IVA anticipado harina', kind: 'added', rate: 12 },
  23: { name: 'Impuesto adicional art. 37 letras a, b y c', kind: 'added', rate: 15 },
  24: { name: 'Licores, piscos y destilados (art. 42 b)', kind: 'added', rate: 31.5 },
  25: { name: 'Vinos (art. 42 c)', kind: 'added', rate: 20.5 },
  26: { name: 'Cervezas y otras bebidas alcohólicas (art. 42 c)', kind: 'added', rate: 20.5 },
  27: { name: 'Bebidas analcohólicas y minerales (art. 42 a)', kind: 'added', rate: 10 },
  271: { name: 'Bebidas de alto contenido de azúcares (art. 42 a)', kind: 'added', rate: 18 },
  28: { name: 'Impuesto específico al diésel', kind: 'stated', rate: null },
  30: { name: 'IVA retenido legumbres', kind: 'withheld', rate: 10 },
  301: { name: 'IVA retenido legumbres, total', kind: 'withheld', rate: 'full' },
  31: { name: 'IVA retenido especies silvestres', kind: 'withheld', rate: 'full' },
  32: { name: 'IVA retenido ganado', kind: 'withheld', rate: 8 },
  321: { name: 'IVA retenido ganado, total', kind: 'withheld', rate: 'full' },
  33: { name: 'IVA retenido madera', kind: 'withheld', rate: 8 },
  331: { name: 'IVA retenido madera, total', kind: 'withheld', rate: 'full' },
  34: { name: 'IVA retenido trigo', kind: 'withheld', rate: 4 },
  341: { name: 'IVA retenido trigo, total', kind: 'withheld', rate: 'full' },
  35: { name: 'Impuesto específico a la gasolina', kind: 'stated', rate: null },
  36: { name: 'IVA retenido arroz', kind: 'withheld', rate: 10 },
  361: { name: 'IVA retenido arroz, total', kind: 'withheld', rate: 'full' },
  37: { name: 'IVA retenido especies hidrobiológicas', kind: 'withheld', rate: 10 },
  371: { name: 'IVA retenido especies hidrobiológicas, total', kind: 'withheld', rate: 'full' },
  38: { name: 'IVA retenido chatarra', kind: 'withheld', rate: 'full' },
  39: { name: 'IVA retenido PPA', kind: 'withheld', rate: 'full' },
  41: { name: 'IVA retenido construcción', kind: 'withheld', rate: 'full' },
  44: { name: 'Impuesto adicional art. 37 letras e, h, i y l', kind: 'added', rate: 15 },
  45: { name: 'Impuesto adicional art. 37 letra j, pirotecnia', kind: 'added', rate: 50 },
  46: { name: 'IVA retenido oro', kind: 'withheld', rate: 'full' },
  47: { name: 'IVA retenido cartones', kind: 'withheld', rate: 'full' },
  48: { name: 'IVA retenido frambuesas', kind: 'withheld', rate: 14 },
  481: { name: 'IVA retenido frambuesas, total', kind: 'withheld', rate: 'full' },
  49: { name: 'Factura de compra sin retención', kind: 'withheld', rate: 0 },
  50: { name: 'IVA margen de instrumentos de prepago', kind: 'stated', rate: null },
  51: { name: 'Impuesto al gas natural comprimido', kind: 'stated', rate: null },
  52: { name: 'Impuesto al gas licuado de petróleo', kind: 'stated', rate: null },
  53: { name: 'Impuesto retenido suplementeros', kind: 'withheld', rate: 0.5, base: 'consumer_price' },
} as const satisfies Record<number, AdditionalTax>

/** Sold by their emitter: facturas and their notes, and the guía that is a sale. */
const SALE_TIPOS: readonly number[] = [33, 52, 56, 61]
/** Change of subject: the buyer issues the factura de compra and keeps the IVA back. */
const PURCHASE_TIPOS: readonly number[] = [46, 56, 61]
/** Withheld on the emitter's own sale. */
const WITHHELD_ON_SALE: readonly number[] = [46, 53]

export function additionalTax(code: number): AdditionalTax | null {
  const row: AdditionalTax | undefined = Object.hasOwn(ADDITIONAL_TAXES, code)
    ? ADDITIONAL_TAXES[code as keyof typeof ADDITIONAL_TAXES]
    : undefined
  return row ?? null
}

/** Tipos whose lines may carry a tax; none for an unknown code. */
export function tiposOfTax(code: number): readonly number[] {
  const tax = additionalTax(code)
  if (tax === null) return []
  return tax.kind === 'withheld' && !WITHHELD_ON_SALE.includes(code) ? PURCHASE_TIPOS : SALE_TIPOS
}
